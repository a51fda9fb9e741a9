package dev.oriel.sql.engine;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.Session;
import dev.oriel.testkit.MachineSpeed;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// A statement in a thread of its own, to be cancelled: its answer, and the time from cancel to end.
final class CancelledRun {
    static {
        // The module does not use the JVM's counters, and so does not read their module.
        CancelledRun.class
                .getModule()
                .addReads(ModuleLayer.boot().findModule("java.management").orElseThrow());
    }

    static final String CANCELLED = "CANCELLED: The statement was cancelled";

    /// Limit in wall-clock time, or in processor time.
    static final long NOTICED_MILLIS_MAX = 100;

    /// A machine that is busy with something else may be late, but not every time.
    static final int ATTEMPTS = 10;

    /// Limit in wall-clock time, if other processes used the processor meanwhile.
    private static final long LATE_MILLIS_MAX = 3_000;

    private static final Duration HANGS = Duration.ofMinutes(2);

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Session session;
    private final AtomicReference<@Nullable String> answer = new AtomicReference<>();
    private final AtomicLong processorNanos = new AtomicLong();
    private final Thread thread;

    CancelledRun(Session session, String statement) {
        this.session = session;
        this.thread =
                Thread.ofPlatform()
                        .start(() -> {
                            answer.set(TestDatabase.run(session, statement));
                            processorNanos.set(THREADS.getCurrentThreadCpuTime());
                        });
    }

    /// Time until it noticed: wall-clock time, and processor time.
    record Noticed(long millis, long processorMillis) {
        boolean isSoon() {
            return millis <= NOTICED_MILLIS_MAX;
        }

        /// Also true if other processes use the processor, or it is slow: for computing statements, not for waiting
        /// ones.
        boolean isSoonByProcessor() {
            if (isSoon()) {
                return true;
            }
            boolean counts = millis <= LATE_MILLIS_MAX && processorMillis >= 0;
            return counts
                    && (processorMillis <= NOTICED_MILLIS_MAX
                            || processorMillis
                                    <= NOTICED_MILLIS_MAX
                                            * MachineSpeed.slowness(
                                                    THREADS::getCurrentThreadCpuTime));
        }
    }

    Thread thread() {
        return thread;
    }

    @Nullable String answer() {
        return answer.get();
    }

    /// Whether it ends within `millis`.
    boolean endsIn(long millis) throws InterruptedException {
        return thread.join(Duration.ofMillis(millis));
    }

    /// Cancels it, and waits for its end.
    ///
    /// @param again whether to repeat the cancel, in case that it had not begun
    Noticed cancel(boolean again) throws InterruptedException {
        long processor = THREADS.getThreadCpuTime(thread.threadId());
        long before = System.nanoTime();
        session.cancel();
        while (!thread.join(Duration.ofMillis(20))) {
            assertTrue(System.nanoTime() - before < HANGS.toNanos(), "it never noticed");
            if (again) {
                session.cancel();
            }
        }
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - before);
        boolean known = processor >= 0; // unknown for a thread that has ended
        long took = known ? processorNanos.get() - processor : -1;
        return new Noticed(millis, known ? TimeUnit.NANOSECONDS.toMillis(took) : -1);
    }
}
