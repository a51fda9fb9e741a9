package dev.oriel.sql;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Which thread ran which statement when, while a profile runs: so many executions, and then no more.
/// Safe for use by any number of threads.
final class StatementTimeline {
    static final int EXECUTIONS_MAX = 200_000;

    /// So many executions that began before a moment are looked at for one that still runs then.
    private static final int NESTED_MAX = 16;

    /// @param begunNanos of [System#nanoTime()]
    record Execution(long begunNanos, long endedNanos, StatementEntry statement) {}

    private final Map<String, List<Execution>> byThread = new HashMap<>();
    private long seen;

    synchronized void add(Thread thread, long begun, long ended, StatementEntry statement) {
        if (seen++ < EXECUTIONS_MAX) {
            byThread.computeIfAbsent(thread.getName(), name -> new ArrayList<>())
                    .add(new Execution(begun, ended, statement));
        }
    }

    /// How many executions there were, those included that were not kept.
    synchronized long seen() {
        return seen;
    }

    /// Puts them in the order in which they began; to be called once, when no more come.
    synchronized void sort() {
        byThread.values()
                .forEach(list -> list.sort((a, b) -> Long.compare(a.begunNanos, b.begunNanos)));
    }

    /// The statement that `thread` ran at `nanos`: of several whose results were open, the one that
    /// began last; null where it ran none.
    synchronized @Nullable StatementEntry at(String thread, long nanos) {
        List<Execution> executions = byThread.getOrDefault(thread, List.of());
        int low = 0;
        int high = executions.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (executions.get(middle).begunNanos <= nanos) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        for (int i = low - 1; i >= Math.max(0, low - NESTED_MAX); i--) {
            if (executions.get(i).endedNanos >= nanos) {
                return executions.get(i).statement;
            }
        }
        return null;
    }
}
