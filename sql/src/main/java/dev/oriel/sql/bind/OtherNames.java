package dev.oriel.sql.bind;

import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Expression.Operator;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Functions of DuckDB, DataFusion, Calcite, BigQuery and pgcrypto that stand for other expressions here.
final class OtherNames {
    private static final Type MOMENT = Type.of(Type.Name.TIMESTAMP_TZ);

    private OtherNames() {}

    /// The expression that `call` stands for; null if its name, in capitals, is none of them.
    static @Nullable Expression of(Expression.Call call, String name) {
        int at = call.position();
        List<Expression> given = call.arguments();
        return switch (name) {
            case "MAKE_ARRAY", "LIST_VALUE" -> new Expression.ArrayOf(at, given);
            default ->
                    switch (given.size()) {
                        case 0 -> name.equals("TODAY") ? call(at, Function.CURRENT_DATE) : null;
                        case 1 -> ofOne(at, name, given.getFirst());
                        case 2 -> ofTwo(at, name, given.get(0), given.get(1));
                        default -> null;
                    };
        };
    }

    private static @Nullable Expression ofOne(int at, String name, Expression value) {
        return switch (name) {
            case "TO_TIMESTAMP_SECONDS", "TIMESTAMP_SECONDS", "FROM_UNIXTIME" ->
                    moment(at, value, "1");
            case "TO_TIMESTAMP_MILLIS", "TIMESTAMP_MILLIS" -> moment(at, value, "1000.0");
            case "TO_TIMESTAMP_MICROS", "TIMESTAMP_MICROS" -> moment(at, value, "1000000.0");
            case "TO_UNIXTIME", "UNIX_SECONDS" -> seconds(at, value);
            case "TO_TIME" -> new Expression.Cast(at, value, Type.of(Type.Name.TIME));
            case "ISNAN" -> isNaN(at, value);
            case "ISZERO" -> new Expression.Binary(at, Operator.EQUAL, value, number(at, "0"));
            case "LOG2" -> call(at, Function.LOG, number(at, "2"), value);
            case "SIGNUM" -> call(at, Function.SIGN, value);
            default -> null;
        };
    }

    private static @Nullable Expression ofTwo(
            int at, String name, Expression first, Expression second) {
        return switch (name) {
            case "DIGEST" -> call(at, Function.HASH, second, first);
            case "ENDS_WITH" ->
                    new Expression.Binary(
                            at,
                            Operator.EQUAL,
                            call(at, Function.RIGHT, first, call(at, Function.LENGTH, second)),
                            second);
            case "FIND_IN_SET" -> placeIn(at, first, second);
            case "NANVL" ->
                    new Expression.Case(
                            at,
                            null,
                            List.of(new Expression.When(isNaN(at, first), second)),
                            first);
            default -> null;
        };
    }

    /// The moment so many parts of a second after 1970; a text is read as a moment.
    private static Expression moment(int at, Expression value, String parts) {
        if (isText(value)) {
            return new Expression.Cast(at, value, MOMENT);
        }
        Expression seconds =
                parts.equals("1")
                        ? value
                        : new Expression.Binary(
                                at,
                                Operator.DIVIDE,
                                value,
                                new Expression.Literal(at, Expression.Literal.Kind.DECIMAL, parts));
        return call(at, Function.TO_TIMESTAMP, seconds);
    }

    /// The whole seconds from 1970 to a moment.
    private static Expression seconds(int at, Expression value) {
        Expression moment = isText(value) ? new Expression.Cast(at, value, MOMENT) : value;
        Expression parts =
                call(at, Function.FLOOR, call(at, Function.EXTRACT, text(at, "EPOCH"), moment));
        return new Expression.Cast(at, parts, Typing.BIGINT);
    }

    private static boolean isText(Expression value) {
        return value instanceof Expression.Literal literal
                && literal.kind() == Expression.Literal.Kind.STRING;
    }

    private static Expression isNaN(int at, Expression value) {
        return new Expression.Binary(
                at,
                Operator.EQUAL,
                new Expression.Cast(at, value, Typing.DOUBLE),
                new Expression.Cast(at, text(at, "NaN"), Typing.DOUBLE));
    }

    /// The place of a text among those between the commas of another one; 0 if it is none of them.
    private static Expression placeIn(int at, Expression sought, Expression list) {
        Expression texts = call(at, Function.STRING_TO_ARRAY, list, text(at, ","));
        Expression place = call(at, Function.ARRAY_POSITION, texts, sought);
        Expression none = new Expression.Literal(at, Expression.Literal.Kind.NULL, "NULL");
        Expression unknown =
                new Expression.Logical(
                        at,
                        false,
                        List.of(
                                new Expression.IsNull(at, sought, false),
                                new Expression.IsNull(at, list, false)));
        return new Expression.Case(
                at,
                null,
                List.of(new Expression.When(unknown, none)),
                call(at, Function.COALESCE, place, number(at, "0")));
    }

    private static Expression call(int at, Function function, Expression... arguments) {
        return new Expression.Call(at, function.called(), List.of(arguments));
    }

    private static Expression text(int at, String text) {
        return new Expression.Literal(at, Expression.Literal.Kind.STRING, text);
    }

    private static Expression number(int at, String digits) {
        return new Expression.Literal(at, Expression.Literal.Kind.INTEGER, digits);
    }
}
