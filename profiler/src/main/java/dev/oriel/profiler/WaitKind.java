package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.util.Set;

/// Reasons of a thread's wait, as far as the stack of a sample shows them.
public enum WaitKind {
    /// Another thread held a lock.
    LOCK,
    /// It slept, or waited for work of another thread of the program.
    SLEEP,
    /// It read or wrote a file, or a socket on behalf of a waiting caller.
    IO,
    /// It waited for the next request of its client.
    CLIENT,
    /// It had nothing to do: a pool without tasks, or a background thread between two turns.
    IDLE,
    /// The sample shows no wait.
    NONE;

    /// Calls by which threads of pools wait for the next task.
    private static final Set<String> POOLS =
            Set.of(
                    "java.util.concurrent.ThreadPoolExecutor.getTask",
                    "java.util.concurrent.ForkJoinPool.awaitWork",
                    "java.util.concurrent.ForkJoinPool.runWorker",
                    "java.util.TimerThread.mainLoop");

    /// Greatest depth of a server's loop below its thread's first frame.
    private static final int LOOP_DEPTH_MAX = 4;

    /// The kind of wait of a sample.
    public static WaitKind of(Sample sample) {
        return switch (sample.kind()) {
            case MONITOR -> LOCK;
            case FILE_FORCE, FILE_READ, FILE_WRITE, SOCKET_WRITE -> IO;
            case SOCKET_READ -> serves(sample) ? CLIENT : IO;
            case PARK, WAIT -> Bottleneck.isLock(sample) ? LOCK : isIdle(sample) ? IDLE : SLEEP;
            case CPU, CPU_TIME, NATIVE, WALL, ALLOCATION, SURVIVOR, GC, OTHER -> NONE;
        };
    }

    /// Whether a frame is the JDK's own.
    public static boolean isOfTheJdk(StackFrame frame) {
        String owner = frame.owner();
        return owner.startsWith("java.")
                || owner.startsWith("javax.")
                || owner.startsWith("jdk.")
                || owner.startsWith("sun.")
                || owner.startsWith("com.sun.");
    }

    /// Whether a background thread waits in the method that it began with, or in a pool's.
    private static boolean isIdle(Sample sample) {
        StackFrame outermost = null;
        for (StackFrame frame : sample.stack().reversed()) {
            if (outermost == null && POOLS.contains(frame.name())) {
                return frame.method().equals("getTask") || below(sample, frame) == 0;
            }
            if (isOfTheJdk(frame)) {
                continue;
            }
            if (outermost != null && !outermost.name().equals(frame.name())) {
                return false;
            }
            outermost = frame;
        }
        return outermost == null || !sample.thread().equals("main");
    }

    /// Number of frames of the program within the calls of `frame`.
    private static int below(Sample sample, StackFrame frame) {
        int count = 0;
        for (StackFrame each : sample.stack()) {
            if (each.equals(frame)) {
                break;
            }
            count += isOfTheJdk(each) ? 0 : 1;
        }
        return count;
    }

    private static boolean serves(Sample sample) {
        long depth = sample.stack().stream().filter(frame -> !isOfTheJdk(frame)).count();
        return !sample.thread().equals("main") && depth <= LOOP_DEPTH_MAX;
    }
}
