package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import org.jspecify.annotations.Nullable;

/// `TOP n [PERCENT] [WITH TIES]` before a select list, as in SQL Server and H2: FETCH FIRST. The number is a literal,
/// since TOP may also be a column or a function.
record Top(int position, Expression count, boolean percent, boolean ties) {
    /// Parses TOP; null if something else begins here.
    static @Nullable Top of(TokenReader tokens) {
        return of(tokens, false);
    }

    /// Accepts it in an UPDATE or DELETE.
    static @Nullable Top ofChange(TokenReader tokens) {
        return of(tokens, true);
    }

    private static @Nullable Top of(TokenReader tokens, boolean change) {
        if (!tokens.atWord(0, "TOP")) {
            return null;
        }
        boolean enclosed = tokens.peek(1).isSymbol("(");
        Token number = tokens.peek(enclosed ? 2 : 1);
        if (number.kind() != Token.Kind.INTEGER && number.kind() != Token.Kind.DECIMAL) {
            return null;
        }
        if (enclosed && !(tokens.peek(3).isSymbol(")") && (change || precedesItem(tokens)))) {
            return null;
        }
        int position = tokens.take().position();
        tokens.accept("(");
        tokens.take();
        if (enclosed) {
            tokens.expect(")");
        }
        Expression.Literal.Kind kind =
                number.kind() == Token.Kind.INTEGER
                        ? Expression.Literal.Kind.INTEGER
                        : Expression.Literal.Kind.DECIMAL;
        boolean percent = tokens.acceptWord("PERCENT");
        boolean ties = tokens.accept(Keyword.WITH);
        if (ties) {
            tokens.expectWord("TIES");
        }
        return new Top(
                position,
                new Expression.Literal(number.position(), kind, number.text()),
                percent,
                ties);
    }

    /// Whether `TOP (n)` is followed by a select item, so that it is no call.
    private static boolean precedesItem(TokenReader tokens) {
        Token next = tokens.peek(4);
        boolean star =
                next.isSymbol("*")
                        && (tokens.peek(5).is(Keyword.FROM) || tokens.peek(5).isSymbol(","));
        return star || next.isName() || next.is(Keyword.WITH) || next.isSymbol("(") || begins(next);
    }

    /// Whether `token` begins an expression and cannot follow a call.
    private static boolean begins(Token token) {
        boolean literal =
                switch (token.kind()) {
                    case STRING, INTEGER, DECIMAL, DOUBLE, BYTES -> true;
                    case WORD, QUOTED, PARAMETER, SYMBOL, END -> false;
                };
        return literal
                || token.is(Keyword.CASE)
                || token.is(Keyword.CAST)
                || token.is(Keyword.EXISTS)
                || token.is(Keyword.NULL)
                || token.is(Keyword.TRUE)
                || token.is(Keyword.FALSE);
    }

    /// Sets the limit of the query that `limits` ends.
    void limit(TokenReader tokens, Limits limits) {
        if (limits.limit != null) {
            throw tokens.error(
                    Kind.SYNTAX, position, "A SELECT has TOP or LIMIT, not both: leave one out");
        }
        limits.limit = count;
        limits.percent = percent;
        limits.ties = ties;
    }

    /// Refuses `top` of an operand of UNION and the like, whose end it would limit in some databases.
    static void refuse(@Nullable Top top, TokenReader tokens) {
        if (top != null) {
            throw tokens.error(
                    Kind.SYNTAX,
                    top.position,
                    "A SELECT with TOP is no operand of UNION, INTERSECT or EXCEPT; put it in"
                            + " parentheses");
        }
    }
}
