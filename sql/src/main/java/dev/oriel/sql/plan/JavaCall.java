package dev.oriel.sql.plan;

import dev.oriel.sql.JavaFunction;
import dev.oriel.sql.JavaObjects;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Passes arguments to Java functions, and reports their failures.
public final class JavaCall {
    private JavaCall() {}

    /// The arguments of the body; null if a parameter that does not accept NULL is NULL.
    public static @Nullable Object @Nullable [] values(
            List<JavaFunction.Parameter> parameters, List<Scalar> given, Frame frame, Place place) {
        @Nullable Object[] values = new @Nullable Object[parameters.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = value(given.get(i + 1), frame, place);
            if (values[i] == null && !parameters.get(i).takesNull()) {
                return null;
            }
        }
        return values;
    }

    /// The value of `scalar` as an object.
    private static @Nullable Object value(Scalar scalar, Frame frame, Place place) {
        Type type = scalar.type();
        return switch (type.shape()) {
            case LONG -> {
                long value = scalar.evalLong(frame);
                yield frame.isNull ? null : JavaObjects.ofLong(value, type);
            }
            case DOUBLE -> {
                double value = scalar.evalDouble(frame);
                if (frame.isNull) {
                    yield null;
                }
                yield type.name() == Type.Name.REAL ? (Object) (float) value : value;
            }
            case DECIMAL -> {
                BigDecimal value = scalar.evalDecimal(frame);
                if (value != null && NonFinite.is(value)) {
                    throw place.error(Kind.OUT_OF_RANGE, JavaObjects.noDecimal(value));
                }
                yield value;
            }
            case TEXT, FOLDED -> scalar.evalText(frame);
            case BYTES -> {
                byte[] value = scalar.evalBytes(frame);
                yield value == null || type.name() != Type.Name.UUID
                        ? value
                        : JavaObjects.uuid(value);
            }
        };
    }

    /// The error of a statement whose function has failed.
    public static SqlException failed(String name, Exception failure, Place place) {
        SqlException placed = place.error(Kind.EXTERNAL, name + " failed: " + failure);
        return new SqlException(
                placed.kind(), String.valueOf(placed.getMessage()), placed.position(), failure);
    }
}
