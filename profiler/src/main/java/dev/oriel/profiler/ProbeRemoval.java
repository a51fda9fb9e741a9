package dev.oriel.profiler;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Takes probes out of a program while it runs, if recording their calls costs too much: those that a session's
/// [ProbeBudget]s left out. They do nothing any longer, but still take a nanosecond per call, and keep the JVM from
/// compiling short methods into their callers. So their classes are woven anew without them, by a daemon, some at a
/// time.
///
/// Thread-safe. The next profile of calls gives all probes back.
final class ProbeRemoval {
    private static final long EVERY_MILLIS = 200;

    private final Session session;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private final Set<Probe> removed = new HashSet<>();

    private ProbeRemoval(Session session) {
        this.session = session;
    }

    /// Starts for a session that has just begun.
    static ProbeRemoval start(Session session) {
        ProbeRemoval removal = new ProbeRemoval(session);
        if (Weaving.isAvailable()) {
            Thread thread = new Thread(removal::run, ProcessWatch.THREADS + "weave");
            thread.setDaemon(true);
            thread.start();
        }
        return removal;
    }

    private void run() {
        try {
            while (!stopped.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                removeMore();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Takes out the probes that were left out since the last time.
    private synchronized void removeMore() {
        Set<Probe> left = new HashSet<>(session.left());
        left.removeAll(removed);
        if (stopped.getCount() > 0 && !left.isEmpty()) {
            removed.addAll(left);
            Set<String> methods = new HashSet<>();
            left.forEach(probe -> methods.add(probe.toString()));
            Weaving.leaveOut(methods);
        }
    }

    /// Ends, and makes the probes of the session usable again. No probe is taken out later: another profile may have
    /// begun by then.
    synchronized void stop() {
        stopped.countDown();
        session.bringBack();
    }
}
