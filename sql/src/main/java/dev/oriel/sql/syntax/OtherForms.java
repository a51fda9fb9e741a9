package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import dev.oriel.sql.value.Typing;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Predicates and expressions of H2 and the standard that become others here: UNIQUE, IS DISTINCT FROM ANY, CONVERT,
/// and CASE whose WHEN continues a comparison.
final class OtherForms {
    /// Names of derived tables and columns, which users hardly choose.
    private static final String ROWS = "rows of the predicate";

    private static final String VALUE = "value of the predicate ";

    private final TokenReader tokens;
    private final ExpressionParser expressions;

    OtherForms(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /// Whether UNIQUE of a query follows.
    static boolean atUnique(TokenReader tokens, ExpressionParser expressions) {
        return tokens.peek().is(Keyword.UNIQUE)
                && (tokens.peek(1).is(Keyword.NULLS)
                        || (tokens.peek(1).isSymbol("(") && expressions.atWholeQuery(2)));
    }

    /// `UNIQUE (query)`: true if no two rows are equal. Rows with a NULL equal no other, with NULLS ALL DISTINCT only
    /// those of nothing but NULL, and with NULLS NOT DISTINCT none.
    Expression unique() {
        int at = tokens.take().position();
        boolean partly = false;
        boolean equal = false;
        if (tokens.accept(Keyword.NULLS)) {
            partly = tokens.accept(Keyword.ALL);
            equal = !partly && tokens.accept(Keyword.NOT);
            tokens.expect(Keyword.DISTINCT);
        }
        tokens.expect("(");
        Statement.Query query = expressions.subquery();
        Expression row = new Expression.Name(at, null, ROWS);
        Expression all =
                new Expression.Call(
                        at, AggregateFunction.COUNT.name(), List.of(), false, true, null);
        Expression different =
                new Expression.Call(
                        at, AggregateFunction.COUNT.name(), List.of(row), true, false, null);
        Expression known =
                partly
                        ? new Expression.Not(at, new Expression.IsNull(at, row, false))
                        : new Expression.IsNull(at, row, true);
        Expression same = new Expression.Binary(at, Operator.EQUAL, all, different);
        return expressions.grown(
                expressions.height() + 3,
                new Expression.Subquery(
                        at,
                        selected(
                                at, same, derived(at, query, width(query)), equal ? null : known)));
    }

    /// Number of columns of `query`, which may have equal names; 0 if a star hides it.
    private static int width(Statement.Query query) {
        return switch (query) {
            case Statement.Select select ->
                    select.items().stream().allMatch(Statement.Item.Value.class::isInstance)
                            ? select.items().size()
                            : 0;
            case Statement.RowList list -> list.rows().getFirst().expressions().size();
            case Statement.SetOperation operation -> width(operation.left());
            default -> 0;
        };
    }

    private static Statement.Select selected(
            int at, Expression value, Statement.From from, @Nullable Expression where) {
        return new Statement.Select(
                at,
                false,
                List.of(new Statement.Item.Value(value, null)),
                from,
                where,
                List.of(),
                null,
                List.of(),
                null,
                Statement.Tail.NONE);
    }

    /// `query` as a table with names for its first `count` columns.
    private static Statement.From derived(int at, Statement.Query query, int count) {
        List<Identifier> columns = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            columns.add(new Identifier(at, VALUE + i));
        }
        return new Statement.From.Derived(
                at, query, new Identifier(at, ROWS), List.copyOf(columns), false);
    }

    /// Whether ANY, SOME or ALL of a query follows.
    boolean atQuantified() {
        Token word = tokens.peek();
        boolean quantifier = word.is(Keyword.ALL) || word.is(Keyword.ANY) || word.is(Keyword.SOME);
        return quantifier && tokens.peek(1).isSymbol("(") && expressions.atWholeQuery(2);
    }

    /// `left IS [NOT] DISTINCT FROM ANY (query)`, or ALL: whether a row of the query is so, or none is not.
    Expression quantified(int at, Expression left, boolean negated) {
        int below = expressions.height();
        boolean all = tokens.take().is(Keyword.ALL);
        tokens.expect("(");
        Statement.Query query = expressions.subquery();
        int count = left instanceof Expression.RowValue row ? row.values().size() : 1;
        List<Expression> names = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            names.add(new Expression.Name(at, null, VALUE + i));
        }
        Expression right =
                left instanceof Expression.RowValue
                        ? new Expression.RowValue(at, List.copyOf(names))
                        : names.getFirst();
        Expression test = new Expression.IsDistinct(at, left, right, negated != all);
        Expression one = new Expression.Literal(at, Expression.Literal.Kind.INTEGER, "1");
        Expression exists =
                new Expression.Exists(at, selected(at, one, derived(at, query, count), test));
        return expressions.grown(
                Math.max(below, expressions.height()) + 3,
                all ? new Expression.Not(at, exists) : exists);
    }

    /// Whether `CONVERT(value, type)` follows, and not a call of a function.
    static boolean atConvert(TokenReader tokens) {
        if (!tokens.peek(1).isSymbol("(")) {
            return false;
        }
        int depth = 0;
        int comma = 0;
        int end = tokens.closing(1);
        for (int i = 2; i < end; i++) {
            Token token = tokens.peek(i);
            depth += token.isSymbol("(") || token.isSymbol("[") ? 1 : 0;
            depth -= token.isSymbol(")") || token.isSymbol("]") ? 1 : 0;
            if (depth == 0 && token.isSymbol(",")) {
                comma = comma == 0 ? i : -1;
            }
            if (comma < 0) {
                return false;
            }
        }
        Token type = tokens.peek(comma + 1);
        return comma > 0
                && type.kind() == Token.Kind.WORD
                && (TypeParser.isName(type.text()) || tokens.types().named(type.text()) != null);
    }

    /// `CONVERT(value, type)`, a cast.
    Expression convert(TypeParser types) {
        int at = tokens.take().position();
        tokens.expect("(");
        Expression value = expressions.expression();
        int below = expressions.height();
        tokens.expect(",");
        Expression cast = types.cast(at, value);
        tokens.expect(")");
        return expressions.grown(below, cast);
    }

    /// A value or a test of an arm of CASE.
    private record Arm(Expression expression, boolean isTest) {
        private Expression test(Expression operand) {
            return isTest
                    ? expression
                    : new Expression.Binary(
                            expression.position(), Operator.EQUAL, operand, expression);
        }
    }

    /// Parses the arms of a CASE with an operand from the one that lists several values, or continues a comparison, as
    /// in `CASE x WHEN 1, 2 THEN ... WHEN < 0 THEN ...`.
    ///
    /// @param first its first value, which has been parsed; null if there is none
    /// @param whens the arms before the call, to which its arms are added
    /// @return the operand; null if all arms have become conditions
    @Nullable Expression arms(
            Expression operand, @Nullable Expression first, List<Expression.When> whens) {
        List<List<Arm>> arms = new ArrayList<>();
        whens.forEach(when -> arms.add(List.of(new Arm(when.condition(), false))));
        List<Expression> results = new ArrayList<>();
        whens.forEach(when -> results.add(when.result()));
        whens.clear();
        boolean tests = false;
        int highest = expressions.height();
        do {
            List<Arm> arm = new ArrayList<>();
            if (first != null && tokens.accept(",")) { // only the first arm has a comma here
                arm.add(new Arm(first, false));
            }
            do {
                arm.add(arm(operand));
                tests |= arm.getLast().isTest();
                highest = Math.max(highest, expressions.height());
            } while (tokens.accept(","));
            tokens.expect(Keyword.THEN);
            arms.add(arm);
            results.add(expressions.expression());
            highest = Math.max(highest, expressions.height());
        } while (tokens.accept(Keyword.WHEN));
        expressions.height(tests ? highest + 2 : highest);
        for (int i = 0; i < arms.size(); i++) {
            Expression result = results.get(i);
            if (tests) {
                List<Expression> either =
                        arms.get(i).stream().map(one -> one.test(operand)).toList();
                whens.add(new Expression.When(anyOf(either), result));
            } else {
                arms.get(i)
                        .forEach(one -> whens.add(new Expression.When(one.expression(), result)));
            }
        }
        return tests ? null : operand;
    }

    private Arm arm(Expression operand) {
        int at = tokens.position();
        if (!expressions.atComparison()) {
            return new Arm(expressions.expression(), false);
        }
        if (!isSteady(operand)) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    at,
                    "A WHEN that continues a comparison needs a column or a constant after CASE;"
                            + " name the value in a query in FROM");
        }
        return new Arm(expressions.continued(operand), true);
    }

    private static Expression anyOf(List<Expression> tests) {
        return tests.size() == 1
                ? tests.getFirst()
                : new Expression.Logical(tests.getFirst().position(), false, tests);
    }

    /// Whether `operand` may be evaluated several times.
    private static boolean isSteady(Expression operand) {
        return switch (operand) {
            case Expression.Name _, Expression.Literal _, Expression.Parameter _ -> true;
            case Expression.Cast cast -> isSteady(cast.operand());
            case Expression.RowValue row -> row.values().stream().allMatch(OtherForms::isSteady);
            default -> false;
        };
    }

    /// `RANGE(last)` and `RANGE(first, last, step)` as a series that ends before its last value.
    Expression.Call range(Expression.Call call) {
        List<Expression> given = call.arguments();
        int at = call.position();
        Expression one = new Expression.Literal(at, Expression.Literal.Kind.INTEGER, "1");
        if (given.isEmpty() || given.size() > 3) {
            throw tokens.error(
                    Kind.UNKNOWN_FUNCTION,
                    at,
                    "RANGE takes 1 to 3 arguments: first value, the value behind the last one, and"
                            + " step");
        }
        Expression zero = new Expression.Literal(at, Expression.Literal.Kind.INTEGER, "0");
        Expression first = given.size() == 1 ? zero : given.get(0);
        Expression end = given.size() == 1 ? given.get(0) : given.get(1);
        Expression step = given.size() == 3 ? given.get(2) : one;
        Expression way = new Expression.Call(at, Function.SIGN.called(), List.of(step));
        Expression last = new Expression.Binary(at, Expression.Operator.SUBTRACT, end, way);
        return new Expression.Call(
                at, FromParser.GENERATE_SERIES, List.of(whole(first), whole(last), whole(step)));
    }

    /// LIKE and ILIKE as operators, which dumps of PostgreSQL write.
    static Expression like(int position, String symbol, Expression left, Expression right) {
        boolean anyCase = symbol.endsWith("*");
        return new Expression.Like(position, left, right, null, anyCase, symbol.startsWith("!"));
    }

    /// Whether `call`, RANGE, counts dates or timestamps by an interval.
    static boolean isRangeOfMoments(Expression.Call call) {
        if (call.arguments().size() != 3) {
            return false;
        }
        Expression step = call.arguments().get(2);
        return step instanceof Expression.IntervalLiteral
                || (step instanceof Expression.Cast cast && cast.type().equals(Typing.INTERVAL));
    }

    /// `RANGE(first, end, interval)` as the series without its end.
    static Statement.From rangeOfMoments(
            Expression.Call call,
            Statement.@Nullable Identifier alias,
            List<Statement.Identifier> columns,
            boolean lateral) {
        int at = call.position();
        Statement.Identifier name = new Statement.Identifier(at, "range");
        Statement.Identifier column = new Statement.Identifier(at, "value");
        Expression value = new Expression.Name(at, name.name(), column.name());
        Expression.Call series =
                new Expression.Call(at, FromParser.GENERATE_SERIES, call.arguments());
        Statement.Select select =
                new Statement.Select(
                        at,
                        false,
                        List.of(new Statement.Item.Value(value, null)),
                        new Statement.From.Function(series, name, List.of(column), lateral, false),
                        new Expression.Binary(
                                at, Expression.Operator.NOT_EQUAL, value, call.arguments().get(1)),
                        List.of(),
                        null,
                        List.of(),
                        null,
                        Statement.Tail.NONE);
        return new Statement.From.Derived(
                at, select, alias == null ? name : alias, columns, lateral);
    }

    private static Expression whole(Expression value) {
        return new Expression.Cast(value.position(), value, Typing.BIGINT);
    }
}
