package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Makes calls of strict functions, which are NULL if an argument is.
public final class StrictCall {
    private StrictCall() {}

    /// The function of non-NULL arguments; returns a Long, Double, BigDecimal, String or byte[], by the shape of
    /// the result.
    @FunctionalInterface
    public interface Body {
        @Nullable Object of(Object[] values, Place place);
    }

    /// The call of a strict function.
    public static Scalar of(
            Function function, List<Scalar> arguments, Type type, Body body, Place place) {
        FunctionCall call =
                switch (type.shape()) {
                    case LONG ->
                            new FunctionCall.OfLong(
                                    function,
                                    arguments,
                                    type,
                                    (given, frame) -> {
                                        Object value = applied(given, frame, body, function, place);
                                        frame.isNull = value == null;
                                        return value instanceof Long number ? number : 0;
                                    });
                    case DOUBLE ->
                            new FunctionCall.OfDouble(
                                    function,
                                    arguments,
                                    type,
                                    (given, frame) -> {
                                        Object value = applied(given, frame, body, function, place);
                                        frame.isNull = value == null;
                                        return value instanceof Double number ? number : 0;
                                    });
                    case DECIMAL ->
                            new FunctionCall.OfDecimal(
                                    function,
                                    arguments,
                                    type,
                                    (given, frame) ->
                                            (BigDecimal)
                                                    applied(given, frame, body, function, place));
                    case TEXT, FOLDED ->
                            new FunctionCall.OfText(
                                    function,
                                    arguments,
                                    type,
                                    (given, frame) ->
                                            (String) applied(given, frame, body, function, place));
                    case BYTES ->
                            new FunctionCall.OfBytes(
                                    function,
                                    arguments,
                                    type,
                                    (given, frame) ->
                                            (byte[]) applied(given, frame, body, function, place));
                };
        return Folding.foldAll(call, arguments);
    }

    /// The function of non-NULL arguments and the time zone of the session; returns a Long or a String.
    @FunctionalInterface
    public interface ZonedBody {
        @Nullable Object of(Object[] values, Zone zone, Place place);
    }

    /// The call of a strict function that reads the time zone of the session, and so is no constant
    /// ([Folding#readsZone]).
    public static Scalar inZone(
            Function function, List<Scalar> arguments, Type type, ZonedBody body, Place place) {
        if (type.shape().isText()) {
            return new FunctionCall.OfText(
                    function,
                    arguments,
                    type,
                    (given, frame) -> (String) applied(given, frame, body, function, place));
        }
        return new FunctionCall.OfLong(
                function,
                arguments,
                type,
                (given, frame) -> {
                    Object value = applied(given, frame, body, function, place);
                    frame.isNull = value == null;
                    return value instanceof Long number ? number : 0;
                });
    }

    private static @Nullable Object applied(
            List<Scalar> arguments, Frame frame, ZonedBody body, Function function, Place place) {
        Zone zone = frame.zone();
        return applied(
                arguments, frame, (values, at) -> body.of(values, zone, at), function, place);
    }

    private static @Nullable Object applied(
            List<Scalar> arguments, Frame frame, Body body, Function function, Place place) {
        Object[] values = new Object[arguments.size()];
        for (int i = 0; i < values.length; i++) {
            Object value = value(arguments.get(i), frame);
            if (value == null) {
                return null;
            }
            values[i] = value;
        }
        try {
            return body.of(values, place);
        } catch (ArithmeticException | DateTimeException beyond) {
            throw place.error(
                    Kind.OUT_OF_RANGE,
                    function + " has a result that is out of range for its type");
        }
    }

    /// The value of `scalar`; null if it is NULL.
    public static @Nullable Object value(Scalar scalar, Frame frame) {
        return switch (scalar.type().shape()) {
            case LONG -> {
                long value = scalar.evalLong(frame);
                yield frame.isNull ? null : (Object) value;
            }
            case DOUBLE -> {
                double value = scalar.evalDouble(frame);
                yield frame.isNull ? null : (Object) value;
            }
            case DECIMAL -> scalar.evalDecimal(frame);
            case TEXT, FOLDED -> scalar.evalText(frame);
            case BYTES -> scalar.evalBytes(frame);
        };
    }
}
