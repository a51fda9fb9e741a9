package dev.oriel.graph.traversal;

import dev.oriel.graph.range.ReadCounts;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/// Measures the reads of a step for `profile()`: rows, ranges of trees, pages, and the time of reading. EXPLAIN
/// ANALYZE has the same figures for operators. Off unless a profile is on.
///
/// The step marks the begin and end of its reads; while it pulls traversers from the step before, it is not
/// reading.
final class ReadFigures {
    private static final String BY = "readBy";

    private @Nullable MutableMetrics metrics;
    private long nanos;

    /// Read counts of the transaction while the step reads; else null.
    private @Nullable ReadCounts reading;

    private long rowsBefore;
    private long rangesBefore;
    private long pagesBefore;
    private long nanosBefore;

    void to(@Nullable MutableMetrics other) {
        metrics = other;
    }

    /// Begins a read of the step, if a profile is on.
    void begin(Traversal.Admin<?, ?> traversal) {
        ReadCounts reads = metrics == null ? null : OrielStrategies.reads(traversal);
        reading = reads;
        if (reads != null) {
            rowsBefore = reads.rows();
            rangesBefore = reads.ranges();
            pagesBefore = reads.pages();
            nanosBefore = System.nanoTime();
        }
    }

    /// Ends a read of the step.
    void end() {
        MutableMetrics to = metrics;
        ReadCounts reads = reading;
        reading = null;
        if (to == null || reads == null) {
            return;
        }
        nanos += System.nanoTime() - nanosBefore;
        to.incrementCount("rowsRead", reads.rows() - rowsBefore);
        to.incrementCount("rangesRead", reads.ranges() - rangesBefore);
        to.incrementCount("pagesRead", Math.max(0, reads.pages() - pagesBefore));
        to.setAnnotation("readMillis", TimeUnit.NANOSECONDS.toMicros(nanos) / 1000.0);
    }

    /// Reports the keys and indexes that serve `hops`, once.
    void by(Traversal.Admin<?, ?> traversal, List<Hop> hops) {
        MutableMetrics to = metrics;
        if (to != null && to.getAnnotation(BY) == null) {
            HopSource source = OrielStrategies.hops(traversal);
            List<String> words =
                    hops.stream().flatMap(hop -> source.plan(hop).stream()).distinct().toList();
            to.setAnnotation(BY, String.join(", ", words));
        }
    }

    /// `all` with its calls measured; `all` itself if no profile is on.
    <E> Iterator<E> of(Iterator<E> all, Traversal.Admin<?, ?> traversal) {
        return metrics == null ? all : new Measured<>(all, traversal);
    }

    private final class Measured<E> implements CloseableIterator<E> {
        private final Iterator<E> all;
        private final Traversal.Admin<?, ?> traversal;

        Measured(Iterator<E> all, Traversal.Admin<?, ?> traversal) {
            this.all = all;
            this.traversal = traversal;
        }

        @Override
        public boolean hasNext() {
            begin(traversal);
            try {
                return all.hasNext();
            } finally {
                end();
            }
        }

        @Override
        public E next() {
            begin(traversal);
            try {
                return all.next();
            } finally {
                end();
            }
        }

        @Override
        public void close() {
            CloseableIterator.closeIterator(all);
        }
    }
}
