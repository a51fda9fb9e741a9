package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Token;
import dev.oriel.table.Type;
import java.util.List;

/// `text LIKE ANY (array)` and its like: whether TRUE is any, or all, of what a query over the patterns answers.
final class SomePatterns {
    /// Which nobody else calls a column.
    private static final String PATTERN = "? pattern";

    private SomePatterns() {}

    /// Takes what stands behind LIKE or ILIKE.
    static Expression like(
            ExpressionParser expressions,
            TokenReader tokens,
            Expression text,
            boolean anyCase,
            boolean negated,
            boolean all) {
        int position = tokens.take().position();
        Token open = tokens.take();
        Identifier name = new Identifier(open.position(), PATTERN);
        From from;
        if (expressions.atWholeQuery(0)) {
            from =
                    new From.Derived(
                            open.position(), expressions.subquery(), name, List.of(name), false);
        } else {
            Expression patterns = expressions.expression();
            // No array is one pattern, NULL.
            Expression none =
                    new Expression.Cast(
                            open.position(),
                            new Expression.Literal(
                                    open.position(), Expression.Literal.Kind.STRING, "{NULL}"),
                            Type.array(Type.of(Type.Name.VARCHAR)));
            Expression some =
                    new Expression.Call(
                            open.position(), Function.COALESCE.called(), List.of(patterns, none));
            Expression.Call rows = new Expression.Call(open.position(), "UNNEST", List.of(some));
            from = new From.Function(rows, name, List.of(name), false, false);
            tokens.expect(")");
        }
        Expression pattern = new Expression.Name(open.position(), PATTERN, PATTERN);
        Expression like = new Expression.Like(position, text, pattern, null, anyCase, negated);
        Statement.Select select =
                new Statement.Select(
                        position,
                        false,
                        List.of(new Statement.Item.Value(like, null)),
                        from,
                        null,
                        List.of(),
                        null,
                        List.of(),
                        null,
                        Statement.Tail.NONE);
        Expression yes = new Expression.Literal(position, Expression.Literal.Kind.BOOLEAN, "TRUE");
        return new Expression.Quantified(position, Expression.Operator.EQUAL, yes, select, all);
    }
}
