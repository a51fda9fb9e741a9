package dev.oriel.sql.planner;

import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table or query that a correlated subquery reads for each outer row, with a condition `inner = outer` that no key
/// supports. On the second read in a run its rows are stored in a hash table, and looked up from then on. The
/// subquery above it stays as it is, so this serves EXISTS, aggregates and any other form, at any depth. Unlike a
/// join of both queries it needs no rules about NULL and empty groups.
final class KeptLookUp {
    private final List<Scalar> before = new ArrayList<>();
    private final List<Scalar> sought = new ArrayList<>();
    private final List<Scalar> kept = new ArrayList<>();
    private final List<Scalar> rest = new ArrayList<>();

    /// Position of the table's first column, and the position after its last.
    private final int first;

    private final int end;

    private KeptLookUp(int first, int end) {
        this.first = first;
        this.end = end;
    }

    /// A hash look-up of the rows of `access`; null if there is no equality to look them up by, or a key of the
    /// table supports it.
    ///
    /// @param used positions of the columns that are read of the rows
    static @Nullable Plan of(AccessPlanner.Access access, BitSet used) {
        Plan.Scan scan = access.scan();
        Scalar filter = access.filter();
        if (filter == null || !hasEquality(filter) || !PlanParts.usesArguments(filter)) {
            return null;
        }
        List<Type> types = scan.types();
        Join.Source source = new Join.Source(0, scan.table().name(), scan, null);
        Join join = new KeptLookUp(0, types.size()).join(source, filter, 1);
        return join == null ? null : new Plan.Joined(join, List.of(types, List.of()), used);
    }

    /// The rows of `query` for which `filter` holds, by a hash look-up; null if it does not apply. All of the rows must
    /// be the same on each read in a run.
    ///
    /// @param used positions of the columns that are read of the rows; null for all
    static @Nullable Plan of(Plan query, Scalar filter, @Nullable BitSet used) {
        if (!hasEquality(filter) || !PlanParts.usesArguments(filter)) {
            return null;
        }
        List<Type> types = query.types();
        BitSet all = new BitSet();
        all.set(0, types.size());
        Join.Source source = new Join.Source(0, "", query, null);
        Join join = new KeptLookUp(0, types.size()).join(source, filter, 1);
        return join == null
                ? null
                : new Plan.Joined(join, List.of(types, List.of()), used == null ? all : used);
    }

    /// `plan` with hash look-ups for the tables that allow it.
    static Plan.Joined within(Plan.Joined plan) {
        List<List<Type>> slots = new ArrayList<>(plan.slots());
        Join join = replaced(plan.join(), slots);
        return slots.size() == plan.slots().size()
                ? plan
                : new Plan.Joined(join, List.copyOf(slots), plan.used());
    }

    private static Join replaced(Join join, List<List<Type>> slots) {
        return switch (join) {
            case Join.Source source -> source;
            case Join.Filtered filtered -> {
                Join found =
                        filtered.input() instanceof Join.Source source && source.lateral() == null
                                ? of(source, filtered.condition(), slots)
                                : null;
                yield found != null
                        ? found
                        : new Join.Filtered(
                                replaced(filtered.input(), slots), filtered.condition());
            }
            case Join.Loop loop ->
                    new Join.Loop(
                            replaced(loop.outer(), slots),
                            replaced(loop.inner(), slots),
                            loop.left(),
                            loop.slots());
            case Join.Hash hash ->
                    new Join.Hash(
                            hash.kind(),
                            replaced(hash.probe(), slots),
                            replaced(hash.build(), slots),
                            hash.probeKeys(),
                            hash.buildKeys(),
                            hash.rest(),
                            hash.probeSlots(),
                            hash.buildSlots());
        };
    }

    private static @Nullable Join of(Join.Source source, Scalar condition, List<List<Type>> slots) {
        int first = 0;
        for (int i = 0; i < source.slot(); i++) {
            first += slots.get(i).size();
        }
        int end = first + slots.get(source.slot()).size();
        Join join = new KeptLookUp(first, end).join(source, condition, slots.size());
        if (join != null) {
            slots.add(List.of());
        }
        return join;
    }

    /// @param slot a free slot, without columns
    private @Nullable Join join(Join.Source source, Scalar filter, int slot) {
        if (!hasEquality(filter) || !isSteady(source.plan()) || !split(filter)) {
            return null;
        }
        Scalar alone = AccessPlanner.all(before);
        Join build = alone == null ? source : new Join.Filtered(source, alone);
        return new Join.Hash(
                BoundFrom.Kind.INNER,
                new Join.Source(slot, "", new Plan.OneRow(), null),
                build,
                List.copyOf(sought),
                List.copyOf(kept),
                AccessPlanner.all(rest),
                List.of(slot),
                List.of(source.slot()));
    }

    /// Whether there can be a key: known before the searches of all subqueries within `filter`.
    private static boolean hasEquality(Scalar filter) {
        List<Scalar> conditions = new ArrayList<>();
        AccessPlanner.split(filter, conditions);
        return conditions.stream().anyMatch(KeptLookUp::isEquality);
    }

    private static boolean isEquality(Scalar condition) {
        return condition instanceof Condition.Comparison comparison
                && comparison.operator() == Operator.EQUAL;
    }

    /// Whether `plan` returns the same rows on each read in a run: a table that Java computes may not. One row alone is
    /// not worth a hash table.
    private static boolean isSteady(Plan plan) {
        return switch (plan) {
            case Plan.Scan scan -> !isBounded(scan);
            case Plan.OneRow _, Plan.Rows _ -> false;
            default ->
                    !PlanParts.usesArguments(plan)
                            && !PlanParts.isVolatile(plan)
                            && PlanParts.needs(plan).length == 0
                            && !PlanParts.any(plan, part -> part instanceof Plan.Computed);
        };
    }

    /// Whether the ranges that are read depend on outer rows.
    private static boolean isBounded(Plan.Scan scan) {
        return scan.among() != null
                || scan.parts().stream()
                        .flatMap(bounds -> bounds.scalars().stream())
                        .anyMatch(value ->
                                !Scalar.isRowFree(value) || PlanParts.usesArguments(value));
    }

    private boolean split(Scalar filter) {
        List<Scalar> conditions = new ArrayList<>();
        AccessPlanner.split(filter, conditions);
        for (Scalar condition : conditions) {
            if (PlanParts.isVolatile(condition)) {
                return false;
            }
            if (isOwn(condition)) {
                before.add(condition);
            } else if (!(condition instanceof Condition.Comparison comparison)
                    || comparison.operator() != Operator.EQUAL
                    || !(pair(comparison.left(), comparison.right())
                            || pair(comparison.right(), comparison.left()))) {
                rest.add(condition);
            }
        }
        return !kept.isEmpty();
    }

    /// Whether `scalar` reads no columns other than the table's, and no arguments.
    private boolean isOwn(Scalar scalar) {
        BitSet columns = new BitSet();
        PlanParts.columns(scalar, columns);
        return !PlanParts.usesArguments(scalar)
                && columns.nextSetBit(end) < 0
                && (columns.isEmpty() || columns.nextSetBit(0) >= first);
    }

    private boolean pair(Scalar inner, Scalar given) {
        boolean fits =
                isOwn(inner)
                        && !Scalar.isRowFree(inner)
                        && !PlanParts.hasSubquery(inner)
                        && Scalar.isRowFree(given)
                        && !PlanParts.hasSubquery(given);
        if (fits) {
            kept.add(inner);
            sought.add(given);
        }
        return fits;
    }
}
