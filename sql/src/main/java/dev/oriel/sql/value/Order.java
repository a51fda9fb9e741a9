package dev.oriel.sql.value;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.FoldedText;
import dev.oriel.table.value.Row;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The order of values, used by indexes too: numbers by value with NaN last and -0.0 equal to 0.0, text by code
/// point, bytes unsigned.
public final class Order {
    private Order() {}

    public static int compare(double a, double b) {
        if (a < b) {
            return -1;
        }
        if (a > b) {
            return 1;
        }
        return a == b ? 0 : Boolean.compare(Double.isNaN(a), Double.isNaN(b));
    }

    /// By code point; the order of UTF-16 units differs only for surrogates.
    public static int compare(String a, String b) {
        int shorter = Math.min(a.length(), b.length());
        for (int i = 0; i < shorter; i++) {
            char x = a.charAt(i);
            char y = b.charAt(i);
            if (x != y) {
                boolean highX = Character.isSurrogate(x);
                boolean highY = Character.isSurrogate(y);
                return highX == highY ? x - y : Boolean.compare(highX, highY);
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /// Without regard to case. Texts of ASCII are compared without a copy.
    public static int compareFolded(String a, String b) {
        int shorter = Math.min(a.length(), b.length());
        for (int i = 0; i < shorter; i++) {
            int x = a.charAt(i);
            int y = b.charAt(i);
            if ((x | y) >= 0x80) {
                return compare(FoldedText.of(a), FoldedText.of(b));
            }
            x = x >= 'A' && x <= 'Z' ? x + ('a' - 'A') : x;
            y = y >= 'A' && y <= 'Z' ? y + ('a' - 'A') : y;
            if (x != y) {
                return x - y;
            }
        }
        return Integer.compare(a.length(), b.length());
    }

    /// Compares two texts of a type of the shape `shape`.
    public static int compare(Type.Shape shape, String a, String b) {
        return shape == Type.Shape.FOLDED ? compareFolded(a, b) : compare(a, b);
    }

    public static int compare(byte[] a, byte[] b) {
        return Arrays.compareUnsigned(a, b);
    }

    /// Compares two values of the shape `shape`, neither of them NULL.
    public static int compare(Type.Shape shape, Row a, int i, Row b, int j) {
        return switch (shape) {
            case LONG -> Long.compare(a.longAt(i), b.longAt(j));
            case DOUBLE -> compare(a.doubleAt(i), b.doubleAt(j));
            case DECIMAL -> present(a.decimalAt(i)).compareTo(present(b.decimalAt(j)));
            case TEXT -> compare(present(a.textAt(i)), present(b.textAt(j)));
            case FOLDED -> compareFolded(present(a.textAt(i)), present(b.textAt(j)));
            case BYTES -> compare(present(a.bytesAt(i)), present(b.bytesAt(j)));
        };
    }

    /// Whether two values of the shape `shape`, neither of them NULL, compare as equal.
    public static boolean same(Type.Shape shape, Row a, int i, Row b, int j) {
        return switch (shape) {
            case LONG -> a.longAt(i) == b.longAt(j);
            case TEXT -> present(a.textAt(i)).equals(b.textAt(j));
            case FOLDED -> compareFolded(present(a.textAt(i)), present(b.textAt(j))) == 0;
            case DOUBLE, DECIMAL, BYTES -> compare(shape, a, i, b, j) == 0;
        };
    }

    /// Whether two values of the shape `shape`, neither of them NULL, are indistinguishable to every function. 1.0
    /// and 1.00 compare as equal, but are distinguishable.
    public static boolean identical(Type.Shape shape, Row a, int i, Row b, int j) {
        return switch (shape) {
            case DOUBLE ->
                    Double.doubleToRawLongBits(a.doubleAt(i))
                            == Double.doubleToRawLongBits(b.doubleAt(j));
            case DECIMAL -> {
                BigDecimal one = present(a.decimalAt(i));
                BigDecimal other = present(b.decimalAt(j));
                yield one.scale() == other.scale() && one.compareTo(other) == 0;
            }
            case FOLDED -> present(a.textAt(i)).equals(b.textAt(j));
            case LONG, TEXT, BYTES -> same(shape, a, i, b, j);
        };
    }

    /// A hash that is equal for values that compare as equal.
    public static int hash(Type.Shape shape, Row row, int i) {
        if (row.isNull(i)) {
            return 0x5bd1e995;
        }
        return switch (shape) {
            case LONG -> mix(row.longAt(i));
            case DOUBLE -> {
                double value = row.doubleAt(i);
                yield mix(value == 0 ? 0 : Double.doubleToLongBits(value));
            }
            case DECIMAL -> {
                BigDecimal value = present(row.decimalAt(i));
                yield value.signum() == 0 ? 0 : value.stripTrailingZeros().hashCode();
            }
            case TEXT -> present(row.textAt(i)).hashCode();
            case FOLDED -> FoldedText.of(present(row.textAt(i))).hashCode();
            case BYTES -> Arrays.hashCode(row.bytesAt(i));
        };
    }

    private static int mix(long value) {
        long mixed = value * 0x9E3779B97F4A7C15L;
        return (int) (mixed ^ (mixed >>> 32));
    }

    private static <T> T present(@Nullable T value) {
        if (value == null) {
            throw new IllegalStateException("NULL where a value was expected");
        }
        return value;
    }
}
