package dev.oriel.bench.results;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// The origin of the figures.
///
/// @param machine processor, cores, memory, file system, system, JVM
/// @param commit of the source, with `+` if it has changes; `unknown` outside a checkout
public record Origin(String machine, String commit) {
    /// Determines the origin of figures measured here.
    ///
    /// @param folder folder of the databases
    /// @param root the checkout
    public static Origin of(Path folder, Path root) throws IOException, InterruptedException {
        OperatingSystemMXBean system =
                ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        String machine =
                "%s, %d cores, %d GiB, %s, %s %s, Java %s (%s)"
                        .formatted(
                                processor(),
                                system.getAvailableProcessors(),
                                Math.round(system.getTotalMemorySize() / (double) (1L << 30)),
                                Files.getFileStore(folder).type(),
                                system.getName(),
                                system.getVersion(),
                                Runtime.version(),
                                System.getProperty("java.vendor"));
        return new Origin(machine, commit(root));
    }

    private static String processor() throws IOException {
        Path file = Path.of("/proc/cpuinfo");
        if (!Files.exists(file)) {
            return System.getProperty("os.arch");
        }
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(System.getProperty("os.arch"));
    }

    private static String commit(Path root) throws InterruptedException {
        String head = git(root, "rev-parse", "--short=12", "HEAD");
        return head.isEmpty() || git(root, "status", "--porcelain").isEmpty()
                ? (head.isEmpty() ? "unknown" : head)
                : head + "+";
    }

    /// The output of git, or nothing if there is no git or no repository.
    private static String git(Path root, String... words) throws InterruptedException {
        List<String> command = new ArrayList<>(List.of("git"));
        command.addAll(List.of(words));
        try {
            Process process =
                    new ProcessBuilder(command)
                            .directory(root.toFile())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String text =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            return process.waitFor(10, TimeUnit.SECONDS) && process.exitValue() == 0
                    ? text.strip()
                    : "";
        } catch (IOException e) {
            return ""; // no git here: the commit is unknown, as the result states
        }
    }
}
