package dev.oriel.sql.value;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/// The patterns of TO_CHAR for numbers: `9` a digit or a blank, `0` a digit, `.` or `D` the point,
/// `,` or `G` between thousands, `S` the sign, `MI` a minus behind, and FM without blanks.
public final class NumberPattern {
    private NumberPattern() {}

    /// `number` as `pattern` says; `#` where it has too many digits.
    public static String written(BigDecimal number, String pattern) {
        String upper = pattern.toUpperCase(Locale.ROOT);
        boolean fill = !upper.startsWith("FM");
        String body = fill ? upper : upper.substring(2);
        boolean trailingMinus = body.endsWith("MI");
        body = trailingMinus ? body.substring(0, body.length() - 2) : body;
        boolean sign = body.startsWith("S");
        body = sign ? body.substring(1) : body;
        int point = Math.max(body.indexOf('.'), body.indexOf('D'));
        String whole = point < 0 ? body : body.substring(0, point);
        String fraction = point < 0 ? "" : body.substring(point + 1);
        int decimals = (int) fraction.chars().filter(NumberPattern::isDigit).count();
        int places = (int) whole.chars().filter(NumberPattern::isDigit).count();
        BigDecimal rounded = number.setScale(decimals, RoundingMode.HALF_UP);
        boolean negative = rounded.signum() < 0;
        String digits = rounded.abs().toPlainString();
        String before = point(digits) < 0 ? digits : digits.substring(0, point(digits));
        String after = point(digits) < 0 ? "" : digits.substring(point(digits) + 1);
        before = before.equals("0") && decimals > 0 && !whole.contains("0") ? "" : before;
        String left =
                before.length() > places
                        ? whole.replaceAll("[90]", "#")
                        : grouped(whole, " ".repeat(places - before.length()) + before);
        String right = before.length() > places ? "#".repeat(decimals) : after;
        if (!fill && before.length() <= places) {
            right = trimmed(right, fraction);
        }
        String text = signed(left, negative, sign, trailingMinus, fill);
        String all = point < 0 ? text : text + "." + right;
        return (trailingMinus ? all + (negative ? "-" : fill ? " " : "") : all);
    }

    /// The number that `text` is, written as `pattern` says: as many digits as it has places, without what stands
    /// between thousands.
    public static BigDecimal read(String text, String pattern, Place place) {
        String upper = pattern.toUpperCase(Locale.ROOT);
        int point = Math.max(upper.indexOf('.'), upper.indexOf('D'));
        String before = point < 0 ? upper : upper.substring(0, point);
        String after = point < 0 ? "" : upper.substring(point + 1);
        long places = before.chars().filter(NumberPattern::isDigit).count();
        long decimals = after.chars().filter(NumberPattern::isDigit).count();
        StringBuilder digits = new StringBuilder();
        boolean negative = false;
        boolean fraction = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '-' || (c == '<' && upper.contains("PR"))) {
                negative = true;
            } else if (c == '.' && point >= 0 && !fraction) {
                fraction = true;
                digits.append('.');
            } else if (c >= '0' && c <= '9' && (fraction ? decimals-- : places--) > 0) {
                digits.append(c);
            }
        }
        if (digits.chars().noneMatch(NumberPattern::isDecimal)) {
            throw place.error(
                    Kind.INVALID_VALUE,
                    "'" + text + "' is no number in the form '" + pattern + "'");
        }
        BigDecimal number = new BigDecimal(digits.toString());
        return negative ? number.negate() : number;
    }

    private static boolean isDecimal(int c) {
        return c >= '0' && c <= '9';
    }

    private static int point(String digits) {
        return digits.indexOf('.');
    }

    private static boolean isDigit(int c) {
        return c == '9' || c == '0';
    }

    /// Puts `digits`, blanks first, into the places of `pattern`.
    private static String grouped(String pattern, String digits) {
        StringBuilder out = new StringBuilder();
        int next = 0;
        boolean begun = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (isDigit(c)) {
                char digit = digits.charAt(next++);
                begun |= digit != ' ' || c == '0';
                out.append(digit == ' ' && begun ? '0' : digit);
            } else if (c == ',' || c == 'G') {
                out.append(begun ? ',' : ' ');
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    private static String signed(
            String digits, boolean negative, boolean sign, boolean trailing, boolean fill) {
        int blanks = 0;
        while (blanks < digits.length() && digits.charAt(blanks) == ' ') {
            blanks++;
        }
        String mark = trailing ? "" : negative ? "-" : sign ? "+" : fill ? " " : "";
        String number = mark + digits.substring(blanks);
        return fill ? digits.substring(0, blanks) + number : number;
    }

    /// Without the zeros at the end that the pattern does not ask for.
    private static String trimmed(String digits, String pattern) {
        int end = digits.length();
        while (end > 0 && digits.charAt(end - 1) == '0' && pattern.charAt(end - 1) == '9') {
            end--;
        }
        return digits.substring(0, end);
    }
}
