package dev.oriel.sql.syntax;

import java.util.Locale;

/// Names of output columns without an alias, as in PostgreSQL.
public final class OutputName {
    private OutputName() {}

    /// Name of a function's column. Internal functions are named after an operator, or after another function's
    /// variant.
    private static String function(String path) {
        String function = path.substring(path.indexOf('\0') + 1);
        if (!Character.isLetter(function.charAt(0))) {
            return "?column?";
        }
        int blank = function.indexOf(' ');
        return (blank < 0 ? function : function.substring(0, blank)).toLowerCase(Locale.ROOT);
    }

    /// The name of the column of `expression`.
    public static String of(Expression expression) {
        return switch (expression) {
            case Expression.Name name -> name.name();
            case Expression.Starred starred -> starred.name();
            case Expression.Exists exists -> "exists";
            case Expression.Subquery subquery -> of(subquery.query());
            case Expression.InQuery in -> "?column?";
            case Expression.Quantified quantified -> "?column?";
            case Expression.Call call when call.name().equals(Function.ATTRIBUTE.called()) ->
                    ((Expression.Literal) call.arguments().get(1)).text();
            case Expression.Call call -> function(call.name());
            case Expression.ArrayOf array -> "array";
            case Expression.ArrayTest test -> "?column?";
            case Expression.JsonCall call -> "json_" + call.kind().name().toLowerCase(Locale.ROOT);
            case Expression.Cast cast ->
                    cast.operand() instanceof Expression.Name
                                    || cast.operand() instanceof Expression.RowValue
                            ? of(cast.operand())
                            : cast.type().name().name().toLowerCase(Locale.ROOT);
            case Expression.Case choice -> "case";
            case Expression.Literal literal -> "?column?";
            case Expression.Parameter parameter -> "?column?";
            case Expression.IntervalLiteral interval -> "?column?";
            case Expression.RowValue row -> "row";
            case Expression.Negation negation -> "?column?";
            case Expression.Not not -> "?column?";
            case Expression.Binary binary -> "?column?";
            case Expression.Logical logical -> "?column?";
            case Expression.IsNull test -> "?column?";
            case Expression.IsTruth test -> "?column?";
            case Expression.IsDistinct test -> "?column?";
            case Expression.Between between -> "?column?";
            case Expression.In in -> "?column?";
            case Expression.Like like -> "?column?";
        };
    }

    /// Name of the only column of a subquery.
    private static String of(Statement.Query query) {
        if (query instanceof Statement.Locking locking) {
            return of(locking.query());
        }
        return query instanceof Statement.Select select
                        && !select.items().isEmpty()
                        && select.items().getFirst() instanceof Statement.Item.Value value
                ? value.alias() == null ? of(value.expression()) : value.alias().name()
                : "?column?";
    }
}
