package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// `text SIMILAR TO 'pattern'`, as a regular expression that all of the text is to match.
final class SimilarPattern {
    private SimilarPattern() {}

    static Expression test(
            TokenReader tokens,
            int position,
            Expression text,
            Expression pattern,
            @Nullable Expression escape) {
        boolean written =
                pattern instanceof Expression.Literal literal
                        && literal.kind() == Expression.Literal.Kind.STRING;
        boolean escaped =
                escape == null
                        || (escape instanceof Expression.Literal literal
                                && literal.kind() == Expression.Literal.Kind.STRING
                                && literal.text().length() <= 1);
        if (!written || !escaped) {
            throw tokens.error(
                    Kind.NOT_SUPPORTED,
                    pattern.position(),
                    "SIMILAR TO needs a pattern that is written as a string, and one character to"
                            + " ESCAPE; REGEXP_LIKE takes any");
        }
        String sign = escape == null ? "\\" : ((Expression.Literal) escape).text();
        String regex = regex(((Expression.Literal) pattern).text(), sign);
        return new Expression.Call(
                position,
                Function.REGEXP_LIKE.called(),
                List.of(text, string(pattern.position(), regex), string(pattern.position(), "s")));
    }

    private static Expression string(int position, String text) {
        return new Expression.Literal(position, Expression.Literal.Kind.STRING, text);
    }

    private static String regex(String pattern, String escape) {
        StringBuilder regex = new StringBuilder("^(?:");
        boolean set = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (escape.indexOf(c) == 0 && i + 1 < pattern.length()) {
                char next = pattern.charAt(++i);
                regex.append(Character.isLetterOrDigit(next) ? "" : "\\").append(next);
            } else if (set) {
                set = c != ']';
                regex.append(c == '\\' ? "\\\\" : c);
            } else {
                set = c == '[';
                regex.append(
                        switch (c) {
                            case '%' -> ".*";
                            case '_' -> ".";
                            case '.', '^', '$', '\\' -> "\\" + c;
                            default -> c;
                        });
            }
        }
        return regex.append(")\\z").toString();
    }
}
