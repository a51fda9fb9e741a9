package dev.oriel;

import dev.oriel.sql.Session;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The time limit of one execution, from its start to the end of its result. If it passes during a call, the call
/// is cancelled. Between two calls the session may be running something else, so the next call fails instead. All
/// limits of the process share one daemon thread, started by the first.
final class Deadline {
    /// Time until a cancel is repeated.
    private static final long AGAIN_MILLIS = 20;

    private final Session session;
    private final long millis;
    private final boolean ofConnection;
    private Future<?> alarm;
    private boolean entered;
    private boolean ended;
    private boolean passed;

    private Deadline(Session session, long millis, boolean ofConnection) {
        this.session = session;
        this.millis = millis;
        this.ofConnection = ofConnection;
        this.alarm = Alarms.THREAD.schedule(this::pass, millis, TimeUnit.MILLISECONDS);
    }

    /// @param ofConnection whether it is the connection's limit, which ends the connection too
    static Deadline start(Session session, long millis, boolean ofConnection) {
        return new Deadline(session, millis, ofConnection);
    }

    /// Begins a call into the execution; false if the time has expired.
    synchronized boolean enter() {
        entered = !passed;
        return entered;
    }

    /// Ends the call.
    synchronized void leave() {
        entered = false;
    }

    /// The time has expired. Under the lock, so that it never cancels a later execution. A call that is about to
    /// begin forgets the cancel, so it is repeated as long as the call runs.
    synchronized void pass() {
        passed = !ended;
        if (passed && entered) {
            session.cancel();
            alarm = Alarms.THREAD.schedule(this::pass, AGAIN_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    /// Ends the execution.
    synchronized void end() {
        ended = true;
        alarm.cancel(false);
    }

    /// Whether the time passed before the execution ended.
    synchronized boolean passed() {
        return passed;
    }

    long millis() {
        return millis;
    }

    boolean ofConnection() {
        return ofConnection;
    }

    /// Created at its first use.
    private static final class Alarms {
        static final ScheduledThreadPoolExecutor THREAD = thread();

        private static ScheduledThreadPoolExecutor thread() {
            ScheduledThreadPoolExecutor executor =
                    new ScheduledThreadPoolExecutor(
                            1, Thread.ofPlatform().daemon().name("oriel-deadlines").factory());
            executor.setRemoveOnCancelPolicy(true);
            return executor;
        }
    }
}
