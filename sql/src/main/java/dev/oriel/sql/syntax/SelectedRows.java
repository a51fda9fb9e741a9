package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Item;
import dev.oriel.sql.syntax.Statement.JoinKind;
import dev.oriel.sql.syntax.Statement.Order;
import dev.oriel.sql.syntax.Statement.Select;
import dev.oriel.sql.syntax.Statement.Tail;
import dev.oriel.sql.text.SqlText;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Moves set-returning functions of a select list to FROM. `SELECT a, f(b) FROM t` becomes `SELECT a, s.v FROM t
/// CROSS JOIN LATERAL f(b) AS s(v)`. Several functions advance in step, as in PostgreSQL: their rows are joined by
/// number, and the shorter ones are padded with NULLs. A function of several columns becomes a composite value of
/// them.
public final class SelectedRows {
    /// Prefix of the names of sources added to FROM; a star does not include them.
    static final String HIDDEN = "\0";

    /// The columns of the rows that a call returns; null for a function of one value.
    @FunctionalInterface
    public interface Rows {
        @Nullable List<String> columns(Expression.Call call);
    }

    private final SqlText source;

    /// The functions that return rows; null for the built-in ones, so that a young JVM makes no lambda.
    private final @Nullable Rows rows;

    private final List<Expression.Call> calls = new ArrayList<>();

    private SelectedRows(SqlText source, @Nullable Rows rows) {
        this.source = source;
        this.rows = rows;
    }

    /// Whether `name` is that of a column or table added to FROM.
    public static boolean isHidden(String name) {
        return name.startsWith(HIDDEN);
    }

    /// `select` without set-returning functions in its list.
    ///
    /// @param firsts whether it has DISTINCT ON
    static Select moved(Select select, boolean firsts, TokenReader tokens) {
        return firsts || callsUsers(select)
                ? select // the binder moves them
                : moved(select, new SelectedRows(tokens.source(), null));
    }

    /// `select` without the functions in its list for which `rows` has columns.
    public static Select moved(Select select, SqlText source, Rows rows) {
        return moved(select, new SelectedRows(source, rows));
    }

    /// Whether the parser leaves functions in the select list to the binder. It does so beside functions that are not
    /// built in. It does so too if QUALIFY selects rows, as it does for DISTINCT ON.
    public static boolean callsUsers(Select select) {
        if (select.qualify() != null) {
            return true;
        }
        for (Item item : select.items()) {
            if (item instanceof Item.Value value && callsUsers(value.expression())) {
                return true;
            }
        }
        return false;
    }

    private static boolean callsUsers(Expression expression) {
        if (expression instanceof Expression.Call call
                && call.extras() == null
                && Function.of(call.name()) == null
                && AggregateFunction.of(call.name()) == null
                && builtIn(call) == null) {
            return true;
        }
        for (Expression operand : Expression.operands(expression)) {
            if (callsUsers(operand)) {
                return true;
            }
        }
        return false;
    }

    private static Select moved(Select select, SelectedRows rows) {
        List<Item> items = new ArrayList<>();
        for (Item item : select.items()) {
            items.add(item instanceof Item.Value value ? rows.moved(value) : item);
        }
        if (rows.calls.isEmpty()) {
            return select;
        }
        Select keyed =
                new Select(
                        select.position(),
                        select.distinct(),
                        select.items(),
                        select.from(),
                        select.where(),
                        RowsKeys.grouped(select.groupBy(), select.items()),
                        select.having(),
                        select.windows(),
                        select.qualify(),
                        select.tail());
        return rows.moved(keyed, items);
    }

    @SuppressWarnings("ReferenceEquality") // an expression without such functions stays as it is
    private Item moved(Item.Value value) {
        Expression expression = moved(value.expression());
        if (expression == value.expression() || value.alias() != null) {
            return new Item.Value(expression, value.alias());
        }
        Expression before = value.expression();
        if (before instanceof Expression.Call call
                && call.name().equals(Function.ATTRIBUTE.called())
                && Expression.outputName(call).equals(Expression.Name.ALL)) {
            return new Item.Value(expression, null); // stands for several columns
        }
        String name = Expression.outputName(before);
        return new Item.Value(expression, new Identifier(before.position(), name));
    }

    private boolean isRows(Expression expression) {
        return expression instanceof Expression.Call call && !columns(call).isEmpty();
    }

    /// The columns of the rows that `call` of a built-in function returns; null for another function.
    public static @Nullable List<String> builtIn(Expression.Call call) {
        RowsFunction function = RowsFunction.of(call.name());
        return function != null
                ? function.columns()
                : FromParser.isSeries(call.name()) ? List.of("value") : null;
    }

    /// The columns of the rows of `call`; none for a function of one value.
    private List<String> columns(Expression.Call call) {
        List<String> columns = rows == null ? builtIn(call) : rows.columns(call);
        return columns == null ? List.of() : columns;
    }

    @SuppressWarnings("ReferenceEquality") // as above
    private Expression moved(Expression expression) {
        return switch (expression) {
            case Expression.Call call when isRows(call) -> {
                for (Expression argument : call.arguments()) {
                    if (moved(argument) != argument) {
                        throw refused(call, "cannot be given to another one");
                    }
                }
                calls.add(call);
                yield value(call, calls.size() - 1);
            }
            case Expression.Call call when columnOfRows(call) >= 0 -> {
                Expression.Call rows = (Expression.Call) call.arguments().getFirst();
                moved(rows);
                int number = calls.size() - 1;
                yield new Expression.Name(
                        rows.position(), HIDDEN, name(number, columnOfRows(call)));
            }
            case Expression.Call call
                    when call.extras() == null && AggregateFunction.of(call.name()) == null -> {
                List<Expression> arguments = new ArrayList<>();
                boolean changed = false;
                for (Expression argument : call.arguments()) {
                    arguments.add(moved(argument));
                    changed |= arguments.getLast() != argument;
                }
                if (changed && Function.of(call.name()) == Function.COALESCE) {
                    throw refused(calls.getLast(), "cannot be given to COALESCE");
                }
                yield changed
                        ? new Expression.Call(call.position(), call.name(), List.copyOf(arguments))
                        : call;
            }
            case Expression.Cast cast -> {
                Expression operand = moved(cast.operand());
                yield operand == cast.operand()
                        ? cast
                        : new Expression.Cast(cast.position(), operand, cast.type());
            }
            case Expression.Negation negation -> {
                Expression operand = moved(negation.operand());
                yield operand == negation.operand()
                        ? negation
                        : new Expression.Negation(negation.position(), operand);
            }
            case Expression.IsNull test -> {
                Expression operand = moved(test.operand());
                yield operand == test.operand()
                        ? test
                        : new Expression.IsNull(test.position(), operand, test.negated());
            }
            case Expression.Not not -> {
                Expression operand = moved(not.operand());
                yield operand == not.operand() ? not : new Expression.Not(not.position(), operand);
            }
            case Expression.Binary binary -> {
                Expression left = moved(binary.left());
                Expression right = moved(binary.right());
                yield left == binary.left() && right == binary.right()
                        ? binary
                        : new Expression.Binary(binary.position(), binary.operator(), left, right);
            }
            default -> expression;
        };
    }

    /// The column that `call`, `(f(x)).name`, takes of a function of several columns; -1 if it is something else.
    private int columnOfRows(Expression.Call call) {
        return call.name().equals(Function.ATTRIBUTE.called())
                        && call.arguments().getFirst() instanceof Expression.Call rows
                        && isRows(rows)
                        && call.arguments().get(1) instanceof Expression.Literal column
                ? columns(rows).indexOf(column.text())
                : -1;
    }

    /// The value of row function `number`: NULL, not a value of NULLs, for a row that is padded.
    private Expression value(Expression.Call call, int number) {
        int position = call.position();
        List<String> columns = columns(call);
        Expression first = new Expression.Name(position, HIDDEN, HIDDEN + number);
        if (columns.size() == 1) {
            return first;
        }
        List<Expression> parts = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            parts.add(
                    new Expression.Literal(
                            position, Expression.Literal.Kind.STRING, columns.get(i)));
            parts.add(new Expression.Name(position, HIDDEN, name(number, i)));
        }
        Expression row =
                new Expression.Call(
                        position, Function.COMPOSITE_NAMED.called(), List.copyOf(parts));
        return new Expression.Case(
                position,
                null,
                List.of(new Expression.When(new Expression.IsNull(position, first, true), row)),
                null);
    }

    /// The name of column `i` of the rows of function `number`.
    private static String name(int number, int i) {
        return HIDDEN + number + (i == 0 ? "" : "." + i);
    }

    private List<Identifier> names(Expression.Call call, int number) {
        List<Identifier> names = new ArrayList<>();
        for (int i = 0; i < columns(call).size(); i++) {
            names.add(new Identifier(call.position(), name(number, i)));
        }
        return List.copyOf(names);
    }

    private RuntimeException refused(Expression.Call call, String why) {
        return source.error(
                Kind.NOT_SUPPORTED,
                call.position(),
                call.name().toUpperCase(Locale.ROOT)
                        + " returns rows: in a select list it "
                        + why
                        + "; put it into FROM");
    }

    private Select moved(Select select, List<Item> items) {
        Expression.Call first = calls.getFirst();
        if (GroupedRows.groupsByRows(select, items)) {
            return joined(select, items);
        }
        Select divided = GroupedRows.of(select, items, calls);
        if (divided != null) {
            return joined(divided, divided.items());
        }
        boolean windows = GroupedRows.dividesAlways(select);
        for (Item item : select.items()) {
            windows |=
                    item instanceof Item.Value value
                            && holds(value.expression(), select.groupBy().isEmpty());
        }
        if (windows) {
            throw refused(first, "cannot be used with \"*\" and aggregates or window functions");
        }
        return joined(select, items);
    }

    /// `select` with the rows of the functions beside those of its FROM.
    private Select joined(Select select, List<Item> items) {
        From added = calls.size() == 1 ? single(calls.getFirst()) : inStep();
        From from = select.from();
        return new Select(
                select.position(),
                select.distinct(),
                List.copyOf(items),
                from == null
                        ? added
                        : new From.Join(
                                select.position(),
                                JoinKind.CROSS,
                                false,
                                from,
                                added,
                                null,
                                null,
                                select.position()),
                select.where(),
                select.groupBy(),
                select.having(),
                select.windows(),
                select.qualify(),
                select.tail());
    }

    /// Whether there is a window function, or an aggregate if `aggregates`.
    static boolean holds(Expression expression, boolean aggregates) {
        return switch (expression) {
            case Expression.Call call ->
                    (call.extras() != null && call.extras().over() != null)
                            || (aggregates && AggregateFunction.of(call.name()) != null)
                            || call.arguments().stream().anyMatch(each -> holds(each, aggregates));
            case Expression.Cast cast -> holds(cast.operand(), aggregates);
            case Expression.Binary binary ->
                    holds(binary.left(), aggregates) || holds(binary.right(), aggregates);
            default -> false;
        };
    }

    private From single(Expression.Call call) {
        return from(call, 0);
    }

    /// The rows of `call` in FROM.
    private From from(Expression.Call call, int number) {
        int position = call.position();
        Identifier alias = new Identifier(position, HIDDEN);
        List<Identifier> names = names(call, number);
        if (builtIn(call) != null) {
            return new From.Function(call, alias, names, true, false);
        }
        int end = call.name().indexOf('\0');
        Identifier schema =
                end < 0 ? null : new Identifier(position, call.name().substring(0, end));
        Identifier name = new Identifier(position, call.name().substring(end + 1));
        return new From.Computed(position, schema, name, call.arguments(), false, alias, names);
    }

    /// All calls, joined by row number.
    private From inStep() {
        From joined = numbered(0);
        for (int i = 1; i < calls.size(); i++) {
            int position = calls.get(i).position();
            List<Item> items = new ArrayList<>();
            for (int j = 0; j <= i; j++) {
                String side = HIDDEN + (j < i ? "l" : "r");
                for (Identifier name : names(calls.get(j), j)) {
                    Expression value = new Expression.Name(position, side, name.name());
                    items.add(new Item.Value(value, name));
                }
            }
            Expression left = new Expression.Name(position, HIDDEN + "l", HIDDEN + "n");
            Expression right = new Expression.Name(position, HIDDEN + "r", HIDDEN + "n");
            Expression number =
                    new Expression.Call(position, Function.COALESCE.called(), List.of(left, right));
            items.add(new Item.Value(number, new Identifier(position, HIDDEN + "n")));
            From join =
                    new From.Join(
                            position,
                            JoinKind.FULL,
                            false,
                            named(joined, HIDDEN + "l", false),
                            named(numbered(i), HIDDEN + "r", false),
                            new Expression.Binary(position, Expression.Operator.EQUAL, left, right),
                            null,
                            position);
            joined = derived(position, items, join, List.of(new Order(number, false, null)));
        }
        return named(joined, HIDDEN, true);
    }

    /// The rows of a call with their row numbers.
    private From numbered(int i) {
        Expression.Call call = calls.get(i);
        int position = call.position();
        List<Identifier> names = names(call, i);
        Expression.Call number =
                new Expression.Call(
                        position,
                        WindowFunction.ROW_NUMBER.name(),
                        List.of(),
                        false,
                        false,
                        new Expression.Extras(List.of(), false, null, false, all(position)));
        List<Item> items = new ArrayList<>();
        for (Identifier name : names) {
            Expression value = new Expression.Name(position, HIDDEN, name.name());
            items.add(new Item.Value(value, name));
        }
        items.add(new Item.Value(number, new Identifier(position, HIDDEN + "n")));
        From function = from(call, i);
        return derived(position, items, function, List.of());
    }

    /// A window over all rows, unordered.
    private static Expression.Over all(int position) {
        return new Expression.Over(position, null, false, List.of(), List.of(), null);
    }

    private static From derived(int position, List<Item> items, From from, List<Order> orderBy) {
        Tail tail = new Tail(orderBy, null, null, false, false);
        Select select =
                new Select(
                        position,
                        false,
                        List.copyOf(items),
                        from,
                        null,
                        List.of(),
                        null,
                        List.of(),
                        null,
                        tail);
        return new From.Derived(position, select, null, List.of(), false);
    }

    private static From named(From from, String name, boolean lateral) {
        From.Derived derived = (From.Derived) from;
        return new From.Derived(
                derived.position(),
                derived.query(),
                new Identifier(derived.position(), name),
                List.of(),
                lateral);
    }
}
