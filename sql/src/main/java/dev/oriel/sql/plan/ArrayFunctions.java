package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Order;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Typing;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.key.StoredValues;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The bodies of the array functions.
public final class ArrayFunctions {
    /// Maximum number of elements of an array.
    private static final int ELEMENTS_MAX = 100_000_000;

    private ArrayFunctions() {}

    public static Tuple elements(Type array, byte[] value) {
        return ArrayValue.elements(Typing.element(array), value);
    }

    /// `value`, an array of type `from`, with its elements converted to those of the array type of `whole`.
    static byte[] converted(byte[] value, Type from, Conversion whole, Frame around) {
        Tuple elements = elements(from, value);
        Tuple converted = new Tuple(elements.columns());
        Type target = Typing.element(whole.type());
        CurrentRow current = new CurrentRow();
        current.set(elements);
        Frame frame = new Frame(around.execution(), current);
        for (int i = 0; i < elements.columns(); i++) {
            Scalar.ColumnRef read = new Scalar.ColumnRef(i, Typing.element(from), true, "");
            new Conversion(read, target, whole.explicit(), whole.place())
                    .store(converted, i, frame);
            String text = target.shape().isText() ? converted.textAt(i) : null;
            if (text != null && !StoredValues.fits(text, target)) {
                throw whole.place()
                        .error(
                                Kind.INVALID_VALUE,
                                "An element of the array does not fit " + target);
            }
        }
        return ArrayValue.of(target, converted, elements.columns());
    }

    /// The array of `parts`, each of type `element`.
    public static byte[] made(List<Scalar> parts, Type element, Frame frame) {
        Tuple elements = new Tuple(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            parts.get(i).store(elements, i, frame);
        }
        return ArrayValue.of(element, elements, parts.size());
    }

    /// The concatenation of two arrays.
    public static byte[] joined(byte[] a, byte[] b) {
        if ((long) a.length + b.length > Integer.MAX_VALUE - 8) {
            throw new IllegalStateException("an array of more than 2 GB");
        }
        byte[] joined = Arrays.copyOf(a, a.length + b.length);
        System.arraycopy(b, 0, joined, a.length, b.length);
        return joined;
    }

    /// Whether `operator` holds for a value and any or all elements of an array: 1, 0, or -1.
    public static int test(
            Expression.Operator operator,
            boolean all,
            Tuple value,
            byte @Nullable [] array,
            Type element) {
        if (array == null) {
            return Scalar.UNKNOWN;
        }
        Tuple elements = ArrayValue.elements(element, array);
        int decisive = all ? 0 : 1;
        boolean unknown = false;
        for (int i = 0; i < elements.columns(); i++) {
            if (value.isNull(0) || elements.isNull(i)) {
                unknown = true;
                continue;
            }
            int order = Order.compare(element.shape(), value, 0, elements, i);
            if (Condition.Comparison.holds(operator, order) == decisive) {
                return decisive;
            }
        }
        return unknown ? Scalar.UNKNOWN : 1 - decisive;
    }

    /// Whether `whole` has all elements of `part`; NULL equals no element.
    public static boolean contains(byte[] whole, byte[] part, Type element) {
        Tuple all = ArrayValue.elements(element, whole);
        Tuple wanted = ArrayValue.elements(element, part);
        for (int i = 0; i < wanted.columns(); i++) {
            Cancellation.pollRunning();
            if (wanted.isNull(i) || indexOf(all, wanted, i, 0, element) < 0) {
                return false;
            }
        }
        return true;
    }

    /// Index of the value at `at` of `sought` in `elements`, from index `from` on; -1 if there is none. NULL
    /// compares as a value.
    public static int indexOf(Tuple elements, Tuple sought, int at, int from, Type element) {
        for (int i = Math.max(0, from); i < elements.columns(); i++) {
            boolean missing = elements.isNull(i);
            if (missing == sought.isNull(at)
                    && (missing || Order.compare(element.shape(), elements, i, sought, at) == 0)) {
                return i;
            }
        }
        return -1;
    }

    /// `array` without the elements that equal the value in `sought`.
    public static byte[] without(byte[] array, Tuple sought, Type element) {
        Tuple elements = ArrayValue.elements(element, array);
        Tuple kept = new Tuple(elements.columns());
        int count = 0;
        for (int i = 0; i < elements.columns(); i++) {
            boolean same =
                    elements.isNull(i)
                            ? sought.isNull(0)
                            : !sought.isNull(0)
                                    && Order.compare(element.shape(), elements, i, sought, 0) == 0;
            if (!same) {
                kept.copy(count++, elements, i, element.shape());
            }
        }
        return ArrayValue.of(element, kept, count);
    }

    /// The elements from `first` to `last`, counted from 1; empty if there are none in the range.
    public static byte[] slice(byte[] array, long first, long last, Type element) {
        Tuple elements = ArrayValue.elements(element, array);
        Tuple kept = new Tuple(elements.columns());
        int count = 0;
        for (long i = Math.max(first, 1); i <= Math.min(last, elements.columns()); i++) {
            kept.copy(count++, elements, (int) i - 1, element.shape());
        }
        return ArrayValue.of(element, kept, count);
    }

    /// ARRAY_TO_STRING.
    ///
    /// @param nulls text for NULL; null to omit NULL elements
    public static String joined(
            byte[] array, Type type, String separator, @Nullable String nulls, Zone zone) {
        Tuple elements = elements(type, array);
        StringBuilder out = new StringBuilder();
        boolean first = true;
        for (int i = 0; i < elements.columns(); i++) {
            String text = TextFormat.of(elements, i, Typing.element(type), zone);
            text = text == null ? nulls : text;
            if (text != null) {
                out.append(first ? "" : separator).append(text);
                first = false;
            }
        }
        return out.toString();
    }

    /// STRING_TO_ARRAY.
    ///
    /// @param separator null to split into characters, empty for a single element
    /// @param nulls text that becomes NULL; null if none does
    public static byte[] split(
            String text, @Nullable String separator, @Nullable String nulls, Place place) {
        List<String> parts = new ArrayList<>();
        if (text.isEmpty()) {
            return new byte[0];
        } else if (separator == null) {
            text.codePoints().forEach(c -> parts.add(Character.toString(c)));
        } else {
            int from = 0;
            int at = separator.isEmpty() ? -1 : text.indexOf(separator);
            while (at >= 0) {
                parts.add(text.substring(from, at));
                from = at + separator.length();
                at = text.indexOf(separator, from);
            }
            parts.add(text.substring(from));
        }
        if (parts.size() > ELEMENTS_MAX) {
            throw place.error(Kind.OUT_OF_RANGE, "The array would have too many elements");
        }
        Tuple elements = new Tuple(parts.size());
        for (int i = 0; i < parts.size(); i++) {
            elements.setText(i, parts.get(i).equals(nulls) ? null : parts.get(i));
        }
        return ArrayValue.of(Typing.TEXT, elements, parts.size());
    }
}
