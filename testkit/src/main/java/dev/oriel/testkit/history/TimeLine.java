package dev.oriel.testkit.history;

import java.util.Arrays;

/// Real time as a graph: a chain of nodes, one for each moment at which committed transactions ended. An edge
/// leads from a transaction to the moment of its end, and to a transaction from the last moment before it began.
/// So a path leads from each transaction to all that began after its end. The number of edges grows with the
/// transactions, not with their pairs.
final class TimeLine {
    private final History history;
    private final Versions versions;

    /// The moments, ascending, each once.
    private final long[] moments;

    TimeLine(History history, Versions versions) {
        this.history = history;
        this.versions = versions;
        long[] ends = new long[history.transactionCount()];
        int count = 0;
        for (int t = 0; t < ends.length; t++) {
            if (hasEnd(t)) {
                ends[count++] = history.ended(t);
            }
        }
        moments = Arrays.stream(ends, 0, count).sorted().distinct().toArray();
    }

    /// Whether the time of a transaction's end is known. If its outcome is unknown, it may have committed after
    /// its client gave up.
    private boolean hasEnd(int transaction) {
        return history.outcome(transaction) == Outcome.COMMITTED;
    }

    int nodes() {
        return moments.length;
    }

    /// The nodes of the moments come after the nodes of the transactions.
    void addTo(Graph graph) {
        int base = history.transactionCount();
        for (int i = 1; i < moments.length; i++) {
            graph.add(base + i - 1, base + i, Graph.REAL_TIME, 0);
        }
        for (int t = 0; t < base; t++) {
            if (hasEnd(t)) {
                int end = Arrays.binarySearch(moments, history.ended(t));
                graph.add(t, base + end, Graph.REAL_TIME, 0);
            }
            if (versions.isCommitted(t)) {
                int begin = Arrays.binarySearch(moments, history.begun(t));
                int before = (begin < 0 ? -begin - 1 : begin) - 1;
                if (before >= 0) {
                    graph.add(base + before, t, Graph.REAL_TIME, 0);
                }
            }
        }
    }
}
