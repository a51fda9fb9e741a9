package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Conditional;
import dev.oriel.sql.plan.PlanParts;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.syntax.AggregateFunction;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds expressions over the groups of a query. An expression equal to a GROUP BY key is that key; an aggregate is
/// a column after the keys. So is a column that depends on the keys; any other column is an error.
final class GroupedBinder extends ScalarBinder {
    /// Levels that an expression may have beyond a key's: casts without effect, constants.
    private static final int HEIGHT_MORE = 200;

    /// Minimum height of an expression for which failed attempts to bind it as a key are counted.
    private static final int DEEP = 100;

    private static final int DEEP_PARTS_MAX = 200_000;

    private final ScalarBinder ungrouped;
    private final List<Scalar> keys;

    /// Keys of each grouping set; empty if there is one set, of all keys.
    private final List<List<Integer>> sets;

    private final int firstAggregate;
    private final boolean keysAsk;
    private final int heightMax;
    private final ExpressionTraits traits;
    private int deepParts;
    private final List<String> keyIdentities = new ArrayList<>();
    private final List<AggregateCall> aggregates = new ArrayList<>();
    private final List<String> aggregateIdentities = new ArrayList<>();

    GroupedBinder(ScalarBinder ungrouped, List<Scalar> keys, List<List<Integer>> sets) {
        super(ungrouped.around(), ungrouped.scope());
        this.ungrouped = ungrouped;
        this.keys = keys;
        this.sets = sets;
        this.firstAggregate = keys.size() + (sets.isEmpty() ? 0 : 1);
        keys.forEach(key -> keyIdentities.add(ScalarText.identity(key)));
        this.keysAsk = keys.stream().anyMatch(PlanParts::hasSubquery);
        AggregateLevels levels = around().binding().levels();
        this.traits = new ExpressionTraits(call -> !levels.isOuter(call, ungrouped, 0));
        int largest = 0;
        for (Scalar key : keys) {
            largest = Math.max(largest, size(key));
        }
        this.heightMax = HEIGHT_MORE + 2 * largest;
    }

    /// Whether `expression` is worth binding as a key, to compare it with the keys. An expression with a subquery
    /// is not, unless a key has one too: that would double the work with every level of nesting. Nor is one that is
    /// much deeper than all keys, though its parts may be.
    private boolean mayBeKey(Expression expression) {
        ExpressionTraits.Traits own = traits.of(expression);
        if (own.grouped() || (own.asks() && !keysAsk) || own.height() > heightMax) {
            return false;
        }
        if (own.height() > DEEP) {
            deepParts += own.size();
            if (deepParts > DEEP_PARTS_MAX) {
                throw source().error(
                                Kind.TOO_COMPLEX,
                                expression.position(),
                                "The expression is nested too deep to compare with the GROUP BY"
                                        + " keys; compute it in a subquery in FROM, and group"
                                        + " its result");
            }
        }
        return true;
    }

    /// Number of parts of `scalar`, at least its height as written.
    private static int size(Scalar scalar) {
        int size = 1;
        for (Scalar operand : Scalar.operands(scalar)) {
            size += size(operand);
        }
        return size;
    }

    /// The aggregates bound so far.
    List<AggregateCall> aggregates() {
        return List.copyOf(aggregates);
    }

    @Override
    Scalar bind(Expression expression, Type expected) {
        Scalar alias =
                expression instanceof Expression.Name name && ungrouped.named(name) == null
                        ? ofAlias(name)
                        : null;
        if (alias != null) {
            return alias;
        }
        SelectAliases aliases = aliases();
        boolean usesAlias = aliases != null && aliases.isUsed(expression, ungrouped);
        if (!usesAlias && mayBeKey(expression)) {
            UngroupedBinder rows = new UngroupedBinder(ungrouped);
            Scalar bound = rows.bind(expression, expected);
            int key = keyIdentities.indexOf(ScalarText.identity(unadapted(bound)));
            if (key >= 0) {
                return adapted(key(key), expected, expression.position());
            }
            if (Scalar.isRowFree(bound) && !rows.aggregated()) {
                return bound;
            }
        }
        return switch (expression) {
            case Expression.Name name ->
                    adapted(
                            dependent(expression, name.position(), name.name()),
                            expected,
                            name.position());
            case Expression.Starred starred ->
                    dependent(expression, starred.position(), starred.name());
            default -> super.bind(expression, expected);
        };
    }

    private Scalar key(int key) {
        Scalar scalar = keys.get(key);
        boolean nullable = scalar.nullable();
        for (List<Integer> set : sets) {
            nullable |= !set.contains(key);
        }
        return new Scalar.ColumnRef(key, scalar.type(), nullable, ScalarText.of(scalar));
    }

    /// Binds a column that is no key. It has one value in each group if the keys include the primary key of its
    /// table.
    private Scalar dependent(Expression column, int position, String name) {
        if (ungrouped.bind(column) instanceof Scalar.ColumnRef ref) {
            for (Scope.Relation relation : scope().relations()) {
                if (relation.holds(ref.column()) && holdKey(relation)) {
                    AggregateFunction any = AggregateFunction.ANY_VALUE;
                    return aggregate(
                            new Expression.Call(position, any.name(), List.of(column)), any);
                }
            }
        }
        throw ungrouped(position, name);
    }

    /// Whether the keys of each set include the primary key of `relation`.
    private boolean holdKey(Scope.Relation relation) {
        Table table =
                relation.table().isEmpty()
                        ? null
                        : around().binding().catalog().table(relation.table());
        return table != null
                && !table.primaryKey().isEmpty()
                && table.primaryKey().stream().allMatch(column -> isKey(relation.column(column)));
    }

    private boolean isKey(Scalar scalar) {
        int key = keyIdentities.indexOf(ScalarText.identity(scalar));
        return key >= 0 && sets.stream().allMatch(set -> set.contains(key));
    }

    private SqlException ungrouped(int position, String name) {
        return source().error(
                        Kind.GROUPING,
                        position,
                        "Column \"" + name + "\" must be in GROUP BY, or inside an aggregate");
    }

    /// Resolves a name for a nested query, which sees groups too.
    @Override
    public @Nullable Scalar named(Expression.Name name) {
        return ungrouped.named(name) == null ? null : bind(name, Typing.TEXT);
    }

    @Override
    Scalar aggregate(Expression.Call call, AggregateFunction kind) {
        AggregateCall aggregate = new AggregateBinder(ungrouped).bind(call, kind);
        String identity = aggregate.text(true);
        int position = aggregateIdentities.indexOf(identity);
        if (position < 0) {
            position = aggregates.size();
            aggregates.add(aggregate);
            aggregateIdentities.add(identity);
        }
        return new Scalar.ColumnRef(
                firstAggregate + position,
                aggregate.type(),
                kind != AggregateFunction.COUNT,
                aggregate.text(false));
    }

    /// GROUPING: a bit for each argument, set if the row stands for all its values.
    @Override
    Scalar grouping(Expression.Call call) {
        List<Integer> asked = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            int key = keyIdentities.indexOf(ScalarText.identity(ungrouped.bind(argument)));
            if (key < 0) {
                throw source().error(
                                Kind.GROUPING,
                                argument.position(),
                                "GROUPING takes expressions of GROUP BY");
            }
            asked.add(key);
        }
        if (asked.isEmpty() || asked.size() > 31) {
            throw source().error(
                            Kind.UNKNOWN_FUNCTION,
                            call.position(),
                            "GROUPING takes 1 to 31 arguments, not " + asked.size());
        }
        if (sets.isEmpty()) {
            return Scalar.Constant.of(Typing.INTEGER, 0L);
        }
        List<Scalar> numbers = new ArrayList<>();
        List<Scalar> masks = new ArrayList<>();
        for (int i = 0; i < sets.size(); i++) {
            long mask = 0;
            for (int key : asked) {
                mask = 2 * mask + (sets.get(i).contains(key) ? 0 : 1);
            }
            numbers.add(Scalar.Constant.of(Typing.INTEGER, (long) i));
            masks.add(Scalar.Constant.of(Typing.INTEGER, mask));
        }
        Scalar set = new Scalar.ColumnRef(keys.size(), Typing.INTEGER, false, "grouping set");
        return new Conditional.Switch(set, numbers, masks, null, Typing.INTEGER);
    }

    /// Whether `call` is GROUPING.
    static boolean isGrouping(Expression.Call call) {
        return call.name().equalsIgnoreCase("GROUPING");
    }
}
