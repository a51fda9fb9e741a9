package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// LIMIT, OFFSET and FETCH in any order, each at most once.
final class Limits {
    @Nullable Expression limit;
    @Nullable Expression offset;
    boolean ties;

    /// Whether the limit is a share of all rows.
    boolean percent;

    private boolean all;

    /// Those of a query in the order `orderBy`.
    ///
    /// @param top the TOP of the query; null if it has none
    static Limits after(
            List<Statement.Order> orderBy,
            @Nullable Top top,
            TokenReader tokens,
            ExpressionParser expressions) {
        Limits limits = new Limits(tokens, expressions);
        if (top != null) {
            top.limit(tokens, limits);
        }
        if (limits.ties && orderBy.isEmpty()) {
            throw tokens.error(
                    Kind.SYNTAX, tokens.position(), "WITH TIES needs an ORDER BY before it");
        }
        return limits;
    }

    /// Parses them.
    private Limits(TokenReader tokens, ExpressionParser expressions) {
        while (true) {
            if (limit == null && !all && tokens.accept(Keyword.LIMIT)) {
                limited(tokens, expressions);
            } else if (limit == null && !all && tokens.accept(Keyword.FETCH)) {
                limit = count(tokens, expressions);
                percent = tokens.acceptWord("PERCENT");
                row(tokens);
                ties = ties(tokens);
            } else if (offset == null && tokens.accept(Keyword.OFFSET)) {
                offset = expressions.expression();
                if (!tokens.accept(Keyword.ROWS)) {
                    tokens.accept(Keyword.ROW);
                }
            } else {
                return;
            }
        }
    }

    private void limited(TokenReader tokens, ExpressionParser expressions) {
        if (tokens.accept(Keyword.ALL)) {
            all = true;
            return;
        }
        limit = expressions.expression();
        if (offset == null && tokens.accept(",")) { // as of MySQL and SQLite
            offset = limit;
            limit = expressions.expression();
        }
    }

    /// The number of rows of FETCH.
    static Expression fetch(TokenReader tokens, ExpressionParser expressions) {
        Expression count = count(tokens, expressions);
        row(tokens);
        return count;
    }

    private static Expression count(TokenReader tokens, ExpressionParser expressions) {
        if (!tokens.accept(Keyword.FIRST)) {
            tokens.expect(Keyword.NEXT);
        }
        Token token = tokens.peek();
        return token.is(Keyword.ROW) || token.is(Keyword.ROWS)
                ? new Expression.Literal(token.position(), Expression.Literal.Kind.INTEGER, "1")
                : expressions.expression();
    }

    private static void row(TokenReader tokens) {
        if (!tokens.accept(Keyword.ROWS)) {
            tokens.expect(Keyword.ROW);
        }
    }

    /// Accepts ONLY or WITH TIES.
    private static boolean ties(TokenReader tokens) {
        if (tokens.accept(Keyword.WITH)) {
            tokens.expectWord("TIES");
            return true;
        }
        tokens.expect(Keyword.ONLY);
        return false;
    }
}
