package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Array functions that search, replace or fill elements. NULL compares as a value.
public final class ArrayEdits {
    /// Maximum number of elements in a filled array.
    private static final long ELEMENTS_MAX = 10_000_000;

    /// Maximum number of characters in all elements of it.
    private static final long TEXT_MAX = 1 << 24;

    /// Mask for polling a cancel once in 1,024 elements.
    private static final int POLL_MASK = 1023;

    private ArrayEdits() {}

    /// The number of the first element from `from` on that equals the value in `sought`; null if there is none.
    public static @Nullable Long position(byte[] array, Tuple sought, long from, Type element) {
        Tuple elements = ArrayValue.elements(element, array);
        int start = Math.clamp(from - 1, 0, elements.columns());
        int at = ArrayFunctions.indexOf(elements, sought, 0, start, element);
        return at < 0 ? null : (Long) (at + 1L);
    }

    /// The numbers of all elements that equal the value in `sought`.
    public static byte[] positions(byte[] array, Tuple sought, Type element) {
        Tuple elements = ArrayValue.elements(element, array);
        Tuple numbers = new Tuple(elements.columns());
        int count = 0;
        int at = ArrayFunctions.indexOf(elements, sought, 0, 0, element);
        while (at >= 0) {
            Cancellation.pollRunning();
            numbers.setLong(count++, at + 1L);
            at = ArrayFunctions.indexOf(elements, sought, 0, at + 1, element);
        }
        return ArrayValue.of(Typing.INTEGER, numbers, count);
    }

    /// `array` with the first of `values` replaced by the second.
    public static byte[] replaced(byte[] array, Tuple values, Type element) {
        Tuple elements = ArrayValue.elements(element, array);
        int at = ArrayFunctions.indexOf(elements, values, 0, 0, element);
        while (at >= 0) {
            Cancellation.pollRunning();
            elements.copy(at, values, 1, element.shape());
            at = ArrayFunctions.indexOf(elements, values, 0, at + 1, element);
        }
        return ArrayValue.of(element, elements, elements.columns());
    }

    /// `array` with the value in `one` as element `index`, and NULL between its end and a later one.
    ///
    /// @param array null for an empty one
    public static byte[] assigned(
            byte @Nullable [] array, long index, Tuple one, Type element, Place place) {
        Tuple elements = extended(array, index, index, element, place);
        elements.copy((int) index - 1, one, 0, element.shape());
        return ArrayValue.of(element, elements, elements.columns());
    }

    /// `array` with the first of `values` as its elements from `first` to `last`.
    ///
    /// @param array null for an empty one
    /// @param last `Long.MAX_VALUE` for the array's last element
    public static byte[] assigned(
            byte @Nullable [] array,
            long first,
            long last,
            byte[] values,
            Type element,
            Place place) {
        long end = last;
        if (last == Long.MAX_VALUE) {
            end = array == null ? 0 : ArrayValue.count(element, array);
        }
        if (end < first) {
            throw place.error(Kind.SUBSCRIPT, "A slice to assign to ends before it begins");
        }
        Tuple source = ArrayValue.elements(element, values);
        if (source.columns() < end - first + 1) {
            throw place.error(
                    Kind.SUBSCRIPT,
                    "A slice of "
                            + (end - first + 1)
                            + " elements needs as many values, these are "
                            + source.columns());
        }
        Tuple elements = extended(array, first, end, element, place);
        for (long i = first; i <= end; i++) {
            elements.copy((int) i - 1, source, (int) (i - first), element.shape());
        }
        return ArrayValue.of(element, elements, elements.columns());
    }

    /// The elements of `array`, at least `last`, those behind its end NULL.
    private static Tuple extended(
            byte @Nullable [] array, long first, long last, Type element, Place place) {
        Tuple old = array == null ? new Tuple(0) : ArrayValue.elements(element, array);
        if (first < 1 || (old.columns() == 0 && first > 1)) {
            throw place.error(
                    Kind.SUBSCRIPT,
                    "Elements count from 1; the first element of an empty array must be number 1");
        }
        if (last > ELEMENTS_MAX) {
            throw place.error(Kind.OUT_OF_RANGE, "The array would have too many elements");
        }
        if (last <= old.columns()) {
            return old;
        }
        Tuple elements = new Tuple((int) last);
        for (int i = 0; i < elements.columns(); i++) {
            if (i < old.columns()) {
                elements.copy(i, old, i, element.shape());
            } else {
                elements.setNull(i);
            }
        }
        return elements;
    }

    /// An array filled with the value in `one`, with the dimension `lengths`; `firsts` is its lower bound.
    public static byte[] filled(
            Tuple one, byte[] lengths, byte @Nullable [] firsts, Type element, Place place) {
        Tuple length = ArrayValue.elements(Typing.INTEGER, lengths);
        if (length.columns() == 0) {
            return new byte[0];
        }
        Tuple first = firsts == null ? null : ArrayValue.elements(Typing.INTEGER, firsts);
        if (first != null && first.columns() != length.columns()) {
            throw place.error(
                    Kind.SUBSCRIPT, "ARRAY_FILL needs as many lower bounds as dimensions");
        }
        for (int i = 0; i < length.columns(); i++) {
            if (length.isNull(i) || (first != null && first.isNull(i))) {
                throw place.error(Kind.NULL_VALUE, "The dimensions of ARRAY_FILL cannot be NULL");
            }
            if (length.longAt(i) == 0) {
                return new byte[0];
            }
        }
        boolean plain = length.columns() == 1 && (first == null || first.longAt(0) == 1);
        if (!plain) {
            throw place.error(
                    Kind.NOT_SUPPORTED,
                    "Arrays have one dimension and start at subscript 1; use JSON to nest");
        }
        long count = length.longAt(0);
        if (count < 0 || count > ELEMENTS_MAX) {
            throw place.error(
                    Kind.OUT_OF_RANGE, "ARRAY_FILL makes 0 to " + ELEMENTS_MAX + " elements");
        }
        long size =
                switch (one.isNull(0) ? Type.Shape.LONG : element.shape()) {
                    case TEXT, FOLDED -> Objects.requireNonNull(one.textAt(0)).length();
                    case BYTES -> Objects.requireNonNull(one.bytesAt(0)).length;
                    default -> 1;
                };
        if (size * count > TEXT_MAX) {
            throw place.error(
                    Kind.OUT_OF_RANGE,
                    "The elements of ARRAY_FILL would be longer than " + TEXT_MAX + " characters");
        }
        Tuple elements = new Tuple((int) count);
        for (int i = 0; i < count; i++) {
            if ((i & POLL_MASK) == 0) {
                Cancellation.pollRunning();
            }
            elements.copy(i, one, 0, element.shape());
        }
        return ArrayValue.of(element, elements, (int) count);
    }

    /// `array` without its last `less` elements.
    public static byte[] trimmed(byte[] array, long less, Type element, Place place) {
        int count = ArrayValue.count(element, array);
        if (less < 0 || less > count) {
            throw place.error(
                    Kind.SUBSCRIPT, "TRIM_ARRAY removes 0 to " + count + " elements here");
        }
        return ArrayFunctions.slice(array, 1, count - less, element);
    }

    /// Whether two arrays have an element in common, NULL excepted.
    public static boolean overlap(byte[] a, byte[] b, Type element) {
        Tuple first = ArrayValue.elements(element, a);
        Tuple second = ArrayValue.elements(element, b);
        for (int i = 0; i < first.columns(); i++) {
            Cancellation.pollRunning();
            boolean found =
                    !first.isNull(i) && ArrayFunctions.indexOf(second, first, i, 0, element) >= 0;
            if (found) {
                return true;
            }
        }
        return false;
    }
}
