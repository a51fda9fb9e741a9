package dev.oriel.sql.planner;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Replacement;
import dev.oriel.sql.plan.Replan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.syntax.Function;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Predicate push-down into a derived table or a view. Conditions move to the WHERE of the inner query, and from
/// there into queries below it. There they may bound a key and affect the join order. Push-down also passes down
/// which columns are read, so that the query need not compute the others ([ColumnPruning]).
///
/// A condition passes GROUP BY and PARTITION BY if it refers to their keys alone, since it keeps or drops whole
/// groups and partitions. It passes DISTINCT and both sides of set operations, and never LIMIT. A condition that
/// tells equal values apart ([EqualValues]) passes none of these, only UNION ALL. A condition with a subquery or a side
/// effect stays in place, as does a condition on a column computed by a subquery or a volatile function.
public final class PushDown {
    /// Maximum number of operators in a condition after substitution. Each query that it passes may put two
    /// operators in the place of each column; a larger condition stays above.
    private static final int OPERATORS_MAX = 1_000;

    private PushDown() {}

    /// `plan` filtered by `conditions`: inside it if `replan` accepts them, else by a filter above it.
    ///
    /// @param asked positions of the columns that are read from the result; null for all
    public static Plan filtered(
            Plan plan, @Nullable Replan replan, List<Scalar> conditions, @Nullable BitSet asked) {
        List<Scalar> taken = new ArrayList<>();
        Plan inner = null;
        if (replan != null && (asked != null || !conditions.isEmpty())) {
            inner = replan.with(conditions, taken, withThoseOf(conditions, asked));
        }
        List<Scalar> rest = new ArrayList<>();
        for (Scalar condition : conditions) {
            if (!holds(taken, condition)) {
                rest.add(condition);
            }
        }
        Scalar all = AccessPlanner.all(rest);
        Plan below = inner == null ? plan : inner;
        if (all == null) {
            return below;
        }
        Plan kept = KeptLookUp.of(below, all, asked == null ? null : withThoseOf(List.of(), asked));
        return kept == null ? new Plan.Filter(below, all) : kept;
    }

    private static @Nullable BitSet withThoseOf(List<Scalar> conditions, @Nullable BitSet columns) {
        if (columns == null) {
            return null;
        }
        BitSet all = (BitSet) columns.clone();
        conditions.forEach(condition -> addColumns(condition, all));
        return all;
    }

    @SuppressWarnings("ReferenceEquality") // equal conditions may be tested twice
    private static boolean holds(List<Scalar> list, Scalar sought) {
        for (Scalar scalar : list) {
            if (scalar == sought) {
                return true;
            }
        }
        return false;
    }

    /// Replans `select` for conditions on it.
    public static Replan of(BoundSelect select, Estimate estimate) {
        return (conditions, taken, asked) -> {
            if (!estimate.takesReplan(conditions.size())) {
                return null;
            }
            BoundSelect narrow = ColumnPruning.of(select, asked, estimate);
            List<Scalar> where = new ArrayList<>();
            List<Scalar> passing = new ArrayList<>();
            for (Scalar condition : mayPass(select) ? conditions : List.<Scalar>of()) {
                Scalar moved = moved(narrow, condition);
                if (moved != null) {
                    passing.add(condition);
                    if (!isTrue(moved)) {
                        where.add(moved);
                    }
                }
            }
            if (passing.isEmpty() && isSame(narrow, select)) {
                return null;
            }
            taken.addAll(passing);
            for (Scalar moved : where) {
                estimate.note(() -> "push down: " + ScalarText.of(moved) + through(narrow));
                if (moved instanceof Scalar.Constant) {
                    estimate.note(() -> "never: a query whose rows are none of those wanted");
                    return new Plan.Rows(
                            List.of(),
                            select.columns().stream().map(Prepared.OutputColumn::type).toList());
                }
            }
            return Planner.plan(where.isEmpty() ? narrow : narrow.with(where), estimate);
        };
    }

    @SuppressWarnings(
            "ReferenceEquality") // identity: `select` itself comes back if nothing was pruned
    private static boolean isSame(BoundSelect narrow, BoundSelect select) {
        return narrow == select;
    }

    /// Whether conditions may be tested before `select` does anything.
    private static boolean mayPass(BoundSelect select) {
        return select.limits().limit() == null
                && select.limits().offset() == null
                && select.outputs().stream()
                        .noneMatch(
                                output -> PlanParts.calls(output.scalar(), Function::hasEffects));
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

    /// `condition` over the input columns of `select`; null if it must stay above.
    private static @Nullable Scalar moved(BoundSelect select, Scalar condition) {
        Cancellation.pollRunning();
        List<Scalar> outputs = select.outputs().stream().map(BoundSelect.Output::scalar).toList();
        Scalar moved = through(outputs, condition);
        BoundSelect.Grouping grouping = select.grouping();
        boolean unites = grouping != null || !select.windows().isEmpty();
        if (moved == null
                || (unites && EqualValues.areToldApart(moved))
                || (select.distinct() && EqualValues.areToldApart(condition))
                || !isWithinPartitions(select, moved)) {
            return null;
        }
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
                return null; // a query without rows may still have a group
            }
            moved = through(grouping.keys(), moved);
        }
        return moved == null ? null : Folding.fold(moved);
    }

    /// Whether the columns that `moved` reads are constant within each partition of each window.
    private static boolean isWithinPartitions(BoundSelect select, Scalar moved) {
        BitSet read = columns(moved);
        if (read.length() > WindowCall.FIRST) {
            return false;
        }
        for (WindowCall call : select.windows()) {
            BitSet keys = new BitSet();
            for (Scalar key : call.window().partition()) {
                if (key instanceof Scalar.ColumnRef ref && ref.column() < WindowCall.FIRST) {
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

    /// Positions of the columns that `scalar` reads, window results included.
    static BitSet columns(Scalar scalar) {
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

    /// `condition` with `scalars` substituted for its columns; null if that changes its meaning.
    private static @Nullable Scalar through(List<Scalar> scalars, Scalar condition) {
        if (!mayMove(condition)) {
            return null;
        }
        BitSet read = columns(condition);
        if (read.isEmpty()) {
            return null;
        }
        for (int i = read.nextSetBit(0); i >= 0; i = read.nextSetBit(i + 1)) {
            Scalar column = scalars.get(i);
            // A volatile expression would have another value in the row than in the test.
            if (PlanParts.isVolatile(column) || PlanParts.hasSubquery(column)) {
                return null;
            }
        }
        if (operators(condition, scalars, OPERATORS_MAX) < 0) {
            return null;
        }
        return Replacement.of(
                condition,
                leaf -> leaf instanceof Scalar.ColumnRef ref ? scalars.get(ref.column()) : leaf);
    }

    /// Number of operators left of `most` after `scalars` replace the columns of `scalar`; negative if there are
    /// more.
    private static int operators(Scalar scalar, List<Scalar> scalars, int most) {
        if (scalar instanceof Scalar.ColumnRef ref) {
            return most - inner(scalars.get(ref.column()), most);
        }
        int left = most;
        for (Scalar operand : Scalar.operands(scalar)) {
            left = left < 0 ? left : operators(operand, scalars, left);
        }
        return left;
    }

    /// Number of operators in `scalar`, counted up to `most` plus one.
    private static int inner(Scalar scalar, int most) {
        int count = 0;
        for (Scalar operand : Scalar.operands(scalar)) {
            count += count > most ? 0 : 1 + inner(operand, most - count);
        }
        return count;
    }

    /// Whether `scalar` may be evaluated more often, and for other rows.
    private static boolean mayMove(Scalar scalar) {
        return !PlanParts.calls(scalar, Function::hasEffects) && !PlanParts.hasSubquery(scalar);
    }

    /// Replans a query that projects `scalars` over another one; null if `replan` is null.
    public static @Nullable Replan projected(@Nullable Replan replan, List<Scalar> scalars) {
        if (replan == null) {
            return null;
        }
        return (conditions, taken, asked) -> {
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
            BitSet read = asked == null ? null : read(scalars, asked);
            Plan plan = inner.isEmpty() && read == null ? null : replan.with(inner, takenIn, read);
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

    /// Positions of the columns that the `asked` expressions of `scalars` read.
    private static BitSet read(List<Scalar> scalars, BitSet asked) {
        BitSet read = new BitSet();
        for (int i = asked.nextSetBit(0); i >= 0; i = asked.nextSetBit(i + 1)) {
            addColumns(scalars.get(i), read);
        }
        return read;
    }

    /// One side of a set operation.
    public record Side(Plan plan, @Nullable Replan replan) {
        private Plan with(List<Scalar> conditions, @Nullable BitSet asked) {
            return filtered(plan, replan, conditions, asked);
        }
    }

    /// A set operation, which combines the plans of its sides.
    ///
    /// @param limited whether there is a limit, so that no condition passes it
    /// @param compares whether it compares rows, unlike UNION ALL
    /// @param sortedBy the columns that the operation itself reads; null for all
    public record Combination(
            String name, boolean limited, boolean compares, @Nullable BitSet sortedBy, Made made) {
        @FunctionalInterface
        public interface Made {
            Plan of(List<Plan> sides);
        }
    }

    /// Replans a set operation; null if no side can be replanned.
    public static @Nullable Replan of(
            List<Side> sides, Combination combination, Estimate estimate) {
        if (sides.stream().allMatch(side -> side.replan() == null)) {
            return null;
        }
        return (conditions, taken, asked) -> {
            List<Scalar> moved = new ArrayList<>();
            for (Scalar condition : conditions) {
                if (!combination.limited()
                        && mayMove(condition)
                        && !(combination.compares() && EqualValues.areToldApart(condition))
                        && !columns(condition).isEmpty()) {
                    moved.add(condition);
                }
            }
            BitSet read = null;
            if (asked != null && combination.sortedBy() != null) {
                read = (BitSet) asked.clone();
                read.or(combination.sortedBy());
            }
            if (moved.isEmpty() && read == null) {
                return null;
            }
            for (Scalar condition : moved) {
                estimate.note(() ->
                        "push down: "
                                + ScalarText.of(condition)
                                + " through "
                                + combination.name());
            }
            taken.addAll(moved);
            BitSet asks = read;
            return combination
                    .made()
                    .of(sides.stream().map(side -> side.with(moved, asks)).toList());
        };
    }
}
