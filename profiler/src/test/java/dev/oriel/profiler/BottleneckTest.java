package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.profiler.Sample.StackFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What the first line of a report says, for profiles that are bound by each cause.
class BottleneckTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void syncIsNamedWhereFilesAreForced() {
        assertEquals(
                "Bound by sync: CPU 20 %, sync 70 %, waiting unseen 10 %.",
                line(10, 0, 2, new Sample(SampleKind.FILE_FORCE, 0, "t", List.of(), 7 * SECOND)));
    }

    /// A method may be watched under a name of several words.
    @Test
    void namesOfProbesMayHaveBlanks() {
        Map<String, String> renamed =
                Map.of("a.B.c", "load order", "a.B.d", "100 % = all", "a.B.e", "%20");
        assertEquals(renamed, WaitTimes.renamed(WaitTimes.written(renamed)));
        assertEquals(Map.of("a.B.c", "x"), WaitTimes.renamed("a.B.c=x"));
    }

    /// A thread that ends between the listing and the reading takes no other with it.
    @Test
    void threadsAreReadEachForItself(@TempDir Path folder) throws IOException {
        for (String number : List.of("1", "2", "3", "4")) {
            Path task = Files.createDirectory(folder.resolve(number));
            if (!number.equals("2")) {
                Files.writeString(task.resolve("comm"), "worker\n");
                Files.writeString(
                        task.resolve("schedstat"), number.equals("3") ? "" : number + " 7 1\n");
            }
        }
        assertEquals(
                Map.of(
                        "1", new JvmThreads.Task("worker", 1, 7),
                        "4", new JvmThreads.Task("worker", 4, 7)),
                JvmThreads.tasks(folder.toFile(), Map.of()));
    }

    /// Between recorded calls a program without a client runs methods without a probe.
    @Test
    void timeBetweenCallsIsTheClientsOnlyIfRequestsWereReadFrom() {
        assertEquals(
                "Not bound by recorded methods, mostly outside recorded methods: CPU 20 %,"
                        + " outside recorded methods 80 %.",
                line(2, 8, 9));
        List<StackFrame> reading = stack("Socket.read", "a.Session.run");
        Sample request =
                new Sample(SampleKind.SOCKET_READ, 0, "s", reading, SECOND, 1, "10.0.0.7:51234");
        assertEquals(
                "Not bound by its own work, waiting for the client: CPU 20 %, waiting for the"
                        + " client 80 %.",
                Bottleneck.of(result(2, 8, 9, request).withFact("listens", "8080")).line());
    }

    @Test
    void theProcessorIsNamedWhereItComputes() {
        assertEquals(
                "Bound by CPU: CPU 90 %, GC 10 %.",
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
                        "a.B.c",
                        "a.B.run");
        assertEquals(
                "Bound by locks: CPU 10 %, locks 60 %, sleep and waits 30 %.",
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
                "Bound by other I/O: CPU 10 %, other I/O 90 %.",
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
                "Bound by CPU: CPU 100 % (not seen: sync, other I/O, locks, sleep and waits, GC).",
                Bottleneck.of(result).line());
    }

    /// A writer in the background that waits for work in a batch is no client, and no part of the whole.
    @Test
    void threadsWithNothingToDoAreNoPartOfTheShares() {
        List<StackFrame> writer = stack("BlockingQueue.poll", "a.Writer.run");
        CallNode work = call("a.Work.step", 2);
        CallNode background = call("a.Writer.run", 8);
        ProfileResult result =
                result(
                        List.of(background, work),
                        new Totals(-1, 2 * SECOND, -1, 2, 0, 2),
                        new Sample(SampleKind.WAIT, 0, "writer", writer, 8 * SECOND));
        assertEquals("Bound by CPU: CPU 100 %.", Bottleneck.of(result).line());
    }

    /// A background thread's loop makes no recorded calls, however many of its own methods it waits in.
    @Test
    void waitsOutsideOfRecordedCallsAreNoPartOfTheShares() {
        List<StackFrame> loop = stack("LockSupport.park", "a.Loop.rest", "a.Loop$Lambda$0.run");
        List<StackFrame> inCall = stack("Thread.sleep", "a.Work.step", "a.Work.run");
        ProfileResult result =
                result(
                        List.of(call("a.Work.step", 10)),
                        new Totals(-1, 8 * SECOND, -1, 1, 0, 2),
                        new Sample(SampleKind.PARK, 0, "loop", loop, 9 * SECOND),
                        new Sample(SampleKind.WAIT, 0, "work", inCall, 2 * SECOND));
        assertEquals("Bound by CPU: CPU 80 %, sleep and waits 20 %.", Bottleneck.of(result).line());
    }

    /// The use of the JVM's own threads stands behind the share of the processor, if there is one.
    @Test
    void shareLeftOutLeavesNoRemark() {
        List<StackFrame> sleeping = stack("Thread.sleep", "a.Remote.fetch", "a.Work.step");
        JvmThreads jvm = new JvmThreads(SECOND, 0, 0, 0);
        ProfileResult result =
                result(
                        List.of(call("a.Work.step", 10)),
                        new Totals(-1, SECOND, -1, 1, 0, 2, jvm),
                        new Sample(SampleKind.WAIT, 0, "main", sleeping, 10 * SECOND));
        assertEquals(
                "Bound by sleep and waits: sleep and waits 100 %.", Bottleneck.of(result).line());
    }

    @Test
    void sleepOfAMethodIsNoClient() {
        List<StackFrame> sleeping = stack("Thread.sleep", "a.Remote.fetch", "a.Work.step");
        ProfileResult result =
                result(
                        List.of(call("a.Work.step", 10)),
                        new Totals(-1, 2 * SECOND, -1, 1, 0, 2),
                        new Sample(SampleKind.WAIT, 0, "main", sleeping, 8 * SECOND));
        assertEquals(
                "Bound by sleep and waits: CPU 20 %, sleep and waits 80 %.",
                Bottleneck.of(result).line());
    }

    /// Requests that are waited for in a recorded loop, and processors that others have.
    @Test
    void clientsAndProcessorsAreToldApart() {
        List<StackFrame> reading = stack("Socket.read", "a.Session.read", "a.Session.run");
        JvmThreads jvm = new JvmThreads(2 * SECOND, SECOND, 0, 3 * SECOND);
        ProfileResult result =
                result(
                        List.of(call("a.Session.run", 10)),
                        new Totals(-1, 5 * SECOND, -1, 1, 0, 2, jvm),
                        new Sample(
                                SampleKind.SOCKET_READ,
                                0,
                                "session-1",
                                reading,
                                4 * SECOND,
                                1,
                                "localhost:51234"));
        result = result.withFact("listens", "8080");
        assertEquals(
                "Not bound by its own work, waiting for the client: CPU 20 % (the JVM's own threads"
                        + " used, of all CPU: compiler 40 %, collector 20 %), waiting for a"
                        + " processor 30 %, waiting unseen 10 %, waiting for the client 40 %.",
                Bottleneck.of(result).line());
    }

    /// A pause of a second stops four threads, though fifty had calls open at some time.
    @Test
    void pausesStopAsManyThreadsAsLive() {
        ProfileResult result =
                result(
                        List.of(call("a.Work.step", 40)),
                        new Totals(-1, 36 * SECOND, -1, 50, 0, 4),
                        new Sample(SampleKind.GC, 0, "all", List.of(), SECOND));
        assertEquals("Bound by CPU: CPU 90 %, GC 10 %.", Bottleneck.of(result).line());
    }

    @Test
    void withoutATreeTheClientHasTheTimeOfItsReads() {
        Totals totals = new Totals(-1, 2 * SECOND, -1, -1, -1, 2);
        List<StackFrame> reading = stack("Socket.read", "a.Session.run");
        assertEquals(
                "Bound by waiting unseen: CPU 20 %, waiting unseen 80 %.",
                Bottleneck.of(result(List.of(), totals)).line());
        ProfileResult served =
                result(List.of(), totals, socket("session", reading, 5, "localhost:51234"));
        assertEquals(
                "Not bound by its own work, waiting for the client: CPU 20 %, waiting unseen 30 %,"
                        + " waiting for the client 50 %.",
                Bottleneck.of(served.withFact("listens", "8080")).line());
    }

    /// A read waits for a client only in a process that listens, from a port that a system chose for the other side.
    @Test
    void readsOfOtherServersAreInputWhateverTheThread() {
        List<StackFrame> reading = stack("Socket.read", "a.Remote.fetch");
        Totals totals = new Totals(-1, SECOND / 10, -1, 1, 0, 2);
        for (String port : List.of("localhost:5432", "localhost:40000")) {
            for (String listens : List.of("", "8080 40000")) {
                ProfileResult result =
                        result(
                                        List.of(call("a.Remote.fetch", 10)),
                                        totals,
                                        socket("worker", reading, 9, port))
                                .withFact("listens", listens);
                assertEquals(
                        "Bound by other I/O: CPU 1 %, other I/O 90 %, waiting unseen 9 %.",
                        Bottleneck.of(result).line());
            }
        }
    }

    private static Sample socket(String thread, List<StackFrame> stack, int seconds, String peer) {
        return new Sample(SampleKind.SOCKET_READ, 0, thread, stack, seconds * SECOND, 1, peer);
    }

    /// Two threads compute, and the main thread waits for their end, in a recorded call or not.
    @Test
    void waitForRecordedWorkOfOthersIsNoPartOfTheShares() {
        List<StackFrame> join = stack("Object.wait0", "Thread.join", "a.Main.main");
        Sample joining = new Sample(SampleKind.WAIT, 0, "main", join, 9 * SECOND);
        ProfileResult outside =
                result(
                        List.of(call("a.Work.step", 18)),
                        new Totals(-1, 18 * SECOND, -1, 2, 0, 2),
                        joining);
        assertEquals("Bound by CPU: CPU 100 %.", Bottleneck.of(outside).line());
        ProfileResult inside =
                result(
                        List.of(call("a.Work.step", 18), call("a.Main.main", 10)),
                        new Totals(-1, 18 * SECOND, -1, 3, 0, 2),
                        joining);
        assertEquals("Bound by CPU: CPU 95 %, waiting unseen 5 %.", Bottleneck.of(inside).line());
        ProfileResult without =
                result(List.of(), new Totals(-1, 18 * SECOND, -1, -1, -1, 2), joining);
        assertEquals("Bound by CPU: CPU 100 %.", Bottleneck.of(without).line());
    }

    /// A queue between two recorded threads, of which now the one waits and now the other.
    @Test
    void waitsForEachOtherAreNoPartOfTheShares() {
        List<StackFrame> put =
                stack("LockSupport.park", "ArrayBlockingQueue.put", "a.P.put", "a.P.run");
        List<StackFrame> take =
                stack("LockSupport.park", "ArrayBlockingQueue.poll", "a.C.take", "a.C.run");
        ProfileResult result =
                result(
                        List.of(call("a.P.put", 10), call("a.C.take", 10)),
                        new Totals(-1, 9 * SECOND, -1, 2, 0, 2),
                        new Sample(SampleKind.PARK, 0, "producer", put, 9 * SECOND),
                        new Sample(SampleKind.PARK, 0, "consumer", take, SECOND));
        assertEquals("Bound by CPU: CPU 90 %, waiting unseen 10 %.", Bottleneck.of(result).line());
    }

    /// A writer in the background forced the file that the call waited for.
    @Test
    void filesThatOthersForceExplainWaitsForThem() {
        List<StackFrame> commit = stack("LockSupport.park", "FutureTask.get", "a.Work.commit");
        ProfileResult result =
                result(
                        List.of(call("a.Work.commit", 10)),
                        new Totals(-1, 2 * SECOND, -1, 1, 0, 2),
                        new Sample(SampleKind.PARK, 0, "main", commit, 8 * SECOND),
                        new Sample(
                                SampleKind.FILE_FORCE,
                                0,
                                "writer",
                                stack("FileChannel.force", "a.Writer.run"),
                                7 * SECOND));
        assertEquals(
                "Bound by sync: CPU 20 %, sync 70 %, sleep and waits 10 %.",
                Bottleneck.of(result).line());
    }

    @Test
    void withoutATreeDelaysAndTheCollectorAreCauses() {
        JvmThreads jvm = new JvmThreads(0, 0, 0, 70 * SECOND);
        assertEquals(
                "Bound by waiting for a processor: CPU 22 %, waiting for a processor 78 %.",
                Bottleneck.of(result(List.of(), new Totals(-1, 20 * SECOND, -1, -1, -1, 2, jvm)))
                        .line());
        JvmThreads collecting = new JvmThreads(0, 12 * SECOND, 0, 0);
        assertEquals(
                "Bound by GC: CPU 25 % (the JVM's own threads used, of all CPU: collector 75 %),"
                        + " GC 75 %.",
                Bottleneck.of(
                                result(
                                        List.of(),
                                        new Totals(-1, 16 * SECOND, -1, -1, -1, 2, collecting),
                                        new Sample(SampleKind.GC, 0, "all", List.of(), 6 * SECOND)))
                        .line());
    }

    private static CallNode call(String name, int seconds) {
        return new CallNode(name, 1, seconds * SECOND, seconds * SECOND, 1, 1, List.of());
    }

    private static ProfileResult result(List<CallNode> roots, Totals totals, Sample... samples) {
        return new ProfileResult(
                Instant.EPOCH,
                10 * SECOND,
                new ProbeCost(1, 1),
                0,
                roots,
                List.of(samples),
                totals,
                Map.of("samples", "FILE_FORCE FILE_READ GC MONITOR PARK WAIT"),
                List.of());
    }

    private static List<StackFrame> stack(String... names) {
        return List.of(names).stream()
                .map(name -> StackFrame.parse(packageOf(name) + name))
                .toList();
    }

    private static String line(int inCalls, int idle, int cpu, Sample... samples) {
        return Bottleneck.of(result(inCalls, idle, cpu, samples)).line();
    }

    private static String packageOf(String name) {
        if (name.startsWith("a.")) {
            return "";
        }
        return name.startsWith("LockSupport")
                ? "java.util.concurrent.locks."
                : name.startsWith("Thread.") || name.startsWith("Object.")
                        ? "java.lang."
                        : "java.util.concurrent.";
    }

    private static ProfileResult result(int inCalls, int idle, int cpu, Sample... samples) {
        CallNode root =
                new CallNode("a.B.c", 1, inCalls * SECOND, inCalls * SECOND, 1, 1, List.of());
        return new ProfileResult(
                Instant.EPOCH,
                10 * SECOND,
                new ProbeCost(1, 1),
                0,
                List.of(root),
                List.of(samples),
                new Totals(-1, cpu * SECOND, -1, 1, idle * SECOND, 2),
                Map.of("samples", "FILE_FORCE FILE_READ GC MONITOR PARK WAIT"),
                List.of());
    }
}
