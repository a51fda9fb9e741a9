package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.Bottleneck.Cause;
import dev.oriel.profiler.bound.Programs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The first line for programs with a known bottleneck, each in a JVM of its own under the agent: with probes in
/// all of its methods, with probes in its steps alone, and with samples alone. A few by default;
/// `-Dbottlenecks=all` runs them all.
///
/// Other programs of a shared machine only add waits for a processor. So that cause decides nothing, but for the
/// program that has too few of them.
class KnownBottlenecksTest {
    private static final List<String> QUICK = List.of("threads", "client", "sleep");

    /// Seconds are long enough for the JVM's own start, which the shares include.
    private static final int MILLIS = 2_000;

    private static final Map<String, Cause> EXPECTED =
            new TreeMap<>(
                    Map.ofEntries(
                            Map.entry("threads", Cause.CPU),
                            Map.entry("virtual", Cause.CPU),
                            Map.entry("monitor", Cause.LOCKS),
                            Map.entry("lock", Cause.LOCKS),
                            Map.entry("gc", Cause.GC),
                            Map.entry("sleep", Cause.SLEEP),
                            Map.entry("sync", Cause.SYNC),
                            Map.entry("client", Cause.IO),
                            Map.entry("server", Cause.CLIENT),
                            Map.entry("queue", Cause.CPU),
                            Map.entry("processors", Cause.PROCESSOR),
                            Map.entry("allocation", Cause.CPU),
                            Map.entry("mixed", Cause.SLEEP)));

    @TempDir private Path folder;

    @Test
    void firstLineNamesTheBottleneck() throws Exception {
        boolean all = System.getProperty("bottlenecks", "").equals("all");
        List<String> wrong = new ArrayList<>();
        for (Map.Entry<String, Cause> each : EXPECTED.entrySet()) {
            if (all || QUICK.contains(each.getKey())) {
                for (String include : includes(each.getKey(), all)) {
                    Bottleneck verdict = verdict(each.getKey(), include);
                    String line = each.getKey() + " [" + include + "]: " + verdict.line();
                    System.out.println(line);
                    if (greatest(verdict, each.getValue()) != each.getValue()) {
                        wrong.add(line);
                    }
                }
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static List<String> includes(String program, boolean all) {
        String steps =
                Stream.of("step", "guarded", "heldStep", "chain", "rest", "fetch", "reply", "turn")
                        .map(name -> Programs.class.getName() + "*::" + name + "*")
                        .reduce((a, b) -> a + "," + b)
                        .orElseThrow();
        List<String> includes = new ArrayList<>(List.of(""));
        includes.add(Programs.class.getPackageName() + ".**");
        // A lock is waited for, and a file forced, where there may be no probe.
        if (all && !List.of("queue", "allocation", "gc", "sync").contains(program)) {
            includes.add(steps);
        }
        return includes;
    }

    private static Cause greatest(Bottleneck verdict, Cause expected) {
        Cause greatest = Cause.CPU;
        for (Cause cause : Cause.values()) {
            boolean counts = cause != Cause.PROCESSOR || expected == Cause.PROCESSOR;
            if (counts && verdict.share(cause) > verdict.share(greatest)) {
                greatest = cause;
            }
        }
        return greatest;
    }

    private Bottleneck verdict(String program, String include) throws Exception {
        Path report = folder.resolve("report.orun");
        Path output = folder.resolve("output.txt");
        Path classes =
                Path.of(Programs.class.getResource("Programs.class").toURI())
                        .resolve("../../../../..")
                        .normalize();
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                program.equals("gc") ? "-XX:+UseParallelGC" : "-XX:+UseSerialGC",
                                "-javaagent:"
                                        + AgentJar.in(folder)
                                        + "=report="
                                        + report
                                        + (include.isEmpty() ? "" : ";include=" + include),
                                "-cp",
                                classes.toString(),
                                Programs.class.getName(),
                                program,
                                String.valueOf(MILLIS)));
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        boolean ended = process.waitFor(5, TimeUnit.MINUTES);
        process.destroyForcibly().waitFor();
        assertTrue(ended && process.exitValue() == 0, Files.readString(output));
        ProfileResult result = ProfileReader.read(report);
        return Bottleneck.of(result);
    }
}
