package dev.oriel.sql.value;

import dev.oriel.table.definition.CompositeType;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.key.CompositeValue;
import dev.oriel.table.key.StoredValues;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Checks whether values fit the types of columns that no table checks. Numbers are rounded as by a table.
public final class CoercionCheck {
    private CoercionCheck() {}

    /// Converts the value at `column`, which is of the family of `type`, to `type`. Returns the kind of error if it
    /// does not fit, else null.
    @SuppressWarnings("NullAway") // isNull was checked
    public static @Nullable Kind fit(Tuple row, int column, Type type) {
        if (row.isNull(column)) {
            return null;
        }
        return switch (type.shape()) {
            case LONG -> inRange(row.longAt(column), type) ? null : Kind.OUT_OF_RANGE;
            case DOUBLE -> real(row, column, type);
            case DECIMAL -> decimal(row, column, type);
            case TEXT, FOLDED -> {
                String text = row.textAt(column);
                yield StoredValues.fits(text, type) ? null : Kind.VALUE_TOO_LONG;
            }
            case BYTES -> bytes(row.bytesAt(column), type);
        };
    }

    private static boolean inRange(long value, Type type) {
        return value >= Integers.least(type) && value <= Integers.greatest(type);
    }

    private static @Nullable Kind real(Tuple row, int column, Type type) {
        if (type.name() != Type.Name.REAL) {
            return null;
        }
        double value = row.doubleAt(column);
        float rounded = (float) value;
        row.setDouble(column, rounded);
        return Float.isInfinite(rounded) && !Double.isInfinite(value) ? Kind.OUT_OF_RANGE : null;
    }

    @SuppressWarnings("NullAway") // it is not NULL
    private static @Nullable Kind decimal(Tuple row, int column, Type type) {
        BigDecimal fitted = Decimals.fitted(row.decimalAt(column), type);
        if (fitted == null) {
            return Kind.OUT_OF_RANGE;
        }
        row.setDecimal(column, fitted);
        return null;
    }

    private static @Nullable Kind bytes(byte[] value, Type type) {
        boolean limited = type.name() == Type.Name.BINARY || type.name() == Type.Name.VARBINARY;
        return limited && type.length() > 0 && value.length > type.length()
                ? Kind.VALUE_TOO_LONG
                : null;
    }

    /// `value` with its elements or attributes converted to their types; null if one does not fit. Other values stay.
    public static byte @Nullable [] parts(byte[] value, Type type) {
        if (type.element() != null) {
            return elements(value, type);
        } else if (type.name() != Type.Name.COMPOSITE) {
            return value;
        }
        CompositeType composite = type.composite();
        Tuple attributes = CompositeValue.attributes(composite, value);
        for (int i = 0; i < composite.size(); i++) {
            if (fit(attributes, i, composite.type(i)) != null) {
                return null;
            }
        }
        return CompositeValue.of(composite, attributes);
    }

    /// `array` with its elements converted to their type; null if one does not fit it.
    private static byte @Nullable [] elements(byte[] array, Type type) {
        Type element = Typing.element(type);
        Tuple elements = ArrayValue.elements(element, array);
        for (int i = 0; i < elements.columns(); i++) {
            if (fit(elements, i, element) != null) {
                return null;
            }
        }
        return ArrayValue.of(element, elements, elements.columns());
    }
}
