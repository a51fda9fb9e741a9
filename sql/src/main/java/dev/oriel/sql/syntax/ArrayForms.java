package dev.oriel.sql.syntax;

import java.util.List;

/// Parses arrays: `ARRAY[a, b]`, `[a, b]` as in DuckDB and DataFusion, and `ARRAY(SELECT ...)`.
final class ArrayForms {
    private ArrayForms() {}

    /// Whether the bracket that follows begins `[a, b]`. `[name]` is a name in brackets of another database, which is
    /// refused.
    static boolean begins(TokenReader tokens) {
        return !(tokens.peek(1).isName() && tokens.peek(2).isSymbol("]"));
    }

    /// Parses `[a, b]`.
    static Expression listed(TokenReader tokens, ExpressionParser expressions, int position) {
        tokens.expect("[");
        List<Expression> elements = List.of();
        expressions.height(0);
        if (!tokens.peek().isSymbol("]")) {
            elements = List.copyOf(expressions.expressions());
        }
        tokens.expect("]");
        return expressions.grown(expressions.height(), new Expression.ArrayOf(position, elements));
    }

    /// `ARRAY(SELECT ...)`: the rows of the query in order; empty if there are none.
    static Expression ofQuery(TokenReader tokens, ExpressionParser expressions) {
        int position = tokens.take().position();
        tokens.expect("(");
        Statement.Query query = expressions.subquery();
        return expressions.grown(
                expressions.height(),
                new Expression.Call(
                        position,
                        Function.ARRAY_OR_EMPTY.called(),
                        List.of(
                                JsonCallParser.aggregated(
                                        position, query, AggregateFunction.ARRAY_AGG))));
    }
}
