package dev.oriel.sql.plan;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Order;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.ArrayValue;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.math.RoundingMode;

/// WIDTH_BUCKET: parts of equal width between two bounds, counted from the first bound, which may be the greater
/// one.
public final class Buckets {
    private Buckets() {}

    /// The bucket for a number, two bounds and a number of buckets.
    public static Long ofDoubles(Object[] values, Place place) {
        double number = (Double) values[0];
        double from = (Double) values[1];
        double to = (Double) values[2];
        long count = count(values[3], place);
        if (Double.isNaN(number) || !Double.isFinite(from) || !Double.isFinite(to)) {
            throw notFinite(place);
        }
        checkBounds(Double.compare(from + 0.0, to + 0.0), place);
        boolean up = from < to;
        if (up ? number < from : number > from) {
            return 0L;
        } else if (up ? number >= to : number <= to) {
            return count + 1;
        }
        // Halves, since the distance between the bounds may overflow.
        double share = (number / 2 - from / 2) / (to / 2 - from / 2);
        return Math.min((long) (count * share), count - 1) + 1;
    }

    public static Long ofDecimals(Object[] values, Place place) {
        BigDecimal number = (BigDecimal) values[0];
        BigDecimal from = (BigDecimal) values[1];
        BigDecimal to = (BigDecimal) values[2];
        long count = count(values[3], place);
        if (NonFinite.isNaN(number) || Decimals.areNonFinite(from, to)) {
            throw notFinite(place);
        }
        int order = from.compareTo(to);
        checkBounds(order, place);
        boolean up = order < 0;
        if (up ? number.compareTo(from) < 0 : number.compareTo(from) > 0) {
            return 0L;
        } else if (up ? number.compareTo(to) >= 0 : number.compareTo(to) <= 0) {
            return count + 1;
        }
        BigDecimal parts = number.subtract(from).multiply(BigDecimal.valueOf(count));
        return parts.divide(to.subtract(from), 0, RoundingMode.FLOOR).longValueExact() + 1;
    }

    /// Number of elements of `bounds`, in ascending order, that are not greater than the value in `sought`.
    public static Long ofArray(Tuple sought, byte[] bounds, Type element, Place place) {
        Tuple elements = ArrayValue.elements(element, bounds);
        for (int i = 0; i < elements.columns(); i++) {
            if (elements.isNull(i)) {
                throw place.error(Kind.NULL_VALUE, "The bounds of WIDTH_BUCKET cannot be NULL");
            }
        }
        int least = 0;
        int most = elements.columns();
        while (least < most) {
            int middle = (least + most) >>> 1;
            if (Order.compare(element.shape(), sought, 0, elements, middle) < 0) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        return (long) least;
    }

    private static SqlException notFinite(Place place) {
        return place.error(
                Kind.WIDTH_BUCKET, "WIDTH_BUCKET needs numbers, and bounds that are finite");
    }

    private static long count(Object value, Place place) {
        long count = (Long) value;
        if (count < 1 || count >= Integer.MAX_VALUE) {
            throw place.error(Kind.WIDTH_BUCKET, "WIDTH_BUCKET needs one part or more");
        }
        return count;
    }

    private static void checkBounds(int order, Place place) {
        if (order == 0) {
            throw place.error(Kind.WIDTH_BUCKET, "The bounds of WIDTH_BUCKET are equal");
        }
    }
}
