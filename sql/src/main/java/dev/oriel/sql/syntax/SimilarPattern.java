package dev.oriel.sql.syntax;

import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.value.SimilarText;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `text SIMILAR TO pattern`, as a regular expression for the whole of the text.
final class SimilarPattern {
    private SimilarPattern() {}

    static Expression test(
            TokenReader tokens,
            int position,
            Expression text,
            Expression pattern,
            @Nullable Expression escape) {
        Expression regex = regex(tokens, position, pattern, escape);
        return new Expression.Call(
                position,
                Function.REGEXP_LIKE.called(),
                List.of(text, regex, string(pattern.position(), "s")));
    }

    /// The rest of `SUBSTRING(text SIMILAR pattern ESCAPE escape)`, after SIMILAR, as a regular expression.
    static Expression ofSubstring(TokenReader tokens, ExpressionParser expressions) {
        Expression pattern = expressions.expression();
        int below = expressions.height();
        tokens.expect(Keyword.ESCAPE);
        Expression escape = expressions.expression();
        expressions.height(Math.max(below, expressions.height()) + 1);
        return call(pattern.position(), List.of(pattern, escape));
    }

    /// A pattern that is written as a string is translated once. Others are when they are computed.
    private static Expression regex(
            TokenReader tokens, int position, Expression pattern, @Nullable Expression escape) {
        String written = written(pattern);
        String sign = escape == null ? "\\" : written(escape);
        if (written != null
                && sign != null
                && sign.length() <= 1
                && SimilarText.separators(written, sign) == 0) {
            String regex = SimilarText.regex(written, sign, tokens.source().at(position));
            return string(pattern.position(), regex);
        }
        return call(position, escape == null ? List.of(pattern) : List.of(pattern, escape));
    }

    private static Expression call(int position, List<Expression> arguments) {
        return new Expression.Call(position, Function.SIMILAR_TO_ESCAPE.called(), arguments);
    }

    private static @Nullable String written(Expression expression) {
        return expression instanceof Expression.Literal literal
                        && literal.kind() == Expression.Literal.Kind.STRING
                ? literal.text()
                : null;
    }

    private static Expression string(int position, String text) {
        return new Expression.Literal(position, Expression.Literal.Kind.STRING, text);
    }
}
