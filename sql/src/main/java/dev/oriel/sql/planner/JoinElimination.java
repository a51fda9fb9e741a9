package dev.oriel.sql.planner;

import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Eliminates LEFT joins whose right table is not read. If a unique key of that table equals expressions of the
/// left side, each left row comes exactly once, whether it has a match or not.
final class JoinElimination {
    private final BoundFrom whole;
    private final BitSet used;
    private final Estimate estimate;

    private JoinElimination(BoundFrom whole, BitSet used, Estimate estimate) {
        this.whole = whole;
        this.used = used;
        this.estimate = estimate;
    }

    /// The part of `from` that needs to be read.
    ///
    /// @param used columns that are read after the joins, or in WHERE
    static BoundFrom of(BoundFrom from, BitSet used, Estimate estimate) {
        return new JoinElimination(from, used, estimate).reduced(from);
    }

    private BoundFrom reduced(BoundFrom from) {
        if (!(from instanceof BoundFrom.Join join)) {
            return from;
        }
        if (join.kind() == BoundFrom.Kind.LEFT
                && join.right() instanceof BoundFrom.Leaf leaf
                && leaf.table() != null
                && !isRead(leaf, join)
                && join.on().stream().noneMatch(PlanParts::isVolatile)
                && matchesOnce(leaf, leaf.table(), join.on())) {
            estimate.note(() -> "leave out: " + leaf.name() + ": no column of it is used");
            return reduced(join.left());
        }
        return new BoundFrom.Join(
                join.kind(), reduced(join.left()), reduced(join.right()), join.on());
    }

    /// Whether anything but the conditions of `join` reads a column of `leaf`.
    private boolean isRead(BoundFrom.Leaf leaf, BoundFrom.Join join) {
        BitSet read = (BitSet) used.clone();
        collect(whole, join, read);
        int next = read.nextSetBit(leaf.firstColumn());
        return next >= 0 && next < leaf.firstColumn() + leaf.width();
    }

    @SuppressWarnings("ReferenceEquality") // identity is meant
    private static void collect(BoundFrom from, BoundFrom.Join without, BitSet into) {
        switch (from) {
            case BoundFrom.Leaf leaf -> {
                if (leaf.lateral() != null) {
                    leaf.lateral().arguments().forEach(given -> PlanParts.columns(given, into));
                }
            }
            case BoundFrom.Join join -> {
                collect(join.left(), without, into);
                collect(join.right(), without, into);
                if (join != without) {
                    join.on().forEach(condition -> PlanParts.columns(condition, into));
                }
            }
        }
    }

    private static boolean matchesOnce(BoundFrom.Leaf leaf, Table table, List<Scalar> on) {
        Set<Integer> equal = new HashSet<>();
        for (Scalar condition : on) {
            if (condition instanceof Condition.Comparison comparison
                    && comparison.operator() == Operator.EQUAL) {
                add(leaf, comparison.left(), comparison.right(), equal);
                add(leaf, comparison.right(), comparison.left(), equal);
            }
        }
        if (!table.primaryKey().isEmpty() && equal.containsAll(table.primaryKey())) {
            return true;
        }
        for (Index index : table.indexes()) {
            if (index.unique() && index.terms() == null && equal.containsAll(index.columns())) {
                return true;
            }
        }
        return false;
    }

    private static void add(
            BoundFrom.Leaf leaf, Scalar column, Scalar other, Set<Integer> columns) {
        if (column instanceof Scalar.ColumnRef ref && isOf(leaf, ref.column())) {
            BitSet read = new BitSet();
            PlanParts.columns(other, read);
            int next = read.nextSetBit(leaf.firstColumn());
            if (next < 0 || !isOf(leaf, next)) {
                columns.add(ref.column() - leaf.firstColumn());
            }
        }
    }

    private static boolean isOf(BoundFrom.Leaf leaf, int column) {
        return column >= leaf.firstColumn() && column < leaf.firstColumn() + leaf.width();
    }
}
