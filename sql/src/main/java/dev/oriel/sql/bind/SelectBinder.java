package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Condition;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.ScalarText;
import dev.oriel.sql.planner.AccessPlanner;
import dev.oriel.sql.planner.BoundSelect;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.SelectedRows;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.OpenType;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Partition;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.View;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Binds SELECT. Names in ORDER BY resolve to output columns first, names in GROUP BY to the tables' columns first,
/// as in PostgreSQL. Integers in both are positions in the select list.
public final class SelectBinder {
    private final BindContext around;
    private final SqlText source;

    SelectBinder(BindContext around) {
        this.around = around;
        this.source = around.source();
    }

    /// An entry of the select list, with stars expanded.
    private record Item(Expression expression, String name) {}

    /// A query with its FROM clause bound.
    private record Read(
            Statement.Select select,
            @Nullable BoundFrom from,
            @Nullable Scalar where,
            List<Item> items) {}

    /// The condition `where`. Rows are dropped if it is unknown or false; an IN may rely on this.
    ///
    /// @param clause its name, for errors
    static Scalar filter(ScalarBinder rows, Expression where, String clause) {
        List<Expression> terms =
                where instanceof Expression.Logical all && all.and() ? all.terms() : List.of(where);
        boolean filters = false;
        for (Expression term : terms) {
            filters |= SubqueryBinder.isFilter(term);
        }
        if (!filters) {
            return rows.condition(where, clause);
        }
        List<Scalar> all = new ArrayList<>();
        for (Expression term : terms) {
            all.add(
                    term instanceof Expression.InQuery in && SubqueryBinder.isFilter(term)
                            ? new SubqueryBinder(rows).filter(in)
                            : rows.condition(term, "AND"));
        }
        return all.size() == 1 ? all.getFirst() : new Condition.Logical(true, List.copyOf(all));
    }

    /// Binds `select`.
    ///
    /// @param expected types for columns without a type of their own; one for each column, or none
    BoundSelect bind(Statement.Select written, List<Type> expected) {
        Statement.Select select = SelectedRows.callsUsers(written) ? rowsMoved(written) : written;
        BoundFrom from = null;
        Scope scope = Scope.EMPTY;
        List<Scalar> conditions = new ArrayList<>();
        if (select.from() != null) {
            FromBinder.Bound bound = FromBinder.bind(around, select.from(), conditions);
            from = bound.from();
            scope = bound.scope();
        }
        ScalarBinder rows = new ScalarBinder(around, scope);
        if (select.where() != null) {
            conditions.add(filter(rows, select.where(), "WHERE"));
        }
        Scalar where = AccessPlanner.all(conditions);
        Read read = new Read(select, from, where, items(select, scope));
        if (!around.binding().levels().isGrouped(select, rows)) {
            UngroupedBinder binder = new UngroupedBinder(rows);
            BoundSelect bound = bind(read, expected, binder, null);
            if (!binder.aggregated()) {
                return bound;
            }
            around.binding().levels().group(select);
        }
        KeyBinder.Keys keys = keys(select, read.items(), rows);
        GroupedBinder groups = new GroupedBinder(rows, keys.scalars(), keys.sets());
        return bind(read, expected, groups, keys);
    }

    /// `select` with the calls in its list that return rows moved to FROM.
    private Statement.Select rowsMoved(Statement.Select select) {
        FunctionLookup functions = new FunctionLookup(around);
        return SelectedRows.moved(
                select,
                source,
                call -> {
                    SqlFunction function = functions.rows(call);
                    if (function == null) {
                        return SelectedRows.builtIn(call);
                    }
                    return function.result().size() == 1
                            ? List.of("value")
                            : function.result().stream().map(SqlFunction.Result::name).toList();
                });
    }

    /// Binds the clauses over the rows of FROM.
    ///
    /// @param keys null if there are no groups
    private BoundSelect bind(
            Read read, List<Type> expected, ScalarBinder binder, KeyBinder.@Nullable Keys keys) {
        Statement.Select select = read.select();
        List<Item> items = read.items();
        WindowBinder windows = new WindowBinder(source, select.windows());
        binder.windows(windows);
        List<BoundSelect.Output> outputs = new ArrayList<>();
        for (Item item : items) {
            boolean untyped = ScalarBinder.untyped(item.expression());
            Type type =
                    expected.size() == items.size() ? expected.get(outputs.size()) : OpenType.TEXT;
            Scalar scalar = binder.bind(item.expression(), Typing.plain(type));
            String table = tableOf(scalar, keys, binder.scope());
            outputs.add(new BoundSelect.Output(scalar, item.name(), table, untyped));
        }
        binder.windows(null);
        if ((select.having() != null || select.qualify() != null)
                && !around.binding().isStored()
                && hasAlias(select)) {
            binder.aliases(new SelectAliases(select.items()));
        }
        Scalar having = select.having() == null ? null : filter(binder, select.having(), "HAVING");
        binder.windows(windows);
        Scalar qualify =
                select.qualify() == null ? null : binder.condition(select.qualify(), "QUALIFY");
        binder.aliases(null);
        int visible = outputs.size();
        List<SortKey> order = order(select, items, binder, outputs);
        return new BoundSelect(
                read.from(),
                read.where(),
                keys == null || !(binder instanceof GroupedBinder groups)
                        ? null
                        : new BoundSelect.Grouping(
                                keys.scalars(), keys.sets(), groups.aggregates(), having),
                windows.calls(),
                qualify,
                List.copyOf(outputs),
                visible,
                select.distinct(),
                order,
                QueryBinder.limits(around, select.tail()));
    }

    private static boolean hasAlias(Statement.Select select) {
        for (Statement.Item item : select.items()) {
            if (item instanceof Statement.Item.Value value && value.alias() != null) {
                return true;
            }
        }
        return false;
    }

    /// The table `name`.
    public static Table table(SqlText source, Catalog catalog, Statement.Identifier name) {
        Table table = catalog.table(name.path());
        if (table == null) {
            List<String> names = new ArrayList<>();
            List<String> searched = catalog.searched();
            for (Table other : catalog.tables()) {
                boolean bare = searched.contains(other.schema());
                names.add(bare ? other.name() : other.path().replace('\0', '.'));
            }
            if (catalog.external(name.path()) != null) {
                throw source.error(
                        Kind.WRONG_OBJECT,
                        name.position(),
                        "\""
                                + name.name()
                                + "\" is an external table, where one of the database is needed");
            }
            View view = catalog.view(name.path());
            if (view != null && catalog.partition(view.id()) != null) {
                throw source.error(
                        Kind.NOT_SUPPORTED,
                        name.position(),
                        "\""
                                + name.name()
                                + "\" is a partition, where a table is needed; name its table");
            }
            if (view != null) {
                throw source.error(
                        Kind.WRONG_OBJECT,
                        name.position(),
                        "\"" + name.name() + "\" is a view, where a table is needed");
            }
            String hint = Nearest.hint(name.text(), names);
            throw source.error(
                    Kind.UNKNOWN_TABLE,
                    name.position(),
                    "There is no table \"" + name.text() + "\"" + hint);
        }
        return table;
    }

    /// The table at `path`, or the one that stores the rows of the partition there; null if there is neither.
    public static @Nullable Table storing(Catalog catalog, String path) {
        Partition place = place(catalog, path);
        return place == null ? catalog.table(path) : catalog.storing(place);
    }

    /// The place of the partitioned table or partition at `path`; null if there is none.
    public static @Nullable Partition place(Catalog catalog, String path) {
        View view = catalog.view(path);
        Table table = view == null ? catalog.table(path) : null;
        return view != null
                ? catalog.partition(view.id())
                : table == null ? null : catalog.partition(table.id());
    }

    /// The partition `name`; null if there is no view of this name, or one that is no partition.
    public static @Nullable Partition partition(Catalog catalog, Statement.Identifier name) {
        Partition place = place(catalog, name.path());
        return place == null || place.isRoot() ? null : place;
    }

    /// Same as [#storing(Catalog, String)], which must exist.
    public static Table storing(SqlText source, Catalog catalog, Statement.Identifier name) {
        Table table = storing(catalog, name.path());
        return table == null ? table(source, catalog, name) : table;
    }

    /// Like [#table], but refuses a materialized view.
    public static Table ordinary(SqlText source, Catalog catalog, Statement.Identifier name) {
        Table table = table(source, catalog, name);
        if (catalog.materialized(table.id()) != null) {
            throw source.error(
                    Kind.WRONG_OBJECT,
                    name.position(),
                    "\""
                            + name.name()
                            + "\" is a materialized view, where a table is needed; DROP and ALTER"
                            + " MATERIALIZED VIEW change it");
        }
        return table;
    }

    private List<Item> items(Statement.Select select, Scope scope) {
        List<Item> items = new ArrayList<>();
        for (Statement.Item item : select.items()) {
            switch (item) {
                case Statement.Item.Star star -> {
                    List<Expression> attributes = attributes(star, scope);
                    if (attributes != null) {
                        attributes.forEach(each -> items.add(new Item(each, name(each))));
                        continue;
                    }
                    ViewDeparser spelled = around.binding().spelled();
                    List<Expression> outer = outer(star, scope);
                    if (outer != null) {
                        outer.forEach(each -> items.add(new Item(each, name(each))));
                        if (spelled != null) {
                            spelled.outerStar(star, outer);
                        }
                        continue;
                    }
                    List<Expression.Starred> columns = scope.star(source, star);
                    columns.forEach(column -> items.add(new Item(column, column.name())));
                    if (spelled != null) {
                        spelled.star(star, scope, columns);
                    }
                }
                case Statement.Item.Value value -> {
                    List<Expression> attributes =
                            value.alias() == null ? attributes(value.expression(), scope) : null;
                    if (attributes != null) {
                        attributes.forEach(each -> items.add(new Item(each, name(each))));
                    } else {
                        ViewDeparser spelled = around.binding().spelled();
                        if (spelled != null && value.alias() == null) {
                            spelled.unnamed(value.expression());
                        }
                        items.add(
                                new Item(
                                        value.expression(),
                                        value.alias() == null
                                                ? name(value.expression())
                                                : value.alias().name()));
                    }
                }
            }
        }
        return items;
    }

    /// The attributes of the composite column that `star` names; null if it names none.
    private @Nullable List<Expression> attributes(Statement.Item.Star star, Scope scope) {
        String column = star.qualifier();
        return column == null || scope.relation(column) != null
                ? null
                : new CompositeBinder(new ScalarBinder(around, scope))
                        .starred(new Expression.Name(star.position(), column, Expression.Name.ALL));
    }

    /// The columns of the table of an outer query that `star` names; null if it names none.
    private @Nullable List<Expression> outer(Statement.Item.Star star, Scope scope) {
        String table = star.qualifier();
        boolean own = table == null || table.indexOf('\0') >= 0 || scope.relation(table) != null;
        if (own || !star.without().isEmpty()) {
            return null;
        }
        Expression.RowValue row =
                new WholeRows(new ScalarBinder(around, scope))
                        .values(new Expression.Name(star.position(), table, Expression.Name.ALL));
        return row == null ? null : row.values();
    }

    /// The attributes of a composite value if `expression` is `(value).*`; else null.
    private @Nullable List<Expression> attributes(Expression expression, Scope scope) {
        return expression instanceof Expression.Call call
                        && call.name().equals(Function.ATTRIBUTE.called())
                ? new CompositeBinder(new ScalarBinder(around, scope)).starred(expression)
                : null;
    }

    static String name(Expression expression) {
        return Expression.outputName(expression);
    }

    private static String tableOf(Scalar scalar, KeyBinder.@Nullable Keys keys, Scope scope) {
        if (!(scalar instanceof Scalar.ColumnRef column)) {
            return "";
        }
        if (keys == null) {
            return scope.tableOf(column.column());
        }
        return column.column() < keys.scalars().size()
                        && keys.scalars().get(column.column()) instanceof Scalar.ColumnRef key
                ? scope.tableOf(key.column())
                : "";
    }

    private KeyBinder.Keys keys(Statement.Select select, List<Item> items, ScalarBinder rows) {
        return new KeyBinder(source, expression -> key(expression, items, rows))
                .bind(select.groupBy());
    }

    private Scalar key(Expression expression, List<Item> items, ScalarBinder rows) {
        Expression key = expression;
        int position = position(expression, items.size(), "GROUP BY");
        if (position >= 0) {
            key = items.get(position).expression();
        } else if (expression instanceof Expression.Name name
                && name.qualifier() == null
                && rows.scope().entries(name.name()).isEmpty()) {
            int output = outputNamed(name, items, List.of());
            key = output < 0 ? expression : items.get(output).expression();
            ViewDeparser spelled = around.binding().spelled();
            if (output >= 0 && spelled != null) {
                spelled.absent(name, rows.scope());
            }
        }
        if (around.binding().levels().holds(key, rows)) {
            throw source.error(
                    Kind.GROUPING, expression.position(), "GROUP BY cannot contain an aggregate");
        }
        return rows.bind(key);
    }

    private int position(Expression expression, int outputs, String where) {
        return position(source, expression, outputs, where);
    }

    /// The position given by an integer in ORDER BY or GROUP BY, or -1 if it is no integer.
    static int position(SqlText source, Expression expression, int outputs, String where) {
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
                    Kind.INVALID_REFERENCE,
                    literal.position(),
                    where + " position " + position + " is not in the select list");
        }
        return position - 1;
    }

    /// The output called `name`, or -1.
    ///
    /// @param bound the outputs, if they are bound already
    private int outputNamed(
            Expression.Name name, List<Item> items, List<BoundSelect.Output> bound) {
        int found = -1;
        for (int i = 0; i < items.size(); i++) {
            if (!items.get(i).name().equalsIgnoreCase(name.name())) {
                continue;
            }
            if (found >= 0
                    && !(bound.isEmpty()
                            ? sameName(items.get(found), items.get(i))
                            : sameValue(bound.get(found), bound.get(i)))) {
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
                && first.name().equalsIgnoreCase(second.name())
                && Objects.equals(first.qualifier(), second.qualifier());
    }

    private static boolean sameValue(BoundSelect.Output a, BoundSelect.Output b) {
        return ScalarText.identity(a.scalar()).equals(ScalarText.identity(b.scalar()));
    }

    private List<SortKey> order(
            Statement.Select select,
            List<Item> items,
            ScalarBinder binder,
            List<BoundSelect.Output> outputs) {
        List<SortKey> keys = new ArrayList<>();
        Map<String, Integer> known = new HashMap<>();
        for (Statement.Order order : select.orderBy()) {
            int column = position(order.expression(), items.size(), "ORDER BY");
            if (column < 0
                    && order.expression() instanceof Expression.Name name
                    && name.qualifier() == null) {
                column = outputNamed(name, items, outputs);
            }
            if (column < 0) {
                for (int i = known.isEmpty() ? 0 : outputs.size(); i < outputs.size(); i++) {
                    known.putIfAbsent(ScalarText.identity(outputs.get(i).scalar()), i);
                }
                Scalar scalar = binder.bind(order.expression());
                column = output(order.expression(), scalar, outputs, known, select.distinct());
            }
            boolean nullsFirst =
                    order.nullsFirst() == null ? order.descending() : order.nullsFirst();
            keys.add(new SortKey(column, order.descending(), nullsFirst));
        }
        return List.copyOf(keys);
    }

    /// The output equal to `expression`, bound as `scalar`; added if there is none.
    ///
    /// @param known first outputs, by the identity of their expressions
    private int output(
            Expression expression,
            Scalar scalar,
            List<BoundSelect.Output> outputs,
            Map<String, Integer> known,
            boolean distinct) {
        Integer found = known.putIfAbsent(ScalarText.identity(scalar), outputs.size());
        if (found != null) {
            return found;
        }
        if (distinct) {
            throw source.error(
                    Kind.INVALID_REFERENCE,
                    expression.position(),
                    "With DISTINCT, ORDER BY takes expressions of the select list");
        }
        outputs.add(new BoundSelect.Output(scalar, "", "", false));
        return outputs.size() - 1;
    }
}
