package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException.Kind;
import java.util.List;

/// `CAST(value AS type FORMAT pattern)` of SQL:2016: TO_CHAR, TO_DATE or TO_TIMESTAMP, then the cast.
final class CastFormat {
    private CastFormat() {}

    static Expression of(TokenReader tokens, Expression.Cast cast, Expression pattern) {
        Function function =
                switch (cast.type().name()) {
                    case CHAR, VARCHAR, VARCHAR_IGNORECASE, CLOB -> Function.TO_CHAR;
                    case DATE -> Function.TO_DATE;
                    case TIME, TIME_TZ, TIMESTAMP, TIMESTAMP_TZ -> Function.TO_TIMESTAMP;
                    default ->
                            throw tokens.error(
                                    Kind.SYNTAX,
                                    pattern.position(),
                                    "FORMAT is for casts between dates or times and text; leave it"
                                            + " out");
                };
        Expression formatted =
                new Expression.Call(
                        cast.position(), function.called(), List.of(cast.operand(), pattern));
        return new Expression.Cast(cast.position(), formatted, cast.type());
    }
}
