package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.profiler.Sample.StackFrame;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// What the first line of a report says, for profiles that are bound by each cause.
class BottleneckTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void syncIsNamedWhereFilesAreForced() {
        assertEquals(
                "Bound by sync: CPU 20 %, sync 70 %, other I/O 0 %, locks 0 %, GC 0 %, waiting for"
                        + " the client 10 %.",
                line(10, 0, 2, new Sample(SampleKind.FILE_FORCE, 0, "t", List.of(), 7 * SECOND)));
    }

    @Test
    void theClientIsNamedWhereNothingIsAskedFor() {
        assertEquals(
                "Not bound by its own work, waiting for the client: CPU 20 %, sync 0 %, other I/O 0"
                        + " %, locks 0 %, GC 0 %, waiting for the client 80 %.",
                line(2, 8, 9));
    }

    @Test
    void theProcessorIsNamedWhereItComputes() {
        assertEquals(
                "Bound by CPU: CPU 90 %, sync 0 %, other I/O 0 %, locks 0 %, GC 10 %, waiting for"
                        + " the client 0 %.",
                line(10, 0, 99, new Sample(SampleKind.GC, 0, "all", List.of(), SECOND)));
    }

    @Test
    void parkingIsALockOnlyWhereOneIsAcquired() {
        List<StackFrame> lock = stack("LockSupport.park", "locks.ReentrantLock.lock", "a.B.c");
        List<StackFrame> queue =
                stack(
                        "LockSupport.park",
                        "locks.AbstractQueuedSynchronizer$ConditionObject.await",
                        "LinkedBlockingQueue.take",
                        "a.B.c");
        assertEquals(
                "Bound by locks: CPU 10 %, sync 0 %, other I/O 0 %, locks 60 %, GC 0 %, waiting for"
                        + " the client 30 %.",
                line(
                        10,
                        0,
                        1,
                        new Sample(SampleKind.PARK, 0, "t", lock, 6 * SECOND),
                        new Sample(SampleKind.PARK, 0, "t", queue, 3 * SECOND)));
    }

    @Test
    void readsAndWritesAreOtherInputAndOutput() {
        assertEquals(
                "Bound by other I/O: CPU 10 %, sync 0 %, other I/O 90 %, locks 0 %, GC 0 %, waiting"
                        + " for the client 0 %.",
                line(
                        10,
                        0,
                        1,
                        new Sample(SampleKind.FILE_READ, 0, "t", List.of(), 6 * SECOND),
                        new Sample(SampleKind.SOCKET_WRITE, 0, "t", List.of(), 3 * SECOND)));
    }

    @Test
    void whatWasNotRecordedIsNotCalledZero() {
        CallNode root = new CallNode("t.a", 1, SECOND, SECOND, 1, 1, List.of());
        ProfileResult result =
                new ProfileResult(Instant.EPOCH, SECOND, 1, 0, List.of(root), List.of(), List.of());
        assertEquals(
                "Bound by CPU: CPU 100 %, waiting for the client 0 % (not seen: sync, other I/O,"
                        + " locks, GC).",
                Bottleneck.of(result).line());
    }

    private static List<StackFrame> stack(String... names) {
        return List.of(names).stream()
                .map(name ->
                        StackFrame.parse(
                                name.startsWith("a.") ? name : "java.util.concurrent." + name))
                .toList();
    }

    private static String line(int inCalls, int idle, int cpu, Sample... samples) {
        CallNode root = new CallNode("t.a", 1, inCalls * SECOND, inCalls * SECOND, 1, 1, List.of());
        ProfileResult result =
                new ProfileResult(
                        Instant.EPOCH,
                        10 * SECOND,
                        new ProbeCost(1, 1),
                        0,
                        List.of(root),
                        List.of(samples),
                        new Totals(-1, cpu * SECOND, -1, 1, idle * SECOND, 2),
                        Map.of("samples", "FILE_FORCE FILE_READ GC MONITOR PARK"),
                        List.of());
        return Bottleneck.of(result).line();
    }
}
