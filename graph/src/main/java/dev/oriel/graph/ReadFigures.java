package dev.oriel.graph;

import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.jspecify.annotations.Nullable;

/// What a step read, for `profile()`: rows, ranges of trees and pages, and the time that reading took;
/// the figures that EXPLAIN ANALYZE has of an operator. Off until a profile asks.
final class ReadFigures {
    private @Nullable MutableMetrics metrics;
    private long nanos;

    /// How things were at the beginning of a call.
    record Mark(RangeReads reads, long rows, long ranges, long pages, long nanos) {}

    void to(@Nullable MutableMetrics other) {
        metrics = other;
    }

    /// Null where no profile asks, or the graph keeps no figures.
    @Nullable Mark begin(Traversal.Admin<?, ?> traversal) {
        if (metrics == null || !(traversal.getGraph().orElse(null) instanceof OrielGraph graph)) {
            return null;
        }
        RangeReads reads = graph.work().reads();
        return new Mark(reads, reads.rows(), reads.ranges(), reads.pages(), System.nanoTime());
    }

    void end(@Nullable Mark mark) {
        MutableMetrics to = metrics;
        if (to == null || mark == null) {
            return;
        }
        nanos += System.nanoTime() - mark.nanos();
        RangeReads reads = mark.reads();
        to.incrementCount("rowsRead", reads.rows() - mark.rows());
        to.incrementCount("rangesRead", reads.ranges() - mark.ranges());
        to.incrementCount("pagesRead", Math.max(0, reads.pages() - mark.pages()));
        to.setAnnotation("readMillis", TimeUnit.NANOSECONDS.toMicros(nanos) / 1000.0);
    }
}
