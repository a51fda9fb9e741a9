package dev.oriel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// Jazzer on one target, for `-Dfuzz.seconds=`; without that option the test is skipped. It runs in a process of
/// its own, because it instruments the code under test. Its corpus stays in `target/fuzz`, and the next run starts
/// from it.
///
/// The class path must have Jazzer, which the profile `fuzz` puts there.
///
/// @param entry has `fuzzerTestOneInput`, and reads the target's name from the system property `target`
/// @param instrumented instrumented packages, such as `dev.oriel.sql.**`, separated by colons
/// @param options more of Jazzer's
public record JazzerRun(Class<?> entry, String instrumented, List<String> options) {
    private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";

    public JazzerRun {
        options = List.copyOf(options);
    }

    /// Fails if Jazzer finds an error.
    ///
    /// @param target its name
    /// @param seeds inputs to begin with
    /// @throws IOException if the folder cannot be written
    public void nothingIsFound(String target, List<byte[]> seeds)
            throws IOException, InterruptedException {
        String seconds = System.getProperty("fuzz.seconds", "");
        assumeTrue(!seconds.isEmpty(), "Jazzer runs with -Pfuzz only");
        String name = target.toLowerCase(Locale.ROOT);
        Path folder = Path.of("target", "fuzz", name).toAbsolutePath();
        Path corpus = Files.createDirectories(folder.resolve("corpus"));
        for (int i = 0; i < seeds.size(); i++) {
            Files.write(corpus.resolve("seed-" + i), seeds.get(i));
        }
        Path log = folder.resolve("log");
        int status =
                new ProcessBuilder(command(target, seconds, folder))
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start()
                        .waitFor();
        String said = Files.readString(log, StandardCharsets.UTF_8);
        String end = said.substring(Math.max(0, said.length() - 4_000));
        assertEquals(0, status, end);
        Matcher done = Pattern.compile("#(\\d+)\\s+DONE\\s+cov: (\\d+)").matcher(said);
        assertTrue(done.find(), end);
        System.out.printf(
                "Jazzer: %s: %s inputs, %s places of the code reached, nothing found%n",
                name, done.group(1), done.group(2));
        assertTrue(Long.parseLong(done.group(1)) > seeds.size(), end);
    }

    private List<String> command(String target, String seconds, Path folder) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:+EnableDynamicAgentLoading"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Dtarget=" + target);
        command.addAll(List.of("-cp", classPath(), JAZZER));
        command.add("--target_class=" + entry.getName());
        command.add("--instrumentation_includes=" + instrumented);
        command.add("--custom_hook_includes=" + instrumented);
        command.addAll(options);
        command.add("--reproducer_path=" + folder);
        command.add("-artifact_prefix=" + folder + File.separator);
        command.add("-max_total_time=" + seconds);
        command.addAll(List.of("-max_len=2048", "-timeout=60", "-rss_limit_mb=2500"));
        command.add(folder.resolve("corpus").toString());
        return command;
    }

    /// The class path, modules included: Jazzer knows no other.
    private String classPath() {
        String name = entry.getSimpleName() + ".class";
        Path tests =
                Path.of(URI.create(String.valueOf(entry.getResource(name))))
                        .resolve("../".repeat(entry.getPackageName().split("\\.", -1).length + 1))
                        .normalize();
        return Stream.of(
                        tests.toString(),
                        System.getProperty("jdk.module.path", ""),
                        System.getProperty("java.class.path", ""))
                .flatMap(part -> Arrays.stream(part.split(File.pathSeparator)))
                .filter(part -> !part.isEmpty())
                .distinct()
                .collect(Collectors.joining(File.pathSeparator));
    }
}
