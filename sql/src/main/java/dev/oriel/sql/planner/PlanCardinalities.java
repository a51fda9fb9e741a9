package dev.oriel.sql.planner;

import dev.oriel.sql.measure.CoarseClock;
import dev.oriel.table.Statistics;
import dev.oriel.table.TableStatistics;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// How many rows the tables had by which a plan was chosen. Plans that no table's size had a say in have
/// none. Safe for use by any number of threads.
public final class PlanCardinalities {
    /// A table that has become so many times as large, or as small, is reason to plan anew.
    private static final double OUTGROWN = 4;

    /// Of smaller ones any plan will do.
    private static final double ROWS_LEAST = 1_000;

    /// Between two looks.
    private static final long INTERVAL_NANOS = 1_000_000_000;

    private final Statistics statistics;
    private final long version;
    private final Map<Long, Double> rows = new HashMap<>();

    /// When it was looked last whether it still holds; a race only makes for one more look.
    private volatile long looked;

    private PlanCardinalities(
            Statistics statistics, long version, Map<Long, TableStatistics> found) {
        this.statistics = statistics;
        this.version = version;
        this.looked = CoarseClock.now();
        found.forEach((table, known) -> rows.put(table, (double) known.rows()));
    }

    /// Of a plan that looked at `found`; null where that is nothing.
    ///
    /// @param version what [Statistics#version()] was before
    public static @Nullable PlanCardinalities of(
            Statistics statistics, long version, Map<Long, TableStatistics> found) {
        return found.isEmpty() ? null : new PlanCardinalities(statistics, version, found);
    }

    /// Whether a plan that was made on it may be used on.
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
