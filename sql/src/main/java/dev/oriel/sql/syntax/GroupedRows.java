package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Item;
import dev.oriel.sql.syntax.Statement.Select;
import dev.oriel.sql.syntax.Statement.Tail;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Divides a query with groups, aggregates or window functions, and set-returning functions over their results.
///
/// ```
/// SELECT a, f(COUNT(*)) FROM t GROUP BY a
/// SELECT g.a, f(g.c) FROM (SELECT a, NULL, COUNT(*) FROM t GROUP BY a) AS g (a, f, c)
/// ```
///
/// The inner items stand at the positions of the outer ones, for GROUP BY. Those that functions need stand behind them.
final class GroupedRows {
    private static final String INNER = SelectedRows.HIDDEN + "g";

    private final Select select;
    private final List<Item> inner = new ArrayList<>();

    private GroupedRows(Select select) {
        this.select = select;
    }

    /// The inner query of `select`, and a select list over it.
    ///
    /// @param calls the set-returning functions
    /// @param items the items of `select`, with columns in the place of the functions
    /// @return null if the query is not grouped, or has stars
    static @Nullable Select of(Select select, List<Item> items, List<Expression.Call> calls) {
        boolean divides = dividesAlways(select);
        for (Item item : select.items()) {
            if (!(item instanceof Item.Value value)) {
                return null;
            }
            divides |= SelectedRows.holds(value.expression(), select.groupBy().isEmpty());
        }
        return divides || !select.groupBy().isEmpty()
                ? new GroupedRows(select).divided(items, calls)
                : null;
    }

    /// Whether rows are multiplied behind the clauses of `select`, whatever its list is. DISTINCT ON, a QUALIFY here,
    /// takes rows before they are multiplied if it has an order, and after that without one, as in PostgreSQL.
    static boolean dividesAlways(Select select) {
        return !select.windows().isEmpty()
                || select.having() != null
                || (select.qualify() != null && !select.tail().orderBy().isEmpty());
    }

    /// Whether GROUP BY names an item that has a set-returning function. Then rows are multiplied before all clauses.
    static boolean groupsByRows(Select select, List<Item> items) {
        for (Statement.GroupElement element : select.groupBy()) {
            boolean found =
                    switch (element) {
                        case Statement.GroupElement.Key key -> isRows(key.expression(), items);
                        case Statement.GroupElement.Sets sets ->
                                sets.sets().stream()
                                        .flatMap(List::stream)
                                        .anyMatch(key -> isRows(key, items));
                        case Statement.GroupElement.Distinct _ -> false;
                    };
            if (found) {
                return true;
            }
        }
        return false;
    }

    private static boolean isRows(Expression key, List<Item> items) {
        for (int i = 0; i < items.size(); i++) {
            if (!(items.get(i) instanceof Item.Value item)) {
                return false; // numbers behind a star are not known here
            }
            boolean named =
                    key instanceof Expression.Name name
                            && item.alias() != null
                            && name.qualifier() == null
                            && item.alias().name().equalsIgnoreCase(name.name());
            boolean counted =
                    key instanceof Expression.Literal literal
                            && literal.text().equals(Integer.toString(i + 1));
            if ((named || counted) && hasRows(item.expression())) {
                return true;
            }
        }
        return false;
    }

    private Select divided(List<Item> items, List<Expression.Call> calls) {
        List<Item> outer = new ArrayList<>();
        for (Item item : items) {
            Item.Value value = (Item.Value) item;
            int at = value.expression().position();
            boolean rows = hasRows(value.expression());
            inner.add(
                    rows
                            ? new Item.Value(
                                    new Expression.Literal(
                                            at, Expression.Literal.Kind.NULL, "NULL"),
                                    null)
                            : value);
        }
        for (int i = 0; i < items.size(); i++) {
            Item.Value value = (Item.Value) items.get(i);
            int at = value.expression().position();
            Expression expression =
                    hasRows(value.expression()) ? lifted(value.expression()) : column(at, i);
            Identifier alias = value.alias();
            if (alias == null) {
                alias = new Identifier(at, Expression.outputName(value.expression()));
            }
            outer.add(new Item.Value(expression, alias));
        }
        for (int i = 0; i < calls.size(); i++) {
            Expression.Call call = calls.get(i);
            List<Expression> arguments = new ArrayList<>();
            for (Expression argument : call.arguments()) {
                arguments.add(lifted(argument));
            }
            calls.set(
                    i,
                    new Expression.Call(
                            call.position(),
                            call.name(),
                            List.copyOf(arguments),
                            call.distinct(),
                            call.star(),
                            call.extras()));
        }
        Tail tail = ended(outer);
        return new Select(
                select.position(),
                select.distinct(),
                List.copyOf(outer),
                grouped(),
                null,
                List.of(),
                null,
                List.of(),
                null,
                tail);
    }

    /// The end of the query, whose ORDER BY may name columns that only the inner query has.
    private Tail ended(List<Item> outer) {
        List<Statement.Order> order = new ArrayList<>();
        for (Statement.Order key : select.tail().orderBy()) {
            boolean own =
                    key.expression() instanceof Expression.Literal
                            || (key.expression() instanceof Expression.Name name
                                    && name.qualifier() == null
                                    && isCalled(outer, name.name()));
            Expression expression = own ? key.expression() : lifted(key.expression());
            order.add(new Statement.Order(expression, key.descending(), key.nullsFirst()));
        }
        Tail tail = select.tail();
        return new Tail(
                List.copyOf(order), tail.limit(), tail.offset(), tail.ties(), tail.percent());
    }

    private static boolean isCalled(List<Item> items, String name) {
        for (Item item : items) {
            if (item instanceof Item.Value value
                    && value.alias() != null
                    && value.alias().name().equalsIgnoreCase(name)) {
                return true;
            }
        }
        return false;
    }

    private From grouped() {
        int position = select.position();
        List<Identifier> names = new ArrayList<>();
        for (int i = 0; i < inner.size(); i++) {
            names.add(new Identifier(position, SelectedRows.HIDDEN + "c" + i));
        }
        Select query =
                new Select(
                        position,
                        false,
                        List.copyOf(inner),
                        select.from(),
                        select.where(),
                        select.groupBy(),
                        select.having(),
                        select.windows(),
                        select.qualify(),
                        Tail.NONE);
        return new From.Derived(
                position, query, new Identifier(position, INNER), List.copyOf(names), false);
    }

    private static Expression column(int position, int number) {
        return new Expression.Name(position, INNER, SelectedRows.HIDDEN + "c" + number);
    }

    private static boolean hasRows(Expression expression) {
        return switch (expression) {
            case Expression.Name name ->
                    name.qualifier() != null && name.qualifier().equals(SelectedRows.HIDDEN);
            case Expression.Call call -> call.arguments().stream().anyMatch(GroupedRows::hasRows);
            case Expression.Case of -> of.whens().stream().anyMatch(when -> hasRows(when.result()));
            case Expression.Cast cast -> hasRows(cast.operand());
            case Expression.Negation negation -> hasRows(negation.operand());
            case Expression.IsNull test -> hasRows(test.operand());
            case Expression.Not not -> hasRows(not.operand());
            case Expression.Binary binary -> hasRows(binary.left()) || hasRows(binary.right());
            default -> false;
        };
    }

    /// `expression`, whose parts without set-returning functions are computed within.
    private Expression lifted(Expression expression) {
        if (expression instanceof Expression.Literal
                || expression instanceof Expression.IntervalLiteral) {
            return expression;
        }
        if (!hasRows(expression)) {
            inner.add(new Item.Value(expression, null));
            return column(expression.position(), inner.size() - 1);
        }
        return switch (expression) {
            case Expression.Call call -> {
                List<Expression> arguments = new ArrayList<>();
                for (Expression argument : call.arguments()) {
                    arguments.add(lifted(argument));
                }
                yield new Expression.Call(call.position(), call.name(), List.copyOf(arguments));
            }
            case Expression.Cast cast ->
                    new Expression.Cast(cast.position(), lifted(cast.operand()), cast.type());
            case Expression.Negation negation ->
                    new Expression.Negation(negation.position(), lifted(negation.operand()));
            case Expression.IsNull test ->
                    new Expression.IsNull(test.position(), lifted(test.operand()), test.negated());
            case Expression.Not not -> new Expression.Not(not.position(), lifted(not.operand()));
            case Expression.Binary binary ->
                    new Expression.Binary(
                            binary.position(),
                            binary.operator(),
                            lifted(binary.left()),
                            lifted(binary.right()));
            default -> expression;
        };
    }
}
