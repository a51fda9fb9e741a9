package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Item;
import dev.oriel.sql.syntax.Statement.JoinKind;
import dev.oriel.sql.syntax.Statement.Order;
import dev.oriel.sql.syntax.Statement.Select;
import dev.oriel.sql.syntax.Statement.Tail;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Moves set-returning functions of a select list to FROM. `SELECT a, f(b) FROM t` becomes `SELECT a, s.v FROM t
/// CROSS JOIN LATERAL f(b) AS s(v)`. Several functions advance in step, as in PostgreSQL: their rows are joined by
/// number, and the shorter ones are padded with NULLs. A function of several columns becomes a composite value of
/// them.
public final class SelectedRows {
    /// Prefix of the names of sources added to FROM; a star does not include them.
    static final String HIDDEN = "\0";

    private final TokenReader tokens;
    private final List<Expression.Call> calls = new ArrayList<>();

    private SelectedRows(TokenReader tokens) {
        this.tokens = tokens;
    }

    /// Whether `name` is that of a column or table added to FROM.
    public static boolean isHidden(String name) {
        return name.startsWith(HIDDEN);
    }

    /// `select` without set-returning functions in its list.
    ///
    /// @param firsts whether it has DISTINCT ON
    static Select moved(Select select, boolean firsts, TokenReader tokens) {
        SelectedRows rows = new SelectedRows(tokens);
        List<Item> items = new ArrayList<>();
        for (Item item : select.items()) {
            items.add(item instanceof Item.Value value ? rows.moved(value) : item);
        }
        if (firsts && !rows.calls.isEmpty()) {
            throw rows.refused(rows.calls.getFirst(), "cannot be used with DISTINCT ON");
        }
        return rows.calls.isEmpty() ? select : rows.moved(select, items);
    }

    @SuppressWarnings("ReferenceEquality") // an expression without such functions stays as it is
    private Item moved(Item.Value value) {
        Expression expression = moved(value.expression());
        if (expression == value.expression() || value.alias() != null) {
            return new Item.Value(expression, value.alias());
        }
        Expression before = value.expression();
        String name =
                before instanceof Expression.Call call && isRows(call)
                        ? call.name()
                        : Expression.outputName(before);
        return new Item.Value(expression, new Identifier(before.position(), name));
    }

    private static boolean isRows(Expression expression) {
        if (!(expression instanceof Expression.Call call)) {
            return false;
        }
        return FromParser.isSeries(call.name()) || RowsFunction.of(call.name()) != null;
    }

    /// The columns of the rows of `call`.
    private static List<String> columns(Expression.Call call) {
        RowsFunction function = RowsFunction.of(call.name());
        return function == null ? List.of("value") : function.columns();
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
                yield changed && Function.of(call.name()) != null
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
    private static int columnOfRows(Expression.Call call) {
        return call.name().equals(Function.ATTRIBUTE.called())
                        && call.arguments().getFirst() instanceof Expression.Call rows
                        && isRows(rows)
                        && call.arguments().get(1) instanceof Expression.Literal column
                ? columns(rows).indexOf(column.text())
                : -1;
    }

    /// The value of row function `number`: NULL, not a value of NULLs, for a row that is padded.
    private static Expression value(Expression.Call call, int number) {
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
                List.of(
                        new Expression.When(new Expression.IsNull(position, first, true), row)),
                null);
    }

    /// The name of column `i` of the rows of function `number`.
    private static String name(int number, int i) {
        return HIDDEN + number + (i == 0 ? "" : "." + i);
    }

    private static List<Identifier> names(Expression.Call call, int number) {
        List<Identifier> names = new ArrayList<>();
        for (int i = 0; i < columns(call).size(); i++) {
            names.add(new Identifier(call.position(), name(number, i)));
        }
        return List.copyOf(names);
    }

    private RuntimeException refused(Expression.Call call, String why) {
        return tokens.error(
                Kind.NOT_SUPPORTED,
                call.position(),
                call.name().toUpperCase(Locale.ROOT)
                        + " returns rows: in a select list it "
                        + why
                        + "; put it into FROM");
    }

    private Select moved(Select select, List<Item> items) {
        Expression.Call first = calls.getFirst();
        Select divided = GroupedRows.of(select, items, calls);
        if (divided != null) {
            return joined(divided, divided.items());
        }
        boolean windows = !select.windows().isEmpty() || select.having() != null;
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

    private static From single(Expression.Call call) {
        return new From.Function(
                call, new Identifier(call.position(), HIDDEN), names(call, 0), true, false);
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
        From function =
                new From.Function(call, new Identifier(position, HIDDEN), names, true, false);
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
