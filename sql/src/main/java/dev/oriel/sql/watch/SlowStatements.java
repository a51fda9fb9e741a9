package dev.oriel.sql.watch;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/// The last executions that took longer than the threshold, up to a bound, with their plans. No values of
/// parameters are kept; literals appear in the plan, but not in the text. Safe for use by any number of threads.
public final class SlowStatements {
    static final int EXECUTIONS_MAX = 256;
    static final int PLAN_CHARS_MAX = 8_000;

    /// A slow execution.
    ///
    /// @param atMillis time of its end, since 1970
    public record Execution(
            long atMillis,
            long session,
            StatementEntry statement,
            double millis,
            long rows,
            long pages,
            double lockWaitMillis,
            String plan) {}

    private final ArrayDeque<Execution> executions = new ArrayDeque<>();
    private long seen;

    synchronized void add(Execution execution) {
        seen++;
        if (executions.size() == EXECUTIONS_MAX) {
            executions.removeFirst();
        }
        executions.addLast(execution);
    }

    /// Number of slow executions, including dropped ones.
    synchronized long seen() {
        return seen;
    }

    /// The executions kept, oldest first.
    public synchronized List<Execution> all() {
        return new ArrayList<>(executions);
    }

    synchronized void clear() {
        executions.clear();
        seen = 0;
    }
}
