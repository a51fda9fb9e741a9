package dev.oriel.graph.range;

import dev.oriel.store.LimitException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/// Ends a runaway traversal: at an interrupt of its thread, which TinkerPop's steps check too, or after its time
/// limit. The time begins with the first check. Belongs to one traversal and its thread.
public final class TraversalDeadline implements CancellationCheck {
    /// Ends at an interrupt only.
    public static final TraversalDeadline INTERRUPT = new TraversalDeadline(0);

    private final long millisMax;
    private long begunNanos;
    private boolean begun;

    /// A deadline whose time begins with the first check.
    ///
    /// @param millisMax time limit in milliseconds; 0 for none
    public TraversalDeadline(long millisMax) {
        this.millisMax = millisMax;
    }

    /// A new deadline with the same limit, for another run.
    public TraversalDeadline anew() {
        return millisMax == 0 ? this : new TraversalDeadline(millisMax);
    }

    /// `all`, with a check before each element if the time is limited.
    public <E> Iterator<E> of(Iterator<E> all) {
        return millisMax == 0
                ? all
                : IteratorUtils.filter(
                        all,
                        _ -> {
                            check();
                            return true;
                        });
    }

    /// Ends the run if its time has expired.
    ///
    /// @throws TraversalInterruptedException if the thread has been interrupted
    /// @throws LimitException if the time has expired
    @Override
    public void check() {
        if (Thread.interrupted()) {
            throw new TraversalInterruptedException();
        }
        if (millisMax > 0) {
            checkTime();
        }
    }

    private void checkTime() {
        long now = System.nanoTime();
        if (!begun) {
            begun = true;
            begunNanos = now;
        }
        if (now - begunNanos >= TimeUnit.MILLISECONDS.toNanos(millisMax)) {
            throw new LimitException(
                    "A traversal has exceeded its time limit; read less, or raise the limit by"
                            + " with('evaluationTimeout', millis)",
                    "evaluationTimeout=" + millisMax);
        }
    }
}
