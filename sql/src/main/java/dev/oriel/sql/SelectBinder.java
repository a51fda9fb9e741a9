package dev.oriel.sql;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.table.Catalog;
import dev.oriel.table.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Binds queries. Names in ORDER BY mean output columns first, names in GROUP BY the table's columns
/// first, as in PostgreSQL; integers in both are positions in the select list.
final class SelectBinder {
    private final SqlText source;
    private final Catalog catalog;
    private final ParameterTypes parameters;

    SelectBinder(SqlText source, Catalog catalog, ParameterTypes parameters) {
        this.source = source;
        this.catalog = catalog;
        this.parameters = parameters;
    }

    /// An entry of the select list, stars spelled out.
    private record Item(Expression expression, String name) {}

    /// Binds `select`.
    BoundSelect bind(Statement.Select select) {
        @Nullable Table table = null;
        Scope scope = Scope.EMPTY;
        if (select.from() instanceof Statement.From.Named named) {
            table = table(source, catalog, named.table());
            Statement.Identifier name = named.alias() == null ? named.table() : named.alias();
            scope = Scope.of(table, name.name());
        }
        ScalarBinder rows = new ScalarBinder(source, scope, parameters);
        Scalar where = select.where() == null ? null : rows.condition(select.where(), "WHERE");
        List<Item> items = items(select, scope);
        @Nullable GroupedBinder groups = null;
        List<Scalar> keys = List.of();
        if (grouped(select)) {
            keys = keys(select, items, rows);
            groups = new GroupedBinder(rows, keys);
        }
        ScalarBinder binder = groups == null ? rows : groups;
        List<BoundSelect.Output> outputs = new ArrayList<>();
        for (Item item : items) {
            Scalar scalar = binder.bind(item.expression());
            outputs.add(
                    new BoundSelect.Output(
                            scalar, item.name(), tableOf(scalar, groups, keys, scope)));
        }
        Scalar having =
                select.having() == null ? null : binder.condition(select.having(), "HAVING");
        int visible = outputs.size();
        List<Plan.SortKey> order = order(select, items, binder, outputs);
        return new BoundSelect(
                table,
                where,
                groups == null ? null : new BoundSelect.Grouping(keys, groups.aggregates(), having),
                List.copyOf(outputs),
                visible,
                select.distinct(),
                order,
                count(select.limit(), "LIMIT"),
                count(select.offset(), "OFFSET"));
    }

    /// The table `name`.
    static Table table(SqlText source, Catalog catalog, Statement.Identifier name) {
        Table table = catalog.table(name.name());
        if (table == null) {
            List<String> names = new ArrayList<>();
            catalog.tables().forEach(other -> names.add(other.name()));
            throw source.error(
                    Kind.UNKNOWN_TABLE,
                    name.position(),
                    "There is no table \"" + name.name() + "\"" + Nearest.hint(name.name(), names));
        }
        return table;
    }

    private static boolean grouped(Statement.Select select) {
        if (!select.groupBy().isEmpty() || select.having() != null) {
            return true;
        }
        for (Statement.Item item : select.items()) {
            if (item instanceof Statement.Item.Value value
                    && GroupedBinder.aggregates(value.expression())) {
                return true;
            }
        }
        for (Statement.Order order : select.orderBy()) {
            if (GroupedBinder.aggregates(order.expression())) {
                return true;
            }
        }
        return false;
    }

    private List<Item> items(Statement.Select select, Scope scope) {
        List<Item> items = new ArrayList<>();
        for (Statement.Item item : select.items()) {
            switch (item) {
                case Statement.Item.Star star -> {
                    for (Scope.Relation relation : scope.star(source, star)) {
                        relation.table()
                                .columns()
                                .forEach(column ->
                                        items.add(
                                                new Item(
                                                        new Expression.Name(
                                                                star.position(),
                                                                relation.name(),
                                                                column.name()),
                                                        column.name())));
                    }
                }
                case Statement.Item.Value value ->
                        items.add(
                                new Item(
                                        value.expression(),
                                        value.alias() == null
                                                ? name(value.expression())
                                                : value.alias().name()));
            }
        }
        return items;
    }

    private static String name(Expression expression) {
        return switch (expression) {
            case Expression.Name name -> name.name();
            case Expression.Call call -> call.name().toLowerCase(Locale.ROOT);
            case Expression.Cast cast ->
                    cast.operand() instanceof Expression.Name name
                            ? name.name()
                            : cast.type().name().name().toLowerCase(Locale.ROOT);
            case Expression.Case choice -> "case";
            case Expression.Literal literal -> "?column?";
            case Expression.Parameter parameter -> "?column?";
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

    private static String tableOf(
            Scalar scalar, @Nullable GroupedBinder groups, List<Scalar> keys, Scope scope) {
        if (!(scalar instanceof Scalar.ColumnRef column)) {
            return "";
        }
        if (groups == null) {
            return scope.tableOf(column.column());
        }
        return column.column() < keys.size()
                        && keys.get(column.column()) instanceof Scalar.ColumnRef key
                ? scope.tableOf(key.column())
                : "";
    }

    private List<Scalar> keys(Statement.Select select, List<Item> items, ScalarBinder rows) {
        List<Scalar> keys = new ArrayList<>();
        for (Expression expression : select.groupBy()) {
            Expression key = expression;
            int position = position(expression, items.size(), "GROUP BY");
            if (position >= 0) {
                key = items.get(position).expression();
            } else if (expression instanceof Expression.Name name
                    && name.qualifier() == null
                    && !isColumn(rows.scope(), name.name())) {
                int output = outputNamed(name, items);
                key = output < 0 ? expression : items.get(output).expression();
            }
            if (GroupedBinder.aggregates(key)) {
                throw source.error(
                        Kind.SYNTAX, expression.position(), "GROUP BY cannot hold an aggregate");
            }
            keys.add(rows.bind(key));
        }
        return List.copyOf(keys);
    }

    private static boolean isColumn(Scope scope, String name) {
        for (Scope.Relation relation : scope.relations()) {
            if (relation.table().column(name) >= 0) {
                return true;
            }
        }
        return false;
    }

    /// The position that an integer in ORDER BY or GROUP BY means, or -1 where it is no integer.
    private int position(Expression expression, int outputs, String where) {
        if (!(expression instanceof Expression.Literal literal)) {
            return -1;
        }
        if (literal.kind() != Expression.Literal.Kind.INTEGER || literal.text().length() > 9) {
            throw source.error(
                    Kind.SYNTAX,
                    literal.position(),
                    where + " takes columns, expressions and positions, not constants");
        }
        int position = Integer.parseInt(literal.text());
        if (position < 1 || position > outputs) {
            throw source.error(
                    Kind.SYNTAX,
                    literal.position(),
                    where + " position " + position + " is not in the select list");
        }
        return position - 1;
    }

    /// The output that is called `name`, or -1.
    private int outputNamed(Expression.Name name, List<Item> items) {
        int found = -1;
        for (int i = 0; i < items.size(); i++) {
            if (!items.get(i).name().equalsIgnoreCase(name.name())) {
                continue;
            }
            if (found >= 0 && !sameName(items.get(found), items.get(i))) {
                throw source.error(
                        Kind.AMBIGUOUS_COLUMN,
                        name.position(),
                        "More than one column of the result is called \"" + name.name() + "\"");
            }
            found = found < 0 ? i : found;
        }
        return found;
    }

    private static boolean sameName(Item a, Item b) {
        return a.expression() instanceof Expression.Name first
                && b.expression() instanceof Expression.Name second
                && first.name().equalsIgnoreCase(second.name());
    }

    private List<Plan.SortKey> order(
            Statement.Select select,
            List<Item> items,
            ScalarBinder binder,
            List<BoundSelect.Output> outputs) {
        List<Plan.SortKey> keys = new ArrayList<>();
        for (Statement.Order order : select.orderBy()) {
            int column = position(order.expression(), items.size(), "ORDER BY");
            if (column < 0
                    && order.expression() instanceof Expression.Name name
                    && name.qualifier() == null) {
                column = outputNamed(name, items);
            }
            if (column < 0) {
                column = output(order.expression(), binder, outputs, select.distinct());
            }
            boolean nullsFirst =
                    order.nullsFirst() == null ? order.descending() : order.nullsFirst();
            keys.add(new Plan.SortKey(column, order.descending(), nullsFirst));
        }
        return List.copyOf(keys);
    }

    /// The output that is `expression`, added where there is none.
    private int output(
            Expression expression,
            ScalarBinder binder,
            List<BoundSelect.Output> outputs,
            boolean distinct) {
        Scalar scalar = binder.bind(expression);
        String identity = ScalarText.identity(scalar);
        for (int i = 0; i < outputs.size(); i++) {
            if (ScalarText.identity(outputs.get(i).scalar()).equals(identity)) {
                return i;
            }
        }
        if (distinct) {
            throw source.error(
                    Kind.SYNTAX,
                    expression.position(),
                    "With DISTINCT, ORDER BY can only use what is in the select list");
        }
        outputs.add(new BoundSelect.Output(scalar, "", ""));
        return outputs.size() - 1;
    }

    private Plan.@Nullable Count count(@Nullable Expression expression, String clause) {
        if (expression == null) {
            return null;
        }
        ScalarBinder constants = new ScalarBinder(source, Scope.EMPTY, parameters);
        Scalar bound = constants.bind(expression, Typing.BIGINT);
        if (!Typing.isInteger(bound.type())) {
            throw source.error(
                    Kind.TYPE_MISMATCH,
                    expression.position(),
                    clause + " counts rows in integers, this is " + bound.type());
        }
        return new Plan.Count(bound, source.at(expression.position()));
    }
}
