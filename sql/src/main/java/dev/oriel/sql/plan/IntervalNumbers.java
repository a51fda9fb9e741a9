package dev.oriel.sql.plan;

import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.Decimals;
import dev.oriel.sql.value.Integers;
import dev.oriel.sql.value.Intervals;
import dev.oriel.sql.value.Temporals;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.NonFinite;
import java.math.BigDecimal;
import java.math.RoundingMode;

/// Intervals as numbers of their first field, and back.
public final class IntervalNumbers {
    private static final long SECOND = 1_000_000;

    private IntervalNumbers() {}

    /// The interval of `number` units. Days have 24 hours.
    public static byte[] of(BigDecimal number, String unit, Place place) {
        if (NonFinite.is(number)) {
            throw Integers.outOfRange(Typing.INTERVAL, place);
        }
        BigDecimal whole =
                number.multiply(BigDecimal.valueOf(length(unit))).setScale(0, RoundingMode.HALF_UP);
        try {
            if (isOfMonths(unit)) {
                return Intervals.bytes(new Intervals.Span(whole.intValueExact(), 0, 0));
            }
            long micros = whole.longValueExact();
            long days = unit.equals("DAY") ? micros / Temporals.MICROS_PER_DAY : 0;
            return Intervals.bytes(
                    new Intervals.Span(0, days, micros - days * Temporals.MICROS_PER_DAY));
        } catch (ArithmeticException tooLong) {
            throw Integers.outOfRange(Typing.INTERVAL, place);
        }
    }

    /// The number of units that an interval has.
    public static BigDecimal read(byte[] interval, String unit) {
        Intervals.Span span = Intervals.span(interval);
        BigDecimal whole =
                isOfMonths(unit)
                        ? BigDecimal.valueOf(span.months())
                        : BigDecimal.valueOf(span.days())
                                .multiply(BigDecimal.valueOf(Temporals.MICROS_PER_DAY))
                                .add(BigDecimal.valueOf(span.micros()));
        BigDecimal number =
                Decimals.divide(whole, BigDecimal.valueOf(length(unit))).stripTrailingZeros();
        return number.scale() < 0 ? number.setScale(0) : number;
    }

    private static boolean isOfMonths(String unit) {
        return unit.equals("YEAR") || unit.equals("MONTH");
    }

    /// Length of a unit in months or microseconds.
    private static long length(String unit) {
        return switch (unit) {
            case "YEAR" -> 12;
            case "MONTH" -> 1;
            case "DAY" -> Temporals.MICROS_PER_DAY;
            case "HOUR" -> 3_600 * SECOND;
            case "MINUTE" -> 60 * SECOND;
            case "SECOND" -> SECOND;
            default -> throw new IllegalStateException(unit + " is no field of an interval");
        };
    }
}
