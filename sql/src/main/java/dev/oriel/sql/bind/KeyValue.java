package dev.oriel.sql.bind;

import dev.oriel.sql.plan.Quoting;
import dev.oriel.sql.value.Order;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.table.definition.EnumType;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// A value of a partition key within a bound.
///
/// @param infinity negative for MINVALUE, positive for MAXVALUE, else 0
/// @param value its only column; null for NULL and for infinities
record KeyValue(int infinity, @Nullable Tuple value, Type type) {
    boolean isNull() {
        return infinity == 0 && value == null;
    }

    /// Compares values of one key column, neither of them NULL.
    int compareTo(KeyValue other) {
        Tuple a = value;
        Tuple b = other.value;
        if (a == null || b == null) {
            return Integer.compare(infinity, other.infinity);
        }
        return Order.compare(type.shape(), a, 0, b, 0);
    }

    /// Whether the value is the label `label` of the type `of`, or may have it as a part.
    boolean hasLabel(EnumType of, String label) {
        if (value == null || !OutsideDependence.hasLabels(type, of)) {
            return false;
        }
        boolean whole = type.withoutDomain().name() == Type.Name.ENUM;
        return whole ? text().equals(Quoting.literal(label)) : text().contains(label);
    }

    /// As a literal, which takes the type of the key beside it.
    String text() {
        Tuple own = value;
        if (own == null) {
            return infinity < 0 ? "MINVALUE" : infinity > 0 ? "MAXVALUE" : "NULL";
        }
        String text =
                switch (type.shape()) {
                    case LONG -> TextFormat.ofLong(own.longAt(0), type);
                    case DOUBLE -> TextFormat.ofDouble(own.doubleAt(0), type);
                    case DECIMAL -> {
                        BigDecimal decimal = own.decimalAt(0);
                        yield decimal == null ? "" : NonFinite.text(decimal);
                    }
                    case TEXT, FOLDED -> String.valueOf(own.textAt(0));
                    case BYTES -> {
                        byte[] bytes = own.bytesAt(0);
                        yield bytes == null ? "" : TextFormat.ofBytes(bytes, type);
                    }
                };
        boolean plain =
                type.name() == Type.Name.BOOLEAN
                        || ((type.name() == Type.Name.INTEGER || type.shape() == Type.Shape.DECIMAL)
                                && Character.isDigit(text.charAt(0)));
        return plain ? text : Quoting.literal(text);
    }
}
