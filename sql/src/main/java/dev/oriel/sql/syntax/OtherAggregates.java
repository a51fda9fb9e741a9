package dev.oriel.sql.syntax;

import dev.oriel.sql.value.Typing;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Aggregates of H2, MySQL and DuckDB that are written in another way here.
final class OtherAggregates {
    private OtherAggregates() {}

    /// `call` in our own form.
    static Expression.Call of(Expression.Call call) {
        int count = call.arguments().size();
        return switch (call.name().toUpperCase(Locale.ROOT)) {
            case "COUNT" -> counted(call);
            case "RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST" -> HypotheticalRow.of(call);
            case "APPROX_DISTINCT", "APPROX_COUNT_DISTINCT" -> count == 1 ? distinct(call) : call;
            case "APPROX_PERCENTILE_CONT", "PERCENTILE_CONT", "PERCENTILE_DISC", "QUANTILE_CONT" ->
                    percentile(call);
            case "COUNTIF", "COUNT_IF" -> count == 1 ? countedIf(call) : call;
            case "GROUPING_ID" ->
                    new Expression.Call(call.position(), "GROUPING", call.arguments());
            case "ARG_MAX", "MAX_BY" -> count == 2 ? atEnd(call, true) : call;
            case "ARG_MIN", "MIN_BY" -> count == 2 ? atEnd(call, false) : call;
            case "MEDIAN", "APPROX_MEDIAN" -> count == 1 ? median(call) : call;
            case "MODE", "STATS_MODE" -> count == 1 ? mode(call) : call;
            case "BIT_NAND_AGG" -> inverted(call, AggregateFunction.BIT_AND);
            case "BIT_NOR_AGG" -> inverted(call, AggregateFunction.BIT_OR);
            case "BIT_XNOR_AGG" -> inverted(call, AggregateFunction.BIT_XOR);
            case "BIT_XOR_AGG" -> named(call, AggregateFunction.BIT_XOR);
            default -> count == 1 || count == 2 ? joined(call) : call;
        };
    }

    /// Whether `call` is FIRST_VALUE, LAST_VALUE or NTH_VALUE of no window. ORDER BY in its parentheses orders the rows
    /// of the group.
    static boolean isOfRow(Expression.Call call) {
        boolean window = call.over() != null || isWithin(call);
        return !window
                && switch (call.name().toUpperCase(Locale.ROOT)) {
                    case "FIRST_VALUE", "LAST_VALUE" -> call.arguments().size() == 1;
                    case "NTH_VALUE" -> call.arguments().size() == 2;
                    default -> false;
                };
    }

    private static boolean isWithin(Expression.Call call) {
        return call.extras() != null && call.extras().within();
    }

    /// The value of one row of the group, in order: an element of ARRAY_AGG.
    static Expression.Call ofRow(Expression.Call call) {
        int position = call.position();
        Expression value = call.arguments().getFirst();
        Expression filter = call.filter();
        if (call.extras() != null && call.extras().ignoresNulls()) {
            Expression known = new Expression.IsNull(position, value, true);
            filter =
                    filter == null
                            ? known
                            : new Expression.Logical(position, true, List.of(filter, known));
        }
        Expression all =
                new Expression.Call(
                        position,
                        AggregateFunction.ARRAY_AGG.name(),
                        List.of(value),
                        call.distinct(),
                        false,
                        new Expression.Extras(call.orderBy(), false, filter, false, null));
        Expression number =
                switch (call.name().toUpperCase(Locale.ROOT)) {
                    case "FIRST_VALUE" ->
                            new Expression.Literal(position, Expression.Literal.Kind.INTEGER, "1");
                    case "LAST_VALUE" ->
                            new Expression.Call(
                                    position, Function.CARDINALITY.called(), List.of(all));
                    default -> call.arguments().get(1);
                };
        return new Expression.Call(position, Function.ARRAY_ELEMENT.called(), List.of(all, number));
    }

    /// The number of different values, which DataFusion and BigQuery estimate.
    private static Expression.Call distinct(Expression.Call call) {
        return new Expression.Call(
                call.position(),
                AggregateFunction.COUNT.name(),
                call.arguments(),
                true,
                false,
                call.extras());
    }

    /// `PERCENTILE_CONT(value, fraction)`, as in DataFusion. APPROX_PERCENTILE_CONT is exact here; how many centroids
    /// it may have does not matter.
    private static Expression.Call percentile(Expression.Call call) {
        List<Expression> given = call.arguments();
        boolean approximate = call.name().toUpperCase(Locale.ROOT).startsWith("APPROX");
        boolean discrete = call.name().equalsIgnoreCase(AggregateFunction.PERCENTILE_DISC.name());
        AggregateFunction function =
                discrete ? AggregateFunction.PERCENTILE_DISC : AggregateFunction.PERCENTILE_CONT;
        int most = approximate ? 3 : 2;
        if (isWithin(call)) {
            return approximate && !given.isEmpty() && given.size() < most
                    ? new Expression.Call(
                            call.position(),
                            function.name(),
                            given.subList(0, 1),
                            call.distinct(),
                            false,
                            call.extras())
                    : call;
        }
        Statement.Order by =
                given.isEmpty() ? null : new Statement.Order(given.getFirst(), false, null);
        return by == null || given.size() < 2 || given.size() > most || !call.orderBy().isEmpty()
                ? call
                : within(call, function, given.subList(1, 2), by);
    }

    /// The number of rows for which the argument is TRUE.
    private static Expression.Call countedIf(Expression.Call call) {
        Expression condition = call.arguments().getFirst();
        Expression filter =
                call.filter() == null
                        ? condition
                        : new Expression.Logical(
                                call.position(), true, List.of(call.filter(), condition));
        return new Expression.Call(
                call.position(),
                AggregateFunction.COUNT.name(),
                List.of(),
                false,
                true,
                new Expression.Extras(List.of(), false, filter, false, call.over()));
    }

    private static Expression.Call named(Expression.Call call, AggregateFunction aggregate) {
        return new Expression.Call(
                call.position(),
                aggregate.name(),
                call.arguments(),
                call.distinct(),
                call.star(),
                call.extras());
    }

    /// An aggregate whose bits are inverted.
    private static Expression.Call inverted(Expression.Call call, AggregateFunction aggregate) {
        return new Expression.Call(
                call.position(), Function.BITNOT.called(), List.of(named(call, aggregate)));
    }

    /// COUNT of several values counts the rows in which none of them is NULL.
    private static Expression.Call counted(Expression.Call call) {
        Expression none =
                new Expression.Literal(call.position(), Expression.Literal.Kind.NULL, "NULL");
        List<Expression> known = new ArrayList<>();
        if (call.filter() != null) {
            known.add(call.filter());
        }
        for (Expression value : call.arguments()) {
            known.add(new Expression.IsDistinct(call.position(), value, none, false));
        }
        Expression filter = new Expression.Logical(call.position(), true, List.copyOf(known));
        return new Expression.Call(
                call.position(),
                call.name(),
                List.of(new Expression.RowValue(call.position(), call.arguments())),
                call.distinct(),
                false,
                new Expression.Extras(List.of(), false, filter, false, call.over()));
    }

    /// The first argument of the row whose second one is the greatest, or the least.
    private static Expression.Call atEnd(Expression.Call call, boolean greatest) {
        int position = call.position();
        Expression by = call.arguments().get(1);
        Expression known = new Expression.IsNull(position, by, true);
        Expression filter =
                call.filter() == null
                        ? known
                        : new Expression.Logical(position, true, List.of(call.filter(), known));
        return new Expression.Call(
                position,
                AggregateFunction.ANY_VALUE.name(),
                List.of(call.arguments().getFirst()),
                call.distinct(),
                false,
                new Expression.Extras(
                        List.of(new Statement.Order(by, greatest, null)),
                        false,
                        filter,
                        false,
                        call.over()));
    }

    /// MEDIAN of values is the percentile in the middle.
    private static Expression.Call median(Expression.Call call) {
        Expression middle =
                new Expression.Literal(call.position(), Expression.Literal.Kind.DECIMAL, "0.5");
        Statement.Order by = new Statement.Order(call.arguments().getFirst(), false, null);
        return within(call, AggregateFunction.PERCENTILE_CONT, List.of(middle), by);
    }

    /// `MODE(value)`, and `MODE(value ORDER BY value DESC)`.
    private static Expression.Call mode(Expression.Call call) {
        Expression value = call.arguments().getFirst();
        boolean descending = !call.orderBy().isEmpty() && call.orderBy().getFirst().descending();
        Statement.Order by = new Statement.Order(value, descending, null);
        return within(call, AggregateFunction.MODE, List.of(), by);
    }

    private static Expression.Call within(
            Expression.Call call,
            AggregateFunction aggregate,
            List<Expression> arguments,
            Statement.Order by) {
        return new Expression.Call(
                call.position(),
                aggregate.name(),
                arguments,
                call.distinct(),
                false,
                new Expression.Extras(List.of(by), true, call.filter(), false, call.over()));
    }

    /// The arguments of GROUP_CONCAT as those of STRING_AGG: its values side by side, and SEPARATOR or a comma.
    static List<Expression> joined(
            TokenReader tokens, ExpressionParser expressions, List<Expression> values) {
        int position = tokens.position();
        Expression separator =
                tokens.acceptWord("SEPARATOR")
                        ? expressions.expression()
                        : new Expression.Literal(position, Expression.Literal.Kind.STRING, ",");
        Expression value = values.getFirst();
        for (Expression next : values.subList(1, values.size())) { // a NULL leaves the row out
            value =
                    new Expression.Binary(
                            position,
                            Expression.Operator.CONCAT,
                            new Expression.Cast(position, value, Typing.TEXT),
                            new Expression.Cast(position, next, Typing.TEXT));
        }
        return List.of(value, separator);
    }

    /// GROUP_CONCAT and LISTAGG join values of any type. Without a separator LISTAGG puts nothing between them.
    private static Expression.Call joined(Expression.Call call) {
        int position = call.position();
        Expression text = new Expression.Cast(position, call.arguments().getFirst(), Typing.TEXT);
        Expression separator =
                call.arguments().size() > 1
                        ? call.arguments().get(1)
                        : new Expression.Literal(position, Expression.Literal.Kind.STRING, "");
        return new Expression.Call(
                position,
                AggregateFunction.STRING_AGG.name(),
                List.of(text, separator),
                call.distinct(),
                call.star(),
                call.extras());
    }
}
