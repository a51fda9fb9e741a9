package dev.oriel.sql;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds expressions over the groups of a query: what equals a key of GROUP BY is that key, an
/// aggregate is a column after the keys, and any other column is an error.
final class GroupedBinder extends ScalarBinder {
    private final ScalarBinder ungrouped;
    private final List<Scalar> keys;
    private final boolean keysAsk;
    private final List<String> keyIdentities = new ArrayList<>();
    private final List<AggregateCall> aggregates = new ArrayList<>();
    private final List<String> aggregateIdentities = new ArrayList<>();

    GroupedBinder(ScalarBinder ungrouped, List<Scalar> keys) {
        super(ungrouped.around(), ungrouped.scope());
        this.ungrouped = ungrouped;
        this.keys = keys;
        keys.forEach(key -> keyIdentities.add(ScalarText.identity(key)));
        this.keysAsk = keys.stream().anyMatch(PlanParts::hasSubquery);
    }

    /// Whether there is a subquery in `expression`. Unless a key has one too it equals none, and is
    /// not bound in vain: that would double the work with every level of nesting.
    private static boolean asks(Expression expression) {
        if (expression instanceof Expression.Nested) {
            return true;
        }
        for (Expression operand : Expression.operands(expression)) {
            if (asks(operand)) {
                return true;
            }
        }
        return false;
    }

    /// The aggregates that have been bound so far.
    List<AggregateCall> aggregates() {
        return List.copyOf(aggregates);
    }

    /// Whether there is an aggregate anywhere in `expression`.
    static boolean aggregates(Expression expression) {
        if (expression instanceof Expression.Call call
                && AggregateCall.Kind.of(call.name()) != null) {
            return true;
        }
        for (Expression operand : Expression.operands(expression)) {
            if (aggregates(operand)) {
                return true;
            }
        }
        return false;
    }

    @Override
    Scalar bind(Expression expression, Type expected) {
        if (!aggregates(expression) && (keysAsk || !asks(expression))) {
            Scalar bound = ungrouped.bind(expression, expected);
            int key = keyIdentities.indexOf(ScalarText.identity(bound));
            if (key >= 0) {
                Scalar scalar = keys.get(key);
                return new Scalar.ColumnRef(
                        key, scalar.type(), scalar.nullable(), ScalarText.of(scalar));
            }
            if (Scalar.isRowFree(bound)) {
                return bound;
            }
        }
        if (expression instanceof Expression.Name name) {
            throw ungrouped(name.position(), name.name());
        } else if (expression instanceof Expression.Starred starred) {
            throw ungrouped(starred.position(), starred.name());
        }
        return super.bind(expression, expected);
    }

    private SqlException ungrouped(int position, String name) {
        return source().error(
                        Kind.SYNTAX,
                        position,
                        "Column \"" + name + "\" must be in GROUP BY, or inside an aggregate");
    }

    /// For a query within this one: it sees groups too.
    @Override
    @Nullable Scalar named(Expression.Name name) {
        return ungrouped.named(name) == null ? null : bind(name, Typing.TEXT);
    }

    @Override
    Scalar aggregate(Expression.Call call, AggregateCall.Kind kind) {
        AggregateCall aggregate = bound(call, kind);
        String identity =
                kind
                        + (aggregate.distinct() ? " DISTINCT " : " ")
                        + (aggregate.argument() == null
                                ? "*"
                                : ScalarText.identity(aggregate.argument()));
        int position = aggregateIdentities.indexOf(identity);
        if (position < 0) {
            position = aggregates.size();
            aggregates.add(aggregate);
            aggregateIdentities.add(identity);
        }
        String name =
                kind
                        + "("
                        + (aggregate.distinct() ? "DISTINCT " : "")
                        + (aggregate.argument() == null ? "*" : ScalarText.of(aggregate.argument()))
                        + ")";
        return new Scalar.ColumnRef(
                keys.size() + position, aggregate.type(), kind != AggregateCall.Kind.COUNT, name);
    }

    private AggregateCall bound(Expression.Call call, AggregateCall.Kind kind) {
        boolean count = kind == AggregateCall.Kind.COUNT;
        if (call.star() && count) {
            return new AggregateCall(
                    kind, null, false, Typing.BIGINT, source().at(call.position()));
        }
        if (call.arguments().size() != 1) {
            throw source().error(
                            Kind.TYPE_MISMATCH,
                            call.position(),
                            kind + " takes 1 argument" + (count ? " or \"*\"" : ""));
        }
        boolean numbers = kind == AggregateCall.Kind.SUM || kind == AggregateCall.Kind.AVG;
        Expression expression = call.arguments().getFirst();
        Scalar argument = ungrouped.bind(expression, numbers ? Typing.BIGINT : Typing.TEXT);
        if (numbers && !Typing.isNumber(argument.type())) {
            throw source().error(
                            Kind.TYPE_MISMATCH,
                            expression.position(),
                            kind + " needs numbers, this is " + argument.type());
        }
        return new AggregateCall(
                kind,
                argument,
                call.distinct(),
                type(kind, argument.type()),
                source().at(call.position()));
    }

    /// The types of PostgreSQL: sums of narrow integers are BIGINT, of BIGINT are DECIMAL; averages
    /// of integers are DECIMAL.
    private static Type type(AggregateCall.Kind kind, Type argument) {
        return switch (kind) {
            case COUNT -> Typing.BIGINT;
            case MIN, MAX -> Typing.plain(argument);
            case SUM ->
                    switch (argument.shape()) {
                        case LONG ->
                                argument.name() == Type.Name.BIGINT
                                        ? Typing.DECIMAL
                                        : Typing.BIGINT;
                        case DOUBLE -> argument;
                        case DECIMAL, TEXT, BYTES -> Typing.DECIMAL;
                    };
            case AVG -> argument.shape() == Type.Shape.DOUBLE ? Typing.DOUBLE : Typing.DECIMAL;
        };
    }
}
