package dev.oriel.graph.range;

import dev.oriel.store.LimitException;
import java.util.Iterator;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;

/// What ends a traversal that runs away: an interrupt of its thread, which TinkerPop's steps look for too, and
/// the time that it may take. The time begins with the first look. Belongs to one traversal and its thread.
public final class TraversalDeadline implements CancellationCheck {
    /// An interrupt alone.
    public static final TraversalDeadline INTERRUPT = new TraversalDeadline(0);

    private final long millisMax;
    private long begunNanos;
    private boolean begun;

    /// Begins now.
    ///
    /// @param millisMax how long it may take; 0 for as long as it takes
    public TraversalDeadline(long millisMax) {
        this.millisMax = millisMax;
    }

    /// Another run under the same limit.
    public TraversalDeadline anew() {
        return millisMax == 0 ? this : new TraversalDeadline(millisMax);
    }

    /// `all`, with a look before each of them where the time is limited.
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

    /// Ends the run where its time is over.
    ///
    /// @throws TraversalInterruptedException if the thread has been interrupted
    /// @throws LimitException if the time is over
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
                    "A traversal takes longer than it may; ask for less, or allow it more by"
                            + " with('evaluationTimeout', millis)",
                    "evaluationTimeout=" + millisMax);
        }
    }
}
