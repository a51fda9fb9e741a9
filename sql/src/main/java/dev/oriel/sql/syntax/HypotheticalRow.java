package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.value.Typing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// `RANK(value) WITHIN GROUP (ORDER BY key)` and the like: the place that a row would take in its group, from numbers of
/// rows before it.
final class HypotheticalRow {
    private final int at;
    private final Expression.Call call;
    private final Expression key;
    private final Expression before;
    private final Expression nulls;

    /// @param value the row's value of the key `by`
    private HypotheticalRow(Expression.Call call, Statement.Order by, Expression value) {
        this.at = call.position();
        this.call = call;
        this.key = by.expression();
        Boolean given = by.nullsFirst();
        boolean first = given == null ? by.descending() : given;
        this.nulls = all(isNull(key, !first), isNull(value, first));
        Operator operator = by.descending() ? Operator.GREATER : Operator.LESS;
        this.before =
                new Expression.Logical(
                        at, false, List.of(new Expression.Binary(at, operator, key, value), nulls));
    }

    /// `call` in our own form; itself if it has not as many values as keys. Of several keys is RANK alone.
    static Expression.Call of(Expression.Call call) {
        int keys = call.orderBy().size();
        if (keys == 0 || call.arguments().size() != keys || call.over() != null) {
            return call;
        }
        HypotheticalRow row =
                new HypotheticalRow(call, call.orderBy().getFirst(), call.arguments().getFirst());
        if (keys > 1) {
            boolean rank = call.name().equalsIgnoreCase("RANK");
            return rank ? row.ofSeveral() : call;
        }
        Expression place =
                switch (call.name().toUpperCase(Locale.ROOT)) {
                    case "RANK" -> row.plus(row.rows(row.before), row.number("1"));
                    case "DENSE_RANK" -> row.dense();
                    case "PERCENT_RANK" ->
                            row.divided(
                                    row.rows(row.before),
                                    new Expression.Call(
                                            row.at,
                                            Function.NULLIF.called(),
                                            List.of(row.rows(null), row.number("0"))));
                    default -> row.cumulated();
                };
        return new Expression.Call(
                row.at, Function.COALESCE.called(), List.of(place, row.number("0")));
    }

    /// RANK by several keys: rows before it in the first key in which they differ.
    private Expression.Call ofSeveral() {
        List<Expression> either = new ArrayList<>();
        List<Expression> same = new ArrayList<>();
        for (int i = 0; i < call.orderBy().size(); i++) {
            Statement.Order by = call.orderBy().get(i);
            Expression value = call.arguments().get(i);
            List<Expression> all = new ArrayList<>(same);
            all.add(new HypotheticalRow(call, by, value).before);
            either.add(new Expression.Logical(at, true, List.copyOf(all)));
            same.add(new Expression.IsDistinct(at, by.expression(), value, true));
        }
        Expression earlier = new Expression.Logical(at, false, List.copyOf(either));
        return new Expression.Call(
                at,
                Function.COALESCE.called(),
                List.of(plus(rows(earlier), number("1")), number("0")));
    }

    /// Different keys before it, NULL among them, and itself.
    private Expression dense() {
        Expression keys = aggregate(List.of(key), true, false, before);
        Expression some =
                new Expression.Binary(
                        at, Operator.GREATER, rows(all(nulls, isNull(key, false))), number("0"));
        Expression ofNull =
                new Expression.Case(
                        at, null, List.of(new Expression.When(some, number("1"))), number("0"));
        return plus(plus(keys, ofNull), number("1"));
    }

    private Expression cumulated() {
        Expression value = call.arguments().getFirst();
        Expression same = new Expression.IsDistinct(at, key, value, true);
        Expression until = new Expression.Logical(at, false, List.of(before, same));
        return divided(plus(rows(until), number("1")), plus(rows(null), number("1")));
    }

    /// The number of rows that meet a condition, or of all.
    private Expression rows(@Nullable Expression condition) {
        return aggregate(List.of(), false, true, condition);
    }

    private Expression aggregate(
            List<Expression> arguments,
            boolean distinct,
            boolean star,
            @Nullable Expression condition) {
        List<Expression> conditions = new ArrayList<>();
        if (call.filter() != null) {
            conditions.add(call.filter());
        }
        if (condition != null) {
            conditions.add(condition);
        }
        Expression filter =
                conditions.size() < 2
                        ? conditions.isEmpty() ? null : conditions.getFirst()
                        : all(conditions.get(0), conditions.get(1));
        Expression.Extras extras =
                filter == null
                        ? null
                        : new Expression.Extras(List.of(), false, filter, false, null);
        return new Expression.Call(
                at, AggregateFunction.COUNT.name(), arguments, distinct, star, extras);
    }

    private Expression isNull(Expression operand, boolean negated) {
        return new Expression.IsNull(at, operand, negated);
    }

    private Expression all(Expression left, Expression right) {
        return new Expression.Logical(at, true, List.of(left, right));
    }

    private Expression plus(Expression left, Expression right) {
        return new Expression.Binary(at, Operator.ADD, left, right);
    }

    private Expression divided(Expression left, Expression right) {
        return new Expression.Binary(
                at, Operator.DIVIDE, new Expression.Cast(at, left, Typing.DOUBLE), right);
    }

    private Expression number(String digits) {
        return new Expression.Literal(at, Expression.Literal.Kind.INTEGER, digits);
    }
}
