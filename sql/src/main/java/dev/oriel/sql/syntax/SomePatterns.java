package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Token;
import dev.oriel.table.definition.Type;
import java.util.List;

/// `text LIKE ANY (array)` and its variants: whether any, or all, of the results of a query over the patterns are
/// TRUE.
final class SomePatterns {
    /// Name of the column of patterns, which no user's column has.
    private static final String PATTERN = "? pattern";

    private SomePatterns() {}

    /// Parses the rest of LIKE or ILIKE.
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
            List<Expression> listed = List.copyOf(expressions.expressions());
            Expression patterns =
                    listed.size() == 1
                            ? listed.getFirst()
                            : new Expression.ArrayOf(open.position(), listed);
            // A NULL array counts as one pattern, NULL.
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
                QueryParser.rows(position, List.of(new Statement.Item.Value(like, null)), from);
        Expression yes = new Expression.Literal(position, Expression.Literal.Kind.BOOLEAN, "TRUE");
        return new Expression.Quantified(position, Expression.Operator.EQUAL, yes, select, all);
    }
}
