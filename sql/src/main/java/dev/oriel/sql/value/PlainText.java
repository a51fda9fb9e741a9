package dev.oriel.sql.value;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.DecimalDigits;
import dev.oriel.table.value.Tuple;
import java.time.DateTimeException;
import java.time.LocalDate;

/// Parses the most common forms of numbers and dates in files, without intermediate objects. Other forms are
/// parsed by [TextFormat].
public final class PlainText {
    private static final int DATE_CHARS = 10;

    private PlainText() {}

    /// Parses the characters from `from` to `to` into `column` of `out` if they are a plain value of `type`. Plain
    /// forms are digits with an optional minus, a point in a DECIMAL, and `2024-02-29`. False for any other form,
    /// or if the value is not one of the type.
    public static boolean read(char[] text, int from, int to, Type type, Tuple out, int column) {
        return switch (type.name()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> whole(text, from, to, type, out, column);
            case DECIMAL -> decimal(text, from, to, out, column);
            case DATE -> date(text, from, to, out, column);
            default -> false;
        };
    }

    private static boolean whole(char[] text, int from, int to, Type type, Tuple out, int column) {
        int first = from < to && text[from] == '-' ? from + 1 : from;
        int digits = to - first;
        long value = digits > DecimalDigits.DIGITS_MAX ? -1 : number(text, first, to);
        if (digits == 0 || value < 0) {
            return false;
        }
        long signed = first > from ? -value : value;
        if (signed < Integers.least(type) || signed > Integers.greatest(type)) {
            return false;
        }
        out.setLong(column, signed);
        return true;
    }

    private static boolean decimal(char[] text, int from, int to, Tuple out, int column) {
        int first = from < to && text[from] == '-' ? from + 1 : from;
        int point = first;
        while (point < to && text[point] != '.') {
            point++;
        }
        int places = Math.max(0, to - point - 1);
        int digits = point - first + places;
        if (digits == 0 || digits > DecimalDigits.DIGITS_MAX) {
            return false;
        }
        long whole = number(text, first, point);
        long fraction = number(text, Math.min(point + 1, to), to);
        long value = (whole | fraction) < 0 ? -1 : DecimalDigits.widened(whole, places) + fraction;
        if (value < 0) {
            return false;
        }
        out.setDigits(column, first > from ? -value : value, places);
        return true;
    }

    private static boolean date(char[] text, int from, int to, Tuple out, int column) {
        if (to - from != DATE_CHARS || text[from + 4] != '-' || text[from + 7] != '-') {
            return false;
        }
        int year = (int) number(text, from, from + 4);
        int month = (int) number(text, from + 5, from + 7);
        int day = (int) number(text, from + 8, to);
        if ((year | month | day) < 0) {
            return false;
        }
        try {
            out.setLong(column, LocalDate.of(year, month, day).toEpochDay());
            return true;
        } catch (DateTimeException none) {
            return false; // TextFormat then fails with a message that quotes the text
        }
    }

    /// The number of at most 18 digits from `from` to `to`; 0 if it is empty, negative if it contains anything
    /// else.
    private static long number(char[] text, int from, int to) {
        long number = 0;
        for (int i = from; i < to; i++) {
            int digit = text[i] - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            number = 10 * number + digit;
        }
        return number;
    }
}
