package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// TABLESAMPLE: a query of the rows of a table that chance selects. With REPEATABLE the contents of a row and the seed
/// decide, so that equal rows are selected together.
final class Sampling {
    /// Hexadecimal digits of a hash, of which a row's share is read.
    private static final int DIGITS = 6;

    private static final int BITS = 4 * DIGITS;

    private final TokenReader tokens;
    private final ExpressionParser expressions;

    Sampling(TokenReader tokens, ExpressionParser expressions) {
        this.tokens = tokens;
        this.expressions = expressions;
    }

    /// Parses the rest after TABLESAMPLE.
    From of(Identifier table, @Nullable Identifier alias, List<Identifier> columns) {
        int position = tokens.position();
        if (!tokens.acceptWord("BERNOULLI")) {
            tokens.expected("BERNOULLI");
            tokens.expectWord("SYSTEM");
        }
        tokens.expect("(");
        Expression percent = expressions.expression();
        tokens.expect(")");
        if (isOutOfRange(percent) || names(percent)) {
            throw tokens.error(
                    Kind.INVALID_PARAMETER,
                    percent.position(),
                    "A sample is a percentage of the rows; give a number from 0 to 100, not a column");
        }
        Identifier own = new Identifier(table.position(), table.name());
        Expression chance = chance(position, own);
        Expression selected =
                new Expression.Binary(position, Expression.Operator.LESS, chance, percent);
        Statement.Query rows =
                new Statement.Select(
                        position,
                        false,
                        List.of(new Statement.Item.Star(position, null)),
                        new From.Named(table, own, List.of()),
                        selected,
                        List.of(),
                        null,
                        List.of(),
                        null,
                        Statement.Tail.NONE);
        return new From.Derived(position, rows, alias == null ? own : alias, columns, false);
    }

    private static boolean names(Expression expression) {
        return expression instanceof Expression.Name
                || expression instanceof Expression.Nested
                || Expression.operands(expression).stream().anyMatch(Sampling::names);
    }

    private static boolean isOutOfRange(Expression percent) {
        if (!(percent instanceof Expression.Literal literal)
                || (literal.kind() != Expression.Literal.Kind.INTEGER
                        && literal.kind() != Expression.Literal.Kind.DECIMAL)) {
            return percent instanceof Expression.Negation;
        }
        BigDecimal value = new BigDecimal(literal.text());
        return value.signum() < 0 || value.compareTo(BigDecimal.valueOf(100)) > 0;
    }

    /// A number from 0 to 100, by chance or by the row and the seed of REPEATABLE.
    private Expression chance(int position, Identifier table) {
        Expression whole = number(position, "100");
        if (!tokens.acceptWord("REPEATABLE")) {
            Expression random = call(position, Function.RANDOM);
            return new Expression.Binary(position, Expression.Operator.MULTIPLY, random, whole);
        }
        tokens.expect("(");
        Expression seed = expressions.expression();
        tokens.expect(")");
        Expression row =
                new Expression.Cast(
                        position, new Expression.Name(position, null, table.name()), Typing.TEXT);
        Expression hash = call(position, Function.MD5, call(position, Function.CONCAT, row, seed));
        Expression digits =
                call(
                        position,
                        Function.LEFT,
                        hash,
                        new Expression.Literal(
                                position, Expression.Literal.Kind.INTEGER, "" + DIGITS));
        Expression bits =
                new Expression.Cast(
                        position,
                        call(position, Function.CONCAT, text(position, "x"), digits),
                        new Type(Type.Name.BIT, BITS, 0));
        Expression part =
                new Expression.Binary(
                        position,
                        Expression.Operator.MULTIPLY,
                        new Expression.Cast(position, bits, Typing.INTEGER),
                        whole);
        return new Expression.Binary(
                position, Expression.Operator.DIVIDE, part, number(position, (1 << BITS) + ".0"));
    }

    private static Expression call(int position, Function function, Expression... arguments) {
        return new Expression.Call(position, function.called(), List.of(arguments));
    }

    private static Expression number(int position, String digits) {
        return new Expression.Literal(position, Expression.Literal.Kind.DECIMAL, digits);
    }

    private static Expression text(int position, String text) {
        return new Expression.Literal(position, Expression.Literal.Kind.STRING, text);
    }
}
