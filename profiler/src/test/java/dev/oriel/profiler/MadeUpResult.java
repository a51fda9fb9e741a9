package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/// A small result that has something of everything, for tests of reports and readers.
final class MadeUpResult {
    private MadeUpResult() {}

    /// A writer that commits, by way of two paths, with a call too short to time.
    static ProfileResult result() {
        CallNode diff =
                new CallNode(
                        "db.store.Page.diff",
                        4_000,
                        400_000,
                        400_000,
                        60,
                        900,
                        new CallDetail(1_000, 20, 3, 64_000, 1.0, latencies()),
                        List.of());
        CallNode force =
                new CallNode(
                        "db.io.Disk.force",
                        10,
                        52_000_000,
                        52_000_000,
                        4_100_000,
                        9_700_000,
                        List.of());
        CallNode commit =
                new CallNode(
                        "db.store.Writer.commit",
                        10,
                        61_400_000,
                        9_000_000,
                        5_000_000,
                        11_000_000,
                        List.of(force, diff));
        CallNode insert =
                new CallNode(
                        "db.sql.Insert.run",
                        1_000,
                        1_861_400_000,
                        1_800_000_000,
                        900_000,
                        12_000_000,
                        List.of(commit));
        CallNode lone =
                new CallNode(
                        "db.store.Writer.commit",
                        2,
                        12_345_678,
                        12_345_678,
                        6_000_000,
                        6_345_678,
                        List.of());
        List<StackFrame> row =
                List.of(
                        new StackFrame("db.sql.Insert$Row", "encode", 42),
                        new StackFrame("db.sql.Insert", "run", 17),
                        new StackFrame("db.Shell", "main", 5));
        List<StackFrame> deep =
                List.of(
                        new StackFrame("java.util.Arrays", "fill", 0),
                        new StackFrame("db.store.Page", "<init>", 88),
                        new StackFrame("db.store.Writer", "commit", 120),
                        new StackFrame("db.sql.Insert", "run", 19),
                        new StackFrame("db.Shell", "main", 5));
        List<Sample> samples =
                List.of(
                        new Sample(SampleKind.CPU, 10_000_000, "main", row, 1),
                        new Sample(SampleKind.CPU, 20_000_000, "main", deep, 1),
                        new Sample(SampleKind.CPU, 30_000_000, "worker \"1\"", row, 1),
                        new Sample(SampleKind.CPU, 40_000_000, "main", List.of(), 1),
                        new Sample(SampleKind.ALLOCATION, 45_000_000, "main", deep, 524_288),
                        new Sample(
                                SampleKind.ALLOCATION,
                                46_000_000,
                                "main",
                                row,
                                262_144,
                                2,
                                "byte[]"),
                        new Sample(SampleKind.SURVIVOR, 47_000_000, "main", row, 64, 1, "byte[]"),
                        new Sample(
                                SampleKind.MONITOR,
                                48_000_000,
                                "worker \"1\"",
                                deep,
                                7_000_000,
                                1,
                                "db.store.Store"),
                        new Sample(SampleKind.FILE_FORCE, 50_000_000, "main", deep, 5_200_000),
                        new Sample(SampleKind.GC, 60_000_000, "all", List.of(), 1_500_000));
        return new ProfileResult(
                Instant.parse("2026-03-04T05:06:07Z"),
                2_000_000_000L,
                new ProbeCost(20, 30),
                1,
                List.of(insert, lone),
                samples,
                new Totals(1_000, 1_700_000_000L, 900_000, 1, 120_000_000, 2),
                Map.of("java", "25", "title", "A made-up run", "comma, quote \"", "line\nbreak"),
                List.of("A note, with a comma."));
    }

    /// An earlier run, with one stack of its own.
    static ProfileResult before() {
        List<StackFrame> row =
                List.of(
                        new StackFrame("db.sql.Insert$Row", "encode", 42),
                        new StackFrame("db.sql.Insert", "run", 17),
                        new StackFrame("db.Shell", "main", 5));
        List<StackFrame> gone = List.of(new StackFrame("db.Gone", "run", 1));
        return new ProfileResult(
                Instant.EPOCH,
                1_000_000_000L,
                50,
                0,
                List.of(),
                List.of(
                        new Sample(SampleKind.CPU, 0, "main", row, 5),
                        new Sample(SampleKind.CPU, 1, "main", gone, 3)),
                List.of());
    }

    private static Histogram latencies() {
        long[] counts = new long[40];
        counts[Histogram.bucket(60)] = 1_500;
        counts[Histogram.bucket(100)] = 1_400;
        counts[Histogram.bucket(900)] = 100;
        return Histogram.of(counts);
    }
}
