package dev.oriel.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.File;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Jazzer on every decoder, for `-Dfuzz.seconds=` each: `./mvnw -Pfuzz -pl server -am test
/// -Dtest=JazzerTest`. It runs in a process of its own, because it changes the code that it looks at. What
/// it finds interesting stays in `target/fuzz` and is where the next run begins.
final class JazzerTest {
    private static final String JAZZER = "com.code_intelligence.jazzer.Jazzer";
    private static final int SEEDS = 300;

    @ParameterizedTest
    @EnumSource(FuzzTargets.Target.class)
    void nothingIsFound(FuzzTargets.Target target) throws Exception {
        String seconds = System.getProperty("fuzz.seconds", "");
        assumeTrue(!seconds.isEmpty(), "Jazzer runs with -Pfuzz only");
        String name = target.name().toLowerCase(Locale.ROOT);
        Path folder = Path.of("target", "fuzz", name).toAbsolutePath();
        Path corpus = Files.createDirectories(folder.resolve("corpus"));
        Gen gen = new Gen(Seed.of("JazzerTest." + name, 31));
        for (int i = 0; i < SEEDS; i++) {
            Files.write(corpus.resolve("seed-" + i), FuzzInputs.of(target, gen));
        }
        Path log = folder.resolve("log");
        int status = run(target, seconds, folder, log);
        String said = Files.readString(log, StandardCharsets.UTF_8);
        String end = said.substring(Math.max(0, said.length() - 4_000));
        assertEquals(0, status, end);
        Matcher done = Pattern.compile("#(\\d+)\\s+DONE\\s+cov: (\\d+)").matcher(said);
        assertTrue(done.find(), end);
        System.out.printf(
                "Jazzer: %s: %s inputs, %s places of the code reached, nothing found%n",
                name, done.group(1), done.group(2));
        assertTrue(Long.parseLong(done.group(1)) > SEEDS, end);
    }

    private static int run(FuzzTargets.Target target, String seconds, Path folder, Path log)
            throws Exception {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-Xmx1g", "-XX:+UseSerialGC", "-XX:+EnableDynamicAgentLoading"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.add("-Dtarget=" + target);
        command.addAll(List.of("-cp", classPath(), JAZZER));
        command.add("--target_class=" + JazzerTarget.class.getName());
        command.add("--instrumentation_includes=dev.oriel.server.**:dev.oriel.kv.**");
        command.add(
                "--instrumentation_excludes=dev.oriel.server.Secret"); // 15,000 rounds of a hash
        command.add("--custom_hook_includes=dev.oriel.server.**:dev.oriel.kv.**");
        command.add("--reproducer_path=" + folder);
        command.add("-artifact_prefix=" + folder + File.separator);
        command.add("-max_total_time=" + seconds);
        command.addAll(List.of("-max_len=2048", "-timeout=60", "-rss_limit_mb=2500"));
        command.add(folder.resolve("corpus").toString());
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        return process.waitFor();
    }

    private static String classPath() {
        String name = JazzerTarget.class.getSimpleName() + ".class";
        Path tests =
                Path.of(URI.create(String.valueOf(JazzerTarget.class.getResource(name))))
                        .resolve("../../../..")
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
