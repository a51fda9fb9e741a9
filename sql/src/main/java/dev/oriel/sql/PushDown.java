package dev.oriel.sql;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Moves conditions on the rows of a query in FROM, or of a view, into that query: to its WHERE, where they
/// may bound a key and decide how tables are joined, and from there into queries below it.
///
/// A condition passes GROUP BY and PARTITION BY if it is about their keys alone, since it keeps or drops
/// groups and partitions as a whole; DISTINCT, and both sides of set operations, always; LIMIT never. One
/// that holds a subquery, or a function with an effect, stays where it was written.
final class PushDown {
    private PushDown() {}

    /// `plan` with all of `conditions` tested, within it as far as `replan` can.
    static Plan filtered(Plan plan, @Nullable Replan replan, List<Scalar> conditions) {
        List<Scalar> taken = new ArrayList<>();
        Plan inner = replan == null || conditions.isEmpty() ? null : replan.with(conditions, taken);
        List<Scalar> rest = new ArrayList<>();
        for (Scalar condition : conditions) {
            if (!holds(taken, condition)) {
                rest.add(condition);
            }
        }
        Scalar all = AccessPlanner.all(rest);
        Plan below = inner == null ? plan : inner;
        return all == null ? below : new Plan.Filter(below, all);
    }

    @SuppressWarnings("ReferenceEquality") // equal ones may be tested twice
    private static boolean holds(List<Scalar> list, Scalar sought) {
        for (Scalar scalar : list) {
            if (scalar == sought) {
                return true;
            }
        }
        return false;
    }

    /// How `select` is planned anew; null where nothing may be moved into it.
    static @Nullable Replan of(BoundSelect select, Estimate estimate) {
        BoundSelect.Limits limits = select.limits();
        boolean effects = select.outputs().stream().anyMatch(output -> hasEffects(output.scalar()));
        if (effects || limits.limit() != null || limits.offset() != null) {
            return null;
        }
        return (conditions, taken) -> {
            List<Scalar> where = new ArrayList<>();
            List<Scalar> passing = new ArrayList<>();
            for (Scalar condition : conditions) {
                Scalar moved = moved(select, condition);
                if (moved != null) {
                    passing.add(condition);
                    if (!isTrue(moved)) {
                        where.add(moved);
                    }
                }
            }
            if (passing.isEmpty()) {
                return null;
            }
            taken.addAll(passing);
            for (Scalar moved : where) {
                estimate.note(() -> "push down: " + ScalarText.of(moved) + through(select));
                if (moved instanceof Scalar.Constant) {
                    estimate.note(() -> "never: a query whose rows are none of those wanted");
                    return new Plan.Rows(
                            List.of(),
                            select.columns().stream().map(Prepared.OutputColumn::type).toList());
                }
            }
            return Planner.plan(select.with(where), estimate);
        };
    }

    private static boolean isTrue(Scalar scalar) {
        return scalar instanceof Scalar.Constant constant
                && !constant.isNull()
                && constant.primitive() == 1;
    }

    private static String through(BoundSelect select) {
        List<String> passed = new ArrayList<>();
        if (select.distinct()) {
            passed.add("DISTINCT");
        }
        if (!select.windows().isEmpty()) {
            passed.add("PARTITION BY");
        }
        if (select.grouping() != null) {
            passed.add("GROUP BY");
        }
        return passed.isEmpty() ? "" : " through " + String.join(" and ", passed);
    }

    /// `condition` in terms of what `select` reads; null where it has to stay above.
    private static @Nullable Scalar moved(BoundSelect select, Scalar condition) {
        List<Scalar> outputs = select.outputs().stream().map(BoundSelect.Output::scalar).toList();
        Scalar moved = through(outputs, condition);
        if (moved == null || !isWithinPartitions(select, moved)) {
            return null;
        }
        BoundSelect.Grouping grouping = select.grouping();
        if (grouping != null) {
            BitSet read = columns(moved);
            for (int i = read.nextSetBit(0); i >= 0; i = read.nextSetBit(i + 1)) {
                int key = i;
                if (key >= grouping.keys().size()
                        || !grouping.sets().stream().allMatch(set -> set.contains(key))) {
                    return null;
                }
            }
            if (read.isEmpty()) {
                return null; // of no rows there may be a group all the same
            }
            moved = through(grouping.keys(), moved);
        }
        return moved == null ? null : Folding.fold(moved);
    }

    /// Whether what `moved` reads is the same in all rows of each partition of each window.
    private static boolean isWithinPartitions(BoundSelect select, Scalar moved) {
        BitSet read = columns(moved);
        if (read.length() > WindowBinder.FIRST) {
            return false;
        }
        for (WindowCall call : select.windows()) {
            BitSet keys = new BitSet();
            for (Scalar key : call.window().partition()) {
                if (key instanceof Scalar.ColumnRef ref && ref.column() < WindowBinder.FIRST) {
                    keys.set(ref.column());
                }
            }
            BitSet others = (BitSet) read.clone();
            others.andNot(keys);
            if (!others.isEmpty() || read.isEmpty()) {
                return false;
            }
        }
        return true;
    }

    private static BitSet columns(Scalar scalar) {
        BitSet columns = new BitSet();
        addColumns(scalar, columns);
        return columns;
    }

    private static void addColumns(Scalar scalar, BitSet into) {
        if (scalar instanceof Scalar.ColumnRef ref) {
            into.set(ref.column());
        }
        for (Scalar operand : Scalar.operands(scalar)) {
            addColumns(operand, into);
        }
    }

    /// `condition` with `scalars` in the place of its columns; null where that is not the same.
    private static @Nullable Scalar through(List<Scalar> scalars, Scalar condition) {
        if (!mayMove(condition)) {
            return null;
        }
        BitSet read = columns(condition);
        if (read.isEmpty()) {
            return null;
        }
        for (int i = read.nextSetBit(0); i >= 0; i = read.nextSetBit(i + 1)) {
            if (!mayMove(scalars.get(i))) {
                return null;
            }
        }
        return Replacement.of(
                condition,
                leaf -> leaf instanceof Scalar.ColumnRef ref ? scalars.get(ref.column()) : leaf);
    }

    /// Whether it does not matter how often, and for which other rows, `scalar` is evaluated.
    private static boolean mayMove(Scalar scalar) {
        return !hasEffects(scalar) && !PlanParts.hasSubquery(scalar);
    }

    private static boolean hasEffects(Scalar scalar) {
        if (scalar instanceof FunctionCall call && call.function().hasEffects()) {
            return true;
        }
        for (Scalar operand : Scalar.operands(scalar)) {
            if (hasEffects(operand)) {
                return true;
            }
        }
        return false;
    }

    /// How a query with the columns `scalars` of another one is planned anew, where that is by `replan`.
    static @Nullable Replan projected(@Nullable Replan replan, List<Scalar> scalars) {
        if (replan == null) {
            return null;
        }
        return (conditions, taken) -> {
            List<Scalar> inner = new ArrayList<>();
            List<Scalar> outer = new ArrayList<>();
            for (Scalar condition : conditions) {
                Scalar moved = through(scalars, condition);
                if (moved != null) {
                    inner.add(moved);
                    outer.add(condition);
                }
            }
            List<Scalar> takenIn = new ArrayList<>();
            Plan plan = inner.isEmpty() ? null : replan.with(inner, takenIn);
            if (plan == null) {
                return null;
            }
            for (int i = 0; i < inner.size(); i++) {
                if (holds(takenIn, inner.get(i))) {
                    taken.add(outer.get(i));
                }
            }
            return new Plan.Project(plan, scalars);
        };
    }

    /// One side of a set operation.
    record Side(Plan plan, @Nullable Replan replan) {
        private Plan with(List<Scalar> conditions) {
            return filtered(plan, replan, conditions);
        }
    }

    /// What a set operation makes of the plans of its sides.
    @FunctionalInterface
    interface Combination {
        Plan of(Plan left, Plan right);
    }

    /// How a set operation without a limit is planned anew; null where neither side is.
    static @Nullable Replan of(
            Side left, Side right, Combination combination, String name, Estimate estimate) {
        if (left.replan() == null && right.replan() == null) {
            return null;
        }
        return (conditions, taken) -> {
            List<Scalar> moved = new ArrayList<>();
            for (Scalar condition : conditions) {
                if (mayMove(condition) && !columns(condition).isEmpty()) {
                    moved.add(condition);
                }
            }
            if (moved.isEmpty()) {
                return null;
            }
            for (Scalar condition : moved) {
                estimate.note(() -> "push down: " + ScalarText.of(condition) + " through " + name);
            }
            taken.addAll(moved);
            return combination.of(left.with(moved), right.with(moved));
        };
    }
}
