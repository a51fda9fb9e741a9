package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.File;
import java.net.URI;
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

/// Jazzer on the readers of SQL, for `-Dfuzz.seconds=` each: `./mvnw -Pfuzz -pl sql -am test
/// -Dtest=SqlJazzerTest`. It runs in a process of its own, because it changes the code that it looks at.
/// What it finds interesting stays in `target/fuzz` and is where the next run begins.
class SqlJazzerTest {
    private static final int SEEDS = 500;

    @ParameterizedTest
    @EnumSource(FuzzTargets.Target.class)
    void nothingIsFound(FuzzTargets.Target target) throws Exception {
        String seconds = System.getProperty("fuzz.seconds", "");
        assumeTrue(!seconds.isEmpty(), "Jazzer runs with -Pfuzz only");
        String name = target.name().toLowerCase(Locale.ROOT);
        Path folder = Path.of("target", "fuzz", name).toAbsolutePath();
        Path corpus = Files.createDirectories(folder.resolve("corpus"));
        SqlInputs inputs = new SqlInputs(new Gen(Seed.of("SqlJazzerTest." + name, 31)));
        for (int i = 0; i < SEEDS; i++) {
            Files.writeString(
                    corpus.resolve("seed-" + i), inputs.of(target).replace('\ud800', '?'));
        }
        Path log = folder.resolve("log");
        int status = run(target, seconds, folder, log);
        String said = Files.readString(log);
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
        command.addAll(List.of("-cp", classPath(), "com.code_intelligence.jazzer.Jazzer"));
        command.add("--target_class=" + SqlJazzerTarget.class.getName());
        command.add("--instrumentation_includes=dev.oriel.sql.**");
        command.add("--custom_hook_includes=dev.oriel.sql.**");
        command.add("--reproducer_path=" + folder);
        command.add("-artifact_prefix=" + folder + File.separator);
        command.add("-max_total_time=" + seconds);
        command.addAll(List.of("-max_len=2048", "-timeout=60", "-rss_limit_mb=2500"));
        command.add(folder.resolve("corpus").toString());
        return new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start()
                .waitFor();
    }

    private static String classPath() {
        String name = SqlJazzerTarget.class.getSimpleName() + ".class";
        Path tests =
                Path.of(URI.create(String.valueOf(SqlJazzerTarget.class.getResource(name))))
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
