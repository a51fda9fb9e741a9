package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.EncodingFunctions;
import dev.oriel.sql.plan.Folding;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.StrictCall;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

/// Binds functions that format values: as strings and names of SQL, in patterns, and bytes as text.
final class WritingBinder {
    private final ScalarBinder scalars;

    WritingBinder(ScalarBinder scalars) {
        this.scalars = scalars;
    }

    Scalar bound(Function function, Expression.Call call, Place place) {
        Expression first = call.arguments().getFirst();
        return switch (function) {
            case QUOTE_IDENT ->
                    text(function, scalars.text(first, function.name()), Quoting::name, place);
            case QUOTE_LITERAL -> text(function, written(first), Quoting::literal, place);
            case QUOTE_NULLABLE -> nullable(written(first));
            case FORMAT -> format(call, place);
            case PG_TYPEOF ->
                    Scalar.Constant.of(
                            Typing.TEXT,
                            ScalarBinder.untyped(first)
                                    ? "unknown"
                                    : name(scalars.bind(first).type()));
            case IS_OF -> isOf(call, place);
            case ENCODE ->
                    StrictCall.of(
                            function,
                            List.of(bytes(first, function), form(call)),
                            Typing.TEXT,
                            (values, at) ->
                                    EncodingFunctions.encoded(
                                            (byte[]) values[0], (String) values[1], at),
                            place);
            case DECODE ->
                    StrictCall.of(
                            function,
                            List.of(scalars.text(first, function.name()), form(call)),
                            Typing.BYTES,
                            (values, at) ->
                                    EncodingFunctions.decoded(
                                            (String) values[0], (String) values[1], at),
                            place);
            case SHA224, SHA256, SHA384, SHA512 ->
                    StrictCall.of(
                            function,
                            List.of(bytes(first, function)),
                            Typing.BYTES,
                            (values, at) -> EncodingFunctions.digest(function, (byte[]) values[0]),
                            place);
            case HASH -> hash(call, place);
            case CONVERT_TO ->
                    StrictCall.of(
                            function,
                            List.of(scalars.text(first, function.name()), form(call)),
                            Typing.BYTES,
                            (values, at) ->
                                    EncodingFunctions.convertedTo(
                                            (String) values[0], (String) values[1], at),
                            place);
            case CONVERT_FROM ->
                    StrictCall.of(
                            function,
                            List.of(bytes(first, function), form(call)),
                            Typing.TEXT,
                            (values, at) ->
                                    EncodingFunctions.convertedFrom(
                                            (byte[]) values[0], (String) values[1], at),
                            place);
            default -> throw new IllegalStateException(function + " writes nothing");
        };
    }

    private Scalar written(Expression expression) {
        return scalars.asText(scalars.bind(expression), expression.position());
    }

    private static Scalar text(
            Function function, Scalar argument, UnaryOperator<String> body, Place place) {
        return StrictCall.of(
                function,
                List.of(argument),
                Typing.TEXT,
                (values, at) -> body.apply((String) values[0]),
                place);
    }

    private static Scalar nullable(Scalar argument) {
        List<Scalar> arguments = List.of(argument);
        FunctionCall.TextBody body =
                (given, frame) -> {
                    String text = given.getFirst().evalText(frame);
                    return text == null ? "NULL" : Quoting.literal(text);
                };
        return Folding.foldAll(
                new FunctionCall.OfText(Function.QUOTE_NULLABLE, arguments, Typing.TEXT, body),
                arguments);
    }

    /// `IS OF`: true if the type of the value is that of an argument behind it; NULL for NULL. Length and scale are not
    /// compared.
    private Scalar isOf(Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        Scalar value = scalars.bind(given.getFirst());
        Type own = value.type();
        boolean found = false;
        for (Expression type : given.subList(1, given.size())) {
            if (!(type instanceof Expression.Cast cast)) {
                throw FunctionBinder.unnamed(call, place);
            }
            Type asked = cast.type();
            boolean simple = own.element() == null && own.user() == null;
            found |= simple ? asked.name() == own.name() : asked.equals(own);
        }
        long answer = found ? 1 : 0;
        return StrictCall.of(
                Function.IS_OF, List.of(value), Typing.BOOLEAN, (values, at) -> answer, place);
    }

    private Scalar format(Expression.Call call, Place place) {
        List<Scalar> arguments = new ArrayList<>();
        for (Expression argument : call.arguments()) {
            arguments.add(scalars.printed(scalars.bind(argument), argument.position()));
        }
        return Folding.foldAll(
                new FunctionCall.OfText(
                        Function.FORMAT, List.copyOf(arguments), Typing.TEXT, Quoting.body(place)),
                arguments);
    }

    /// HASH: the digest of a text in UTF-8, or of bytes, taken once or as often as the third argument says.
    private Scalar hash(Expression.Call call, Place place) {
        List<Expression> given = call.arguments();
        Scalar value = scalars.bind(given.get(1), Typing.TEXT);
        if (!Typing.isText(value.type())) {
            value = bytes(value, given.get(1), Function.HASH);
        }
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(scalars.text(given.get(0), "HASH"));
        arguments.add(value);
        if (given.size() > 2) {
            Scalar times = scalars.bind(given.get(2), Typing.INTEGER);
            if (!Typing.isInteger(times.type())) {
                throw place.error(
                        Kind.UNKNOWN_FUNCTION,
                        "HASH needs an integer as the number of its rounds, not " + times.type());
            }
            arguments.add(times);
        }
        return StrictCall.of(
                Function.HASH,
                List.copyOf(arguments),
                Typing.BYTES,
                (values, at) -> EncodingFunctions.hash(values, at),
                place);
    }

    private Scalar form(Expression.Call call) {
        return scalars.text(call.arguments().get(1), call.name());
    }

    /// Binds bytes; text is converted as in CAST.
    private Scalar bytes(Expression expression, Function function) {
        return bytes(scalars.bind(expression, Typing.BYTES), expression, function);
    }

    private Scalar bytes(Scalar bound, Expression expression, Function function) {
        if (Typing.isText(bound.type())) {
            Place place = scalars.source().at(expression.position());
            return Folding.fold(new Conversion(bound, Typing.BYTES, true, place));
        }
        if (Typing.family(bound.type()) != Typing.Family.BYTES) {
            throw scalars.source()
                    .error(
                            Kind.UNKNOWN_FUNCTION,
                            expression.position(),
                            function + " needs bytes, not " + bound.type());
        }
        return bound;
    }

    /// Name of a type in PostgreSQL.
    static String name(Type type) {
        if (type.user() != null) {
            return Quoting.name(type.user().name());
        }
        if (type.element() != null) {
            return name(type.element()) + "[]";
        }
        return switch (type.name()) {
            case VARCHAR -> type.length() == 0 ? "text" : "character varying";
            case VARCHAR_IGNORECASE -> "citext";
            case CHAR -> "character";
            case CLOB -> "text";
            case BINARY, VARBINARY, BLOB -> "bytea";
            case DOUBLE -> "double precision";
            case DECIMAL -> "numeric";
            case TIME -> "time without time zone";
            case TIME_TZ -> "time with time zone";
            case TIMESTAMP -> "timestamp without time zone";
            case TIMESTAMP_TZ -> "timestamp with time zone";
            case JSON -> "jsonb";
            case BIT -> "bit";
            case VARBIT -> "bit varying";
            case BOOLEAN,
                    TINYINT,
                    SMALLINT,
                    INTEGER,
                    BIGINT,
                    REAL,
                    DATE,
                    UUID,
                    INTERVAL,
                    ARRAY,
                    COMPOSITE,
                    ENUM ->
                    type.name().name().toLowerCase(Locale.ROOT);
        };
    }
}
