package dev.oriel.sql.planner;

import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.ExtractedLiterals;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.value.LikePattern;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Chooses the key by which a table is read, and the ranges of that key.
///
/// Every key of the table (the row key and each index) is matched with the predicates: leading columns with
/// equalities, then a range of the next column. An OR or IN becomes several ranges if each of its parts bounds the
/// key by itself. The preference is: at most one row, more equal columns, a range, the query's order. Then comes
/// the row key, which needs no second look-up. Statistics override this if another key, or a full scan, costs
/// less.
public final class AccessPlanner {
    private static final int WORTH_UNIQUE = 1_000_000;
    private static final int WORTH_EQUAL = 1_000;
    private static final int WORTH_EDGE = 100;
    private static final int WORTH_NOT_NULL = 20;
    private static final int WORTH_ORDER = 50;
    private static final int WORTH_ROW_KEY = 1;

    /// Worth of a partial index, which lacks rows that the query does not need.
    private static final int WORTH_PARTIAL = 40;

    /// Worth lost by reading several ranges.
    private static final int WORTH_ONE_RANGE = 10;

    /// Minimum number of rows for comparing costs; in a smaller table the key hardly matters.
    static final double COMPARED_ROWS_LEAST = 1_000;

    /// Maximum number of ranges that an OR or an IN becomes.
    private static final int CHOICES_MAX = 1_000;

    private final Table table;
    private final int firstColumn;
    private final Predicate<Scalar> known;
    private final List<Scalar> conditions;
    private final List<SortKey> order;
    private final Estimate estimate;

    /// Terms of the index being examined; null if it has only columns and covers all rows.
    private @Nullable BoundTerms terms;

    private AccessPlanner(
            Estimate estimate,
            Table table,
            int firstColumn,
            Predicate<Scalar> known,
            List<Scalar> conditions,
            List<SortKey> order) {
        this.estimate = estimate;
        this.table = table;
        this.firstColumn = firstColumn;
        this.known = known;
        this.conditions = conditions;
        this.order = order;
    }

    /// The access path of a table.
    ///
    /// @param filter the residual predicate, not ensured by the scan
    /// @param ordered whether the rows come in the requested order
    public record Access(Plan.Scan scan, @Nullable Scalar filter, boolean ordered, int worth) {}

    /// Chooses the access path for the rows of `table` for which `where` holds.
    ///
    /// @param order keys over the table's columns; empty if any order will do
    public static Access choose(
            Estimate estimate, Table table, @Nullable Scalar where, List<SortKey> order) {
        List<Scalar> conditions = new ArrayList<>();
        if (where != null) {
            split(where, conditions);
        }
        return new AccessPlanner(estimate, table, 0, Scalar::isRowFree, conditions, order).best();
    }

    /// Chooses the access path of a table that is joined with others.
    ///
    /// @param firstColumn position of the table's first column in the row that `conditions` refer to
    /// @param known whether an expression has its value before the table is read
    public static Access choose(
            Estimate estimate,
            Table table,
            int firstColumn,
            Predicate<Scalar> known,
            List<Scalar> conditions) {
        return new AccessPlanner(estimate, table, firstColumn, known, conditions, List.of()).best();
    }

    private Access best() {
        Access best = best(null, table.primaryKey(), !table.primaryKey().isEmpty());
        List<Access> all = new ArrayList<>();
        all.add(best);
        for (Index index : table.indexes()) {
            if (index.kind() == Index.Kind.SEARCH) {
                continue; // its keys are words, not values
            }
            Access access = best(index);
            if (access == null) {
                continue;
            }
            all.add(access);
            if (access.worth > best.worth) {
                best = access;
            }
        }
        Access chosen = cheapest(all, best);
        if (all.size() > 1) {
            boolean byCost = isCompared(all, best);
            estimate.because(chosen.scan, () -> reason(chosen, all, byCost));
        }
        return new QueryLookUp(estimate, table, firstColumn, conditions, order).of(chosen);
    }

    /// The reason for the chosen key, and the alternatives; empty if there were none.
    private String reason(Access chosen, List<Access> all, boolean byCost) {
        List<String> others = new ArrayList<>();
        for (Access access : all) {
            boolean whole = isWhole(access.scan);
            if (!access.scan.equals(chosen.scan) && (!whole || access.scan.index() == null)) {
                others.add(
                        (whole ? "all rows" : key(access.scan))
                                + (byCost ? " at " + Math.round(cost(access)) : ""));
            }
        }
        if (others.isEmpty()) {
            return "";
        }
        boolean whole = isWhole(chosen.scan);
        return (whole ? "all rows of " : "key: " + key(chosen.scan) + " of ")
                + table.name()
                + (byCost ? " at cost " + Math.round(cost(chosen)) : "")
                + ", not "
                + String.join(", ", others)
                + (byCost ? "" : ", by rule");
    }

    private static String key(Plan.Scan scan) {
        return scan.index() == null ? "the row key" : scan.index().name();
    }

    /// The best use of `index`; null if it lacks rows that the query needs.
    private @Nullable Access best(Index index) {
        Index.Terms of = index.terms();
        if (of == null) {
            return best(index, index.columns(), index.unique());
        }
        BoundTerms bound = estimate.terms(table, of, firstColumn);
        bound.needLiterals(conditions);
        if (!bound.isImpliedBy(conditions)) {
            return null;
        }
        terms = bound;
        Access access = best(index, bound.columns(), index.unique());
        terms = null;
        return access;
    }

    /// The cheapest access path, if the cost of every path that bounds its key is known; else `best`, which is
    /// worth most. The rules also decide for a small table, since it may grow.
    private Access cheapest(List<Access> all, Access best) {
        if (!isCompared(all, best)) {
            return best;
        }
        Access cheapest = best;
        for (Access access : all) {
            boolean candidate = !isWhole(access.scan) || access.scan.index() == null;
            if (candidate && cost(access) < cost(cheapest)) {
                cheapest = access;
            }
        }
        return cheapest;
    }

    /// Whether costs decide, rather than the rules that chose `best`.
    private boolean isCompared(List<Access> all, Access best) {
        boolean open = best.scan.index() == null && isWhole(best.scan);
        if (open || best.worth >= WORTH_UNIQUE || !order.isEmpty()) {
            return false;
        }
        int bounded = 0;
        for (Access access : all) {
            if (!isWhole(access.scan)) {
                bounded++;
                if (!isForeseen(access.scan)) {
                    return false;
                }
            }
        }
        return (bounded >= 2 || isConstant(best.scan))
                && estimate.rows(table) >= COMPARED_ROWS_LEAST;
    }

    private double cost(Access access) {
        double tested = access.filter == null ? 0 : estimate.rows(access.scan) * Estimate.TEST;
        return estimate.cost(access.scan) + tested;
    }

    static boolean isWhole(Plan.Scan scan) {
        Plan.Bounds bounds = scan.bounds();
        return scan.choices().isEmpty() && bounds.equal().isEmpty() && !bounds.ranged();
    }

    /// Whether the number of rows read can be estimated: a range needs constants for that.
    private static boolean isForeseen(Plan.Scan scan) {
        for (Plan.Bounds part : scan.parts()) {
            if (part.ranged() && !hasConstantEdges(part)) {
                return false;
            }
        }
        return true;
    }

    private static boolean hasConstantEdges(Plan.Bounds bounds) {
        return (bounds.lower() == null || Scalar.foreseen(bounds.lower().value()) != null)
                && (bounds.upper() == null || Scalar.foreseen(bounds.upper().value()) != null);
    }

    private static boolean isConstant(Plan.Scan scan) {
        for (Plan.Bounds part : scan.parts()) {
            for (Scalar scalar : part.scalars()) {
                if (Scalar.foreseen(scalar) == null) {
                    return false;
                }
            }
        }
        return true;
    }

    private Access best(@Nullable Index index, List<Integer> columns, boolean unique) {
        Access best = match(index, columns, unique);
        for (int i = 0; i < conditions.size(); i++) {
            List<Scalar> parts = parts(conditions.get(i));
            if (parts.size() > 1) {
                Access access = chosen(i, parts, index, columns, unique);
                if (access != null && access.worth > best.worth) {
                    best = access;
                }
            }
        }
        return best;
    }

    /// The alternatives of `condition`; empty if it is neither an OR nor an IN.
    private static List<Scalar> parts(Scalar condition) {
        if (condition instanceof Condition.Logical logical
                && !logical.and()
                && logical.terms().size() <= CHOICES_MAX) {
            List<Scalar> parts = new ArrayList<>();
            for (Scalar term : logical.terms()) {
                List<Scalar> inner = parts(term);
                parts.addAll(inner.isEmpty() ? List.of(term) : inner);
            }
            return parts.size() > CHOICES_MAX ? List.of() : parts;
        } else if (condition instanceof Condition.In in
                && in.operand() instanceof Scalar.ColumnRef
                && in.list().size() <= CHOICES_MAX) {
            List<Scalar> parts = new ArrayList<>();
            for (Scalar value : in.list()) {
                parts.add(new Condition.Comparison(Operator.EQUAL, in.operand(), value));
            }
            return parts;
        }
        return List.of();
    }

    /// Reads a range of the key for each of `parts`, the alternatives of condition number `position`; null if one
    /// of them does not bound the key.
    private @Nullable Access chosen(
            int position,
            List<Scalar> parts,
            @Nullable Index index,
            List<Integer> columns,
            boolean unique) {
        Scalar condition = conditions.get(position);
        List<Scalar> others = new ArrayList<>(conditions);
        others.remove(position);
        List<Plan.Bounds> choices = new ArrayList<>();
        Set<Scalar> ensured = Collections.newSetFromMap(new IdentityHashMap<>());
        ensured.addAll(conditions);
        int worth = Integer.MAX_VALUE;
        for (Scalar part : parts) {
            List<Scalar> all = new ArrayList<>();
            split(part, all);
            int own = all.size();
            all.addAll(others);
            Set<Scalar> taken = Collections.newSetFromMap(new IdentityHashMap<>());
            AccessPlanner planner =
                    new AccessPlanner(estimate, table, firstColumn, known, all, List.of());
            planner.terms = terms;
            Access access = planner.match(index, columns, unique, taken);
            Plan.Bounds bounds = access.scan.bounds();
            if (bounds.equal().isEmpty() && bounds.lower() == null && bounds.upper() == null) {
                return null;
            }
            boolean whole = taken.containsAll(all.subList(0, own)) && ensured.contains(condition);
            ensured.removeIf(other -> !taken.contains(other));
            if (whole) {
                ensured.add(condition);
            }
            choices.add(bounds);
            worth = Math.min(worth, access.worth);
        }
        int direction = direction(index, columns, 0, false, unique);
        worth += direction == 0 || order.isEmpty() ? 0 : WORTH_ORDER;
        Plan.Scan scan =
                new Plan.Scan(
                        table,
                        index,
                        columns,
                        Plan.Bounds.NONE,
                        List.copyOf(choices),
                        null,
                        direction < 0);
        return new Access(scan, rest(ensured), direction != 0, worth - WORTH_ONE_RANGE);
    }

    /// Splits `condition` into its conjuncts.
    public static void split(Scalar condition, List<Scalar> into) {
        if (condition instanceof Condition.Logical logical && logical.and()) {
            for (Scalar term : logical.terms()) {
                split(term, into);
            }
        } else if (condition instanceof Condition.Logical choice) {
            factor(choice, into);
        } else {
            into.add(condition);
        }
    }

    /// `(a AND b) OR (a AND c)` is `a AND (b OR c)`, even if an operand is unknown.
    private static void factor(Condition.Logical choice, List<Scalar> into) {
        List<List<Scalar>> branches = new ArrayList<>();
        Set<String> common = null;
        for (Scalar term : choice.terms()) {
            List<Scalar> terms = new ArrayList<>();
            split(term, terms);
            branches.add(terms);
            if (terms.size() > 1) { // the common factor depends on the values
                terms.forEach(ExtractedLiterals::need);
            }
            Set<String> identities = new HashSet<>();
            if (common == null || !common.isEmpty()) {
                terms.forEach(part -> identities.add(ScalarText.identity(part)));
            }
            if (common == null) {
                common = identities;
            }
            common.retainAll(identities);
        }
        if (common == null || common.isEmpty()) {
            into.add(choice);
            return;
        }
        List<Scalar> choices = new ArrayList<>();
        boolean always = false;
        for (int i = 0; i < branches.size(); i++) {
            List<Scalar> rest = new ArrayList<>();
            for (Scalar part : branches.get(i)) {
                boolean shared = common.contains(ScalarText.identity(part));
                if (!shared) {
                    rest.add(part);
                } else if (i == 0) {
                    into.add(part);
                }
            }
            Scalar all = all(rest);
            always |= all == null;
            if (all != null) {
                choices.add(all);
            }
        }
        if (!always) {
            into.add(new Condition.Logical(false, List.copyOf(choices)));
        }
    }

    private Access match(@Nullable Index index, List<Integer> columns, boolean unique) {
        Set<Scalar> ensured = Collections.newSetFromMap(new IdentityHashMap<>());
        return match(index, columns, unique, ensured);
    }

    /// @param ensured receives the conditions that need no further test
    private Access match(
            @Nullable Index index, List<Integer> columns, boolean unique, Set<Scalar> ensured) {
        List<@Nullable Scalar> equal = new ArrayList<>();
        boolean nulls = false;
        for (int column : columns) {
            Equality equality = equality(column, ensured);
            if (equality == null) {
                break;
            }
            equal.add(equality.value);
            nulls |= equality.value == null;
        }
        Range range = new Range();
        if (equal.size() < columns.size()) {
            range(columns.get(equal.size()), range, ensured);
        }
        if (terms != null) {
            for (Scalar condition : conditions) {
                if (terms.ensures(condition)) {
                    ensured.add(condition);
                }
            }
        }
        // A unique key with a NULL column may occur in any number of rows.
        boolean distinct = unique && !nulls;
        boolean oneRow = distinct && equal.size() == columns.size();
        int direction =
                oneRow ? 1 : direction(index, columns, equal.size(), range.ranged, distinct);
        int worth = equal.size() * WORTH_EQUAL;
        worth += oneRow ? WORTH_UNIQUE : 0;
        worth += range.lower == null ? 0 : WORTH_EDGE;
        worth += range.upper == null ? 0 : WORTH_EDGE;
        worth += range.ranged ? WORTH_NOT_NULL : 0;
        worth += direction == 0 || order.isEmpty() ? 0 : WORTH_ORDER;
        worth += index == null ? WORTH_ROW_KEY : 0;
        worth += terms != null && terms.isPartial() ? WORTH_PARTIAL : 0;
        Plan.Bounds bounds =
                new Plan.Bounds(
                        Collections.unmodifiableList(equal),
                        range.ranged,
                        range.lower,
                        range.upper);
        Plan.Scan scan =
                new Plan.Scan(table, index, columns, bounds, List.of(), null, direction < 0);
        return new Access(scan, rest(ensured), direction != 0, worth);
    }

    private @Nullable Scalar rest(Set<Scalar> ensured) {
        List<Scalar> rest = new ArrayList<>();
        for (Scalar condition : conditions) {
            if (!ensured.contains(condition)) {
                rest.add(condition);
            }
        }
        return all(rest);
    }

    /// The conjunction of `conditions`; null if there are none.
    public static @Nullable Scalar all(List<Scalar> conditions) {
        return switch (conditions.size()) {
            case 0 -> null;
            case 1 -> conditions.getFirst();
            default -> new Condition.Logical(true, List.copyOf(conditions));
        };
    }

    /// @param value null for IS NULL
    private record Equality(@Nullable Scalar value) {}

    private @Nullable Equality equality(int column, Set<Scalar> ensured) {
        for (Scalar condition : conditions) {
            if (condition instanceof Condition.IsNull test
                    && !test.negated()
                    && isColumn(test.operand(), column)) {
                ensured.add(condition);
                return new Equality(null);
            }
            Condition.Comparison comparison = comparison(condition, column);
            if (comparison != null && comparison.operator() == Operator.EQUAL) {
                ensured.add(condition);
                return new Equality(comparison.right());
            }
        }
        return null;
    }

    private void range(int column, Range range, Set<Scalar> ensured) {
        for (Scalar condition : conditions) {
            boolean used = false;
            if (condition instanceof Condition.IsNull test
                    && test.negated()
                    && isColumn(test.operand(), column)) {
                range.ranged = true;
                used = true;
            } else if (condition instanceof Condition.Between between
                    && isColumn(between.operand(), column)
                    && isKnown(between.low())
                    && isKnown(between.high())) {
                used = range.narrow(new Plan.Edge(between.low(), true), true);
                used &= range.narrow(new Plan.Edge(between.high(), true), false);
            } else if (condition instanceof Condition.Like like
                    && isColumn(like.operand(), column)) {
                prefix(like, range);
            } else {
                Condition.Comparison comparison = comparison(condition, column);
                used = comparison != null && narrow(range, comparison);
            }
            if (used) {
                ensured.add(condition);
            }
        }
    }

    private static boolean narrow(Range range, Condition.Comparison comparison) {
        Scalar value = comparison.right();
        return switch (comparison.operator()) {
            case GREATER -> range.narrow(new Plan.Edge(value, false), true);
            case GREATER_OR_EQUAL -> range.narrow(new Plan.Edge(value, true), true);
            case LESS -> range.narrow(new Plan.Edge(value, false), false);
            case LESS_OR_EQUAL -> range.narrow(new Plan.Edge(value, true), false);
            case EQUAL, NOT_EQUAL, CONCAT, ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO -> false;
        };
    }

    /// The constant prefix of a LIKE pattern bounds a range; LIKE itself stays as a residual predicate.
    private static void prefix(Condition.Like like, Range range) {
        boolean plain = like.escape() == null && !like.ignoreCase();
        if (!plain
                || !(like.pattern() instanceof Scalar.Constant pattern)
                || !(pattern.reference() instanceof String text)) {
            return;
        }
        String prefix = LikePattern.prefix(text, LikePattern.USUAL_ESCAPE);
        if (prefix.isEmpty()) {
            return;
        }
        range.narrow(new Plan.Edge(Scalar.Constant.of(Typing.TEXT, prefix), true), true);
        String after = LikePattern.after(prefix);
        if (after != null) {
            range.narrow(new Plan.Edge(Scalar.Constant.of(Typing.TEXT, after), false), false);
        }
    }

    /// `condition` as `column operator value`; null if it has another form.
    private Condition.@Nullable Comparison comparison(Scalar condition, int position) {
        if (!(condition instanceof Condition.Comparison comparison)) {
            return null;
        }
        if (isColumn(comparison.left(), position) && isKnown(comparison.right())) {
            return comparison;
        }
        if (isColumn(comparison.right(), position) && isKnown(comparison.left())) {
            Scalar column = comparison.right();
            Scalar value = comparison.left();
            return new Condition.Comparison(comparison.operator().mirrored(), column, value);
        }
        return null;
    }

    /// Whether `value` is known before the table is read, and the same for all of its rows.
    private boolean isKnown(Scalar value) {
        return known.test(value) && !PlanParts.calls(value, Function::differs);
    }

    private boolean isColumn(Scalar scalar, int column) {
        if (column >= Plan.Scan.FIRST_TERM) {
            return terms != null && terms.is(column, scalar);
        }
        return scalar instanceof Scalar.ColumnRef ref && ref.column() == firstColumn + column;
    }

    /// 1 if the key has the requested order, -1 if its reverse has, else 0.
    private int direction(
            @Nullable Index index,
            List<Integer> columns,
            int equal,
            boolean ranged,
            boolean unique) {
        int direction = 0;
        int next = equal;
        boolean nullable = false;
        for (SortKey key : order) {
            if (columns.subList(0, equal).contains(key.column())) {
                continue;
            }
            if (next == columns.size()) {
                // A unique key without NULLs that is covered whole leaves no two rows to order.
                return unique && !nullable ? direction : 0;
            }
            if (columns.get(next) != key.column()) {
                return 0;
            }
            Column column = table.columns().get(key.column());
            boolean hasNulls = column.nullable() && !(ranged && next == equal);
            KeyOrder kept = index == null ? KeyOrder.ASC : index.entryOrder(next);
            boolean backwards = key.descending() != kept.descending();
            if (hasNulls && backwards != (key.nullsFirst() != kept.nullsFirst())) {
                return 0;
            }
            int wanted = backwards ? -1 : 1;
            if (direction != 0 && direction != wanted) {
                return 0;
            }
            direction = wanted;
            nullable |= column.nullable();
            next++;
        }
        return direction == 0 ? 1 : direction;
    }

    /// A range under construction; the first condition on each side bounds it.
    private static final class Range {
        private boolean ranged;
        private Plan.@Nullable Edge lower;
        private Plan.@Nullable Edge upper;

        private boolean narrow(Plan.Edge edge, boolean below) {
            ranged = true;
            if (below && lower == null) {
                lower = edge;
                return true;
            }
            if (!below && upper == null) {
                upper = edge;
                return true;
            }
            return false;
        }
    }
}
