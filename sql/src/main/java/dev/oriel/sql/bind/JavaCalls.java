package dev.oriel.sql.bind;

import dev.oriel.sql.JavaFunction;
import dev.oriel.sql.JavaObjects;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.FunctionCall;
import dev.oriel.sql.plan.JavaCall;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds and makes calls of Java functions. The first argument of a bound call is the name, so that calls of
/// different functions are never equal.
final class JavaCalls {
    private JavaCalls() {}

    /// Binds a `call` of `function`.
    static Scalar bound(
            ScalarBinder scalars, JavaFunction function, Expression.Call call, Place place) {
        if (call.distinct() || call.star() || call.extras() != null) {
            throw place.error(
                    Kind.WRONG_OBJECT,
                    function.name()
                            + " is not an aggregate: it takes neither DISTINCT, \"*\", FILTER nor"
                            + " ORDER BY");
        }
        List<Scalar> arguments =
                arguments(scalars, function.name(), function.parameters(), call, place);
        return made(function, arguments, place);
    }

    /// The name and the arguments of `call`, with assignment conversions as in INSERT.
    static List<Scalar> arguments(
            ScalarBinder scalars,
            String name,
            List<JavaFunction.Parameter> parameters,
            Expression.Call call,
            Place place) {
        List<Expression> given = call.arguments();
        if (given.size() != parameters.size()) {
            throw place.error(
                    Kind.UNKNOWN_FUNCTION,
                    name + " takes " + parameters.size() + " arguments, not " + given.size());
        }
        List<Scalar> arguments = new ArrayList<>();
        arguments.add(Scalar.Constant.of(Typing.TEXT, name));
        for (int i = 0; i < given.size(); i++) {
            Type type = parameters.get(i).type();
            Scalar bound = scalars.bind(given.get(i), type);
            if (!Typing.assignable(bound.type(), type)) {
                throw scalars.source()
                        .error(
                                Kind.UNKNOWN_FUNCTION,
                                given.get(i).position(),
                                "Argument "
                                        + (i + 1)
                                        + " of "
                                        + name
                                        + " is of type "
                                        + type
                                        + ", but the value is of type "
                                        + bound.type());
            }
            arguments.add(scalars.converted(bound, type, given.get(i).position()));
        }
        return List.copyOf(arguments);
    }

    private static Scalar made(JavaFunction function, List<Scalar> arguments, Place place) {
        Type type = function.result();
        return switch (type.shape()) {
            case LONG ->
                    new FunctionCall.OfLong(
                            Function.JAVA,
                            arguments,
                            type,
                            (given, frame) -> {
                                Object value = value(function, given, frame, place);
                                frame.isNull = value == null;
                                return value == null ? 0 : whole(function, value, place);
                            });
            case DOUBLE ->
                    new FunctionCall.OfDouble(
                            Function.JAVA,
                            arguments,
                            type,
                            (given, frame) -> {
                                Object value = value(function, given, frame, place);
                                frame.isNull = value == null;
                                return value == null ? 0 : ((Number) value).doubleValue();
                            });
            case DECIMAL ->
                    new FunctionCall.OfDecimal(
                            Function.JAVA,
                            arguments,
                            type,
                            (given, frame) -> (BigDecimal) value(function, given, frame, place));
            case TEXT, FOLDED ->
                    new FunctionCall.OfText(
                            Function.JAVA,
                            arguments,
                            type,
                            (given, frame) -> (String) value(function, given, frame, place));
            case BYTES ->
                    new Conversion(
                            new FunctionCall.OfText(
                                    Function.JAVA,
                                    arguments,
                                    Typing.TEXT,
                                    (given, frame) ->
                                            digits(value(function, given, frame, place), type)),
                            type,
                            true,
                            place);
        };
    }

    private static long whole(JavaFunction function, Object value, Place place) {
        try {
            return JavaObjects.toLong(value, function.result());
        } catch (ArithmeticException tooFar) {
            throw place.error(
                    Kind.DATETIME_RANGE,
                    function.name()
                            + " returned "
                            + value
                            + ", which is out of range for "
                            + function.result());
        }
    }

    /// Bytes as text, in the form from which they can be converted back.
    private static @Nullable String digits(@Nullable Object value, Type type) {
        if (value == null) {
            return null;
        }
        return type.name() == Type.Name.UUID
                ? value.toString()
                : "\\x" + HexFormat.of().formatHex(JavaObjects.toBytes(value));
    }

    private static @Nullable Object value(
            JavaFunction function, List<Scalar> given, Frame frame, Place place) {
        @Nullable Object[] values = JavaCall.values(function.parameters(), given, frame, place);
        if (values == null) {
            return null;
        }
        try {
            return function.body().of(values);
        } catch (Exception failure) {
            throw JavaCall.failed(function.name(), failure, place);
        }
    }
}
