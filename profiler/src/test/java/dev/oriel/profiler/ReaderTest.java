package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// What was written is read back; what is damaged is named.
class ReaderTest {
    @TempDir private Path directory;

    private final ProfileResult result = MadeUpResult.result();

    @Test
    void runFileHoldsEverything() throws IOException {
        Path file = directory.resolve("a.orun");
        RunFile.write(result, file);
        ProfileResult read = ProfileReader.read(file);

        assertEquals(result.withFact("source", "a.orun"), read);
        Path again = directory.resolve("b.orun");
        RunFile.write(result, again);
        assertEquals(-1, Files.mismatch(file, again));
    }

    @Test
    void runFilesAreTheSameInEveryTimeZone() throws IOException {
        Path west = directory.resolve("west.orun");
        Path east = directory.resolve("east.orun");
        TimeZone here = TimeZone.getDefault();
        try {
            TimeZone.setDefault(TimeZone.getTimeZone("America/Lima"));
            RunFile.write(result, west);
            TimeZone.setDefault(TimeZone.getTimeZone("Asia/Tokyo"));
            RunFile.write(result, east);
        } finally {
            TimeZone.setDefault(here);
        }
        assertEquals(-1, Files.mismatch(west, east));
    }

    @Test
    void pprofOfTheExactTreeIsTheTree() throws IOException {
        Path file = directory.resolve("tree.pb.gz");
        new PprofReport(null).write(result, file);
        ProfileResult read = ProfileReader.read(file);

        assertEquals(figures(result.roots()), figures(read.roots()));
        assertEquals(result.wallNanos(), read.wallNanos());
        assertEquals(result.startedAt(), read.startedAt());
    }

    @Test
    void pprofOfSamplesIsTheSamples() throws IOException {
        for (SampleKind kind : List.of(SampleKind.CPU, SampleKind.ALLOCATION, SampleKind.MONITOR)) {
            Path file = directory.resolve(kind + ".pb.gz");
            new PprofReport(kind).write(result, file);
            ProfileResult read = ProfileReader.read(file);

            assertEquals(stacks(result, kind), stacks(read, kind));
            assertEquals(
                    result.samples(kind).stream().map(Sample::thread).toList(),
                    read.samples(kind).stream().map(Sample::thread).toList());
        }
    }

    @Test
    void pprofOfEverythingIsTheTreeAndAllSamples() throws IOException {
        Path file = directory.resolve("all.pb.gz");
        ReportFormat.PPROF.report(result, "", null, ClassCode.of(List.of())).write(result, file);
        ProfileResult read = ProfileReader.read(file);
        assertEquals(result.calls(), read.calls());
        assertEquals(result.totalNanos(), read.totalNanos());
        for (SampleKind kind : SampleKind.values()) {
            assertEquals(result.weight(kind), read.weight(kind), kind::toString);
        }
    }

    @Test
    void unitsOfPprofAreOurs() throws IOException {
        assertEquals(5_000, weightOfFive("wall", "microseconds", SampleKind.WALL));
        assertEquals(5_000_000_000L, weightOfFive("cpu", "seconds", SampleKind.CPU_TIME));
        assertEquals(5 * 1_024, weightOfFive("alloc_space", "kilobytes", SampleKind.ALLOCATION));
        assertEquals(5, weightOfFive("distance", "kilobytes", SampleKind.OTHER));
    }

    /// Of a message with one sample, whose only value is 5.
    private static long weightOfFive(String type, String unit, SampleKind kind) throws IOException {
        ProtobufWriter value = new ProtobufWriter().number(1, 1).number(2, 2);
        ProtobufWriter sample =
                new ProtobufWriter().packed(1, new long[] {1}).packed(2, new long[] {5});
        ProtobufWriter line = new ProtobufWriter().number(1, 1).number(2, 7);
        ProtobufWriter place = new ProtobufWriter().number(1, 1).message(4, line);
        ProtobufWriter function = new ProtobufWriter().number(1, 1).number(2, 3);
        ProtobufWriter message =
                new ProtobufWriter()
                        .message(1, value)
                        .message(2, sample)
                        .message(4, place)
                        .message(5, function);
        for (String text : List.of("", type, unit, "a.B.c")) {
            message.text(6, text);
        }
        return PprofReader.read(message.toBytes()).weight(kind);
    }

    @Test
    void collapsedStacksAreRead() throws IOException {
        Path file = directory.resolve("a.collapsed");
        new CollapsedReport(SampleKind.CPU).write(result, file);
        ProfileResult read = ProfileReader.read(file);

        assertEquals(
                new CollapsedReport(SampleKind.CPU).lines(result),
                new CollapsedReport(SampleKind.CPU).lines(read));
    }

    @Test
    void collapsedStacksOfAsyncProfilerLoseItsMarks() throws IOException {
        Path file = directory.resolve("a.txt");
        Files.writeString(file, "java/lang/Thread.run_[j];a/b/C.m:12_[i];clock_gettime 7 9\n");
        Sample sample = ProfileReader.read(file).samples().getFirst();

        assertEquals(
                List.of("clock_gettime", "a.b.C.m:12", "java.lang.Thread.run"),
                sample.stack().stream().map(Sample.StackFrame::toString).toList());
        assertEquals(9, sample.weight());
    }

    @Test
    void hprofTextIsReadBackAsFarAsItGoes() throws IOException {
        Path file = directory.resolve("java.hprof.txt");
        new HprofReport(100, 0, ZoneId.of("UTC")).write(result, file);
        ProfileResult read = ProfileReader.read(file);

        for (SampleKind kind : List.of(SampleKind.CPU, SampleKind.ALLOCATION, SampleKind.MONITOR)) {
            assertEquals(stacks(result, kind), stacks(read, kind));
        }
        Map<String, Long> wanted = calls(result.roots());
        assertEquals(wanted, calls(read.roots()));
        assertEquals((double) result.totalNanos(), (double) read.totalNanos(), 2e6);
        assertEquals("db.store.Store", read.samples(SampleKind.MONITOR).getFirst().detail());
    }

    @Test
    void benchmarksOfJmhAreRead() throws IOException {
        Path file = directory.resolve("jmh.json");
        Files.writeString(
                file,
                """
                [{"benchmark":"a.B.get","mode":"avgt","vmName":"VM","vmVersion":"25",
                  "params":{"size":"10"},
                  "primaryMetric":{"score":2.0,"scoreUnit":"us/op","rawData":[[1.5,2.5],[2.0,2.0]]},
                  "secondaryMetrics":{"\\u00b7gc.alloc.rate.norm":{"score":24.1,"scoreUnit":"B/op"}}},
                 {"benchmark":"a.B.rate","mode":"thrpt",
                  "primaryMetric":{"score":4.0,"scoreUnit":"ops/ms","rawData":[[4.0]]}},
                 {"benchmark":"a.B.odd",
                  "primaryMetric":{"score":4.0,"scoreUnit":"MB/sec","rawData":[[4.0]]}}]
                """);
        ProfileResult read = ProfileReader.read(file);

        CallNode rate = read.roots().getFirst();
        assertEquals("a.B.rate", rate.name());
        assertEquals(250_000, rate.meanNanos());
        CallNode get = read.roots().getLast();
        assertEquals("a.B.get,size=10", get.name());
        assertEquals(4, get.calls());
        assertEquals(2_000, get.meanNanos());
        assertEquals(1_500, get.minNanos());
        assertEquals(96, get.detail().allocatedBytes());
        assertTrue(read.notes().getFirst().startsWith("a.B.odd is left out"), "the odd unit");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "|is empty",
                "hello|not a known format",
                "{}|not of JMH",
                "[{}]|does not name its benchmark",
                "[1|near line 1",
                "JAVA PROFILE 1.0.2|a heap dump",
                "JAVA PROFILE 1.0.1, x\nCPU SAMPLES BEGIN (total = 1) x\n|is cut off",
                "JAVA PROFILE 1.0.1, x\nCPU SAMPLES BEGIN (total = 1) x\n"
                        + "   1 100.00% 100.00%       1 300001 a.B.c\n|refers to a missing trace 300001",
                "a;b 1\nc;d\n|Line 2 is not a stack",
                "a;b 99999999999999999999\n|The number of line 1",
                "FLR\0abcd|was it cut off?",
                "PKabc|is damaged"
            })
    void whatCannotBeReadIsNamedWithTheReason(String given) throws IOException {
        String content = given.substring(0, given.lastIndexOf('|'));
        String reason = given.substring(given.lastIndexOf('|') + 1);
        Path file = directory.resolve("given");
        Files.writeString(file, content);
        ProfileFormatException error =
                assertThrows(ProfileFormatException.class, () -> ProfileReader.read(file));
        String message = Objects.requireNonNull(error.getMessage());
        assertTrue(message.contains(file.toString()), message);
        assertTrue(message.contains(reason), message);
    }

    /// 150 KB that hold 150 MB of zeros.
    @Test
    void packedFilesThatHoldTooMuchAreRefused() throws IOException {
        Path file = directory.resolve("bomb.pb.gz");
        byte[] zeros = new byte[1 << 20];
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            for (int i = 0; i < 150; i++) {
                out.write(zeros);
            }
        }
        ProfileFormatException error =
                assertThrows(ProfileFormatException.class, () -> ProfileReader.read(file));
        String message = Objects.requireNonNull(error.getMessage());
        assertTrue(message.contains("134 MB when unpacked"), message);
    }

    @Test
    void damagedFilesNeverDoAnythingElseThanFail() throws IOException {
        Path run = directory.resolve("run.orun");
        Path pprof = directory.resolve("a.pb");
        RunFile.write(result, run);
        Files.write(pprof, new PprofReport(SampleKind.ALLOCATION).bytes(result));
        int failed = 0;
        for (Path file : List.of(run, pprof)) {
            byte[] bytes = Files.readAllBytes(file);
            for (int i = 0; i < bytes.length; i += 3) {
                byte[] damaged = bytes.clone();
                damaged[i] ^= 0x55;
                Path other = Files.write(directory.resolve("damaged"), damaged);
                try {
                    assertFalse(ProfileReader.read(other).facts().isEmpty());
                } catch (ProfileFormatException e) {
                    failed++;
                }
            }
        }
        assertTrue(failed > 100, "only " + failed + " were noticed");
    }

    private static Map<String, Long> stacks(ProfileResult of, SampleKind kind) {
        Map<String, Long> stacks = new TreeMap<>();
        for (Sample sample : of.samples(kind)) {
            stacks.merge(sample.stack().toString(), sample.weight(), Long::sum);
        }
        return stacks;
    }

    private static Map<String, Long> calls(List<CallNode> nodes) {
        Map<String, Long> calls = new TreeMap<>();
        for (CallNode node : nodes) {
            calls.merge(node.name(), node.calls(), Long::sum);
            calls(node.children()).forEach((name, more) -> calls.merge(name, more, Long::sum));
        }
        return calls;
    }

    /// Name, calls, self time and children of each node.
    private static List<?> figures(List<CallNode> nodes) {
        return nodes.stream()
                .map(node ->
                        List.of(
                                node.name(),
                                node.calls(),
                                node.selfNanos(),
                                figures(node.children())))
                .toList();
    }
}
