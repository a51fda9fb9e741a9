package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Distribution;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.table.definition.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Estimates the cardinality and the cost of joins.
final class JoinEstimate {
    private final Estimate estimate;
    private final Distribution.Finder columns;
    private final Selectivity selectivity;

    /// @param columns finds the distribution of a column of the joined row
    JoinEstimate(Estimate estimate, Distribution.Finder columns) {
        this.estimate = estimate;
        this.columns = columns;
        this.selectivity = new Selectivity(columns);
    }

    JoinEstimate(Estimate estimate, Plan.Joined joined) {
        this(estimate, column -> distribution(estimate, joined, column));
    }

    Distribution distribution(int column) {
        return columns.of(column);
    }

    private static Distribution distribution(Estimate estimate, Plan.Joined joined, int column) {
        int slot = 0;
        int first = 0;
        for (List<Type> types : joined.slots()) {
            if (column < first + types.size()) {
                break;
            }
            first += types.size();
            slot++;
        }
        Plan plan = find(joined.join(), slot);
        return plan == null ? Distribution.UNKNOWN : estimate.distribution(plan, column - first);
    }

    private static @Nullable Plan find(Join join, int slot) {
        return switch (join) {
            case Join.Source source -> source.slot() == slot ? source.plan() : null;
            case Join.Filtered filtered -> find(filtered.input(), slot);
            case Join.Loop loop -> {
                Plan outer = find(loop.outer(), slot);
                yield outer != null ? outer : find(loop.inner(), slot);
            }
            case Join.Hash hash -> {
                Plan probe = find(hash.probe(), slot);
                yield probe != null ? probe : find(hash.build(), slot);
            }
        };
    }

    /// Estimated size of a join.
    ///
    /// @param rows estimated number of rows
    /// @param cost cost of reading them all, see [Estimate]
    record Size(double rows, double cost) {}

    Size of(Join join) {
        return switch (join) {
            case Join.Source source -> source(source.plan());
            case Join.Filtered filtered -> filtered(of(filtered.input()), filtered.condition());
            case Join.Loop loop -> loop(of(loop.outer()), of(loop.inner()), loop.left());
            case Join.Hash hash -> hash(hash, of(hash.probe()), of(hash.build()));
        };
    }

    Size source(Plan plan) {
        double rows = estimate.rows(plan);
        return new Size(rows, plan instanceof Plan.Scan scan ? estimate.cost(scan) : rows);
    }

    Size filtered(Size input, Scalar condition) {
        double cost = input.cost + input.rows * Estimate.TEST;
        return new Size(input.rows * selectivity.of(condition), cost);
    }

    static Size loop(Size outer, Size inner, boolean left) {
        double each = left ? Math.max(1, inner.rows) : inner.rows;
        return new Size(outer.rows * each, outer.cost + outer.rows * inner.cost);
    }

    /// @param probe size of `hash.probe()`
    /// @param build size of `hash.build()`
    Size hash(Join.Hash hash, Size probe, Size build) {
        double[] shares = new double[hash.probeKeys().size()];
        for (int i = 0; i < shares.length; i++) {
            Scalar probeKey = hash.probeKeys().get(i);
            shares[i] = share(probeKey, probe.rows, hash.buildKeys().get(i), build.rows);
        }
        double pairs = probe.rows * build.rows * Selectivity.all(shares);
        double rows = hash.rest() == null ? pairs : pairs * selectivity.of(hash.rest());
        double all =
                switch (hash.kind()) {
                    case INNER -> rows;
                    case LEFT -> Math.max(probe.rows, rows);
                    case FULL -> Math.max(Math.max(probe.rows, build.rows), rows);
                };
        double cost = probe.cost + build.cost + build.rows * Estimate.KEEP;
        cost += probe.rows * Estimate.PROBE + pairs * Estimate.TEST;
        return new Size(all, cost);
    }

    /// Selectivity of equality of the two keys over the cross product.
    private double share(Scalar probeKey, double probe, Scalar buildKey, double build) {
        double most = Math.max(values(probeKey, probe), values(buildKey, build));
        // Without statistics, one side is assumed to be a key of the other.
        return most < 1 ? 1 / Math.max(1, Math.max(probe, build)) : 1 / most;
    }

    private double values(Scalar key, double rows) {
        return key instanceof Scalar.ColumnRef ref
                ? columns.of(ref.column()).among(rows).distinct()
                : 0;
    }
}
