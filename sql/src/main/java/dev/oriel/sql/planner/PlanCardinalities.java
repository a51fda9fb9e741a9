package dev.oriel.sql.planner;

import dev.oriel.sql.measure.CoarseClock;
import dev.oriel.table.statistics.Statistics;
import dev.oriel.table.statistics.TableStatistics;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Row counts of the tables by which a plan was chosen. A plan that depends on no table's size has none.
/// Thread-safe.
public final class PlanCardinalities {
    /// Factor by which a table must grow or shrink for a new plan.
    private static final double OUTGROWN = 4;

    /// Row count below which tables are alike, since any plan will do.
    private static final double ROWS_LEAST = 1_000;

    /// Interval between two checks.
    private static final long INTERVAL_NANOS = 1_000_000_000;

    private final Statistics statistics;
    private final long version;
    private final Map<Long, Double> rows = new HashMap<>();

    /// Time of the last check; a race only causes one more check.
    private volatile long looked;

    private PlanCardinalities(
            Statistics statistics, long version, Map<Long, TableStatistics> found) {
        this.statistics = statistics;
        this.version = version;
        this.looked = CoarseClock.now();
        found.forEach((table, known) -> rows.put(table, (double) known.rows()));
    }

    /// The cardinalities of a plan that looked at `found`; null if `found` is empty.
    ///
    /// @param version [Statistics#version()] before planning
    public static @Nullable PlanCardinalities of(
            Statistics statistics, long version, Map<Long, TableStatistics> found) {
        return found.isEmpty() ? null : new PlanCardinalities(statistics, version, found);
    }

    /// Whether a plan based on these cardinalities is still valid.
    public boolean holds() {
        if (version != statistics.version()) {
            return false;
        }
        long now = CoarseClock.now();
        if (now - looked < INTERVAL_NANOS) {
            return true;
        }
        looked = now;
        for (Map.Entry<Long, Double> table : rows.entrySet()) {
            double then = Math.max(ROWS_LEAST, table.getValue());
            double current = Math.max(ROWS_LEAST, (double) statistics.rows(table.getKey()));
            if (current > OUTGROWN * then || then > OUTGROWN * current) {
                return false;
            }
        }
        return true;
    }
}
