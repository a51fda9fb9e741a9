package dev.oriel.sql.value;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.table.definition.NonFinite;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The patterns of TO_CHAR for numbers. Digits are `9`, blank if it leads, and `0`; `.` or `D` is the point, `,`
/// or `G` separates thousands. `S` and `SG` are the sign, before or after, `MI` only a minus, and `PR` encloses
/// negative numbers in angle brackets. `RN` alone is a Roman number, `EEEE` an exponent, `TH` an ending, and `V`
/// shifts the point. FM omits blanks. Other text is copied. PostgreSQL's other fields are refused.
public final class NumberPattern {
    /// All fields of PostgreSQL, longer ones first.
    private static final Pattern FIELD =
            Pattern.compile("EEEE|FM|MI|PL|PR|RN|SG|SP|TH|[90.,BDGLSV]");

    /// Fields of a number after its sign.
    private static final Set<String> PLACES = Set.of("9", "0", ".", ",", "D", "G");

    /// Sign fields after the digits.
    private static final Set<String> SIGNS = Set.of("S", "MI", "PR");

    /// Fields that change the value of a number and are refused for reading.
    private static final Set<String> UNREADABLE = Set.of("EEEE", "RN", "V");

    private static final Pattern SCIENTIFIC = Pattern.compile("[90]+([.D][90]*)?EEEE");

    private static final Pattern QUOTED = Pattern.compile("\"[^\"]*\"?");

    /// Maximum length of a pattern in characters: reading one takes time quadratic in its length.
    private static final int PATTERN_CHARS_MAX = 10_000;

    /// Significant digits of a number in binary; 0 for a decimal.
    private final int significant;

    private final Place place;

    private NumberPattern(int significant, Place place) {
        this.significant = significant;
        this.place = place;
    }

    /// `number` formatted by `pattern`; `#` if it has too many digits.
    ///
    /// @param place position of the call, for an error about the pattern
    public static String written(BigDecimal number, String pattern, Place place) {
        return written(number, pattern, 0, place);
    }

    /// `number` formatted by `pattern`: as its exact value in binary, of which `digits` digits count.
    public static String written(double number, String pattern, int digits, Place place) {
        BigDecimal exact = Double.isFinite(number) ? new BigDecimal(number) : NonFinite.of(number);
        return written(exact, pattern, digits, place);
    }

    private static String written(BigDecimal number, String pattern, int digits, Place place) {
        PatternText text = new PatternText(pattern);
        return text.restored(new NumberPattern(digits, place).formsWritten(number, text.bare()));
    }

    /// `number` with as many decimals. A number in binary is rounded to the nearest even digit, as C does it.
    private BigDecimal rounded(BigDecimal number, int decimals) {
        if (significant == 0) {
            return number.setScale(decimals, RoundingMode.HALF_UP);
        }
        int whole = number.precision() - number.scale();
        int kept = Math.max(0, Math.min(decimals, significant - Math.max(1, whole)));
        return number.setScale(kept, RoundingMode.HALF_EVEN).setScale(decimals);
    }

    /// Writes the fields that concern the whole number: RN and EEEE alone, V, and SG and TH at an end.
    private String formsWritten(BigDecimal number, String pattern) {
        checkLength(pattern);
        String upper = capitals(pattern);
        boolean fill = !upper.startsWith("FM");
        String bare = fill ? upper : upper.substring(2);
        if (bare.equals("RN")) {
            String roman = Roman.of(number);
            boolean small = pattern.endsWith("n");
            String cased = small ? roman.toLowerCase(Locale.ROOT) : roman;
            return fill ? " ".repeat(Roman.WIDTH - cased.length()) + cased : cased;
        }
        if (fill && SCIENTIFIC.matcher(bare).matches() && !NonFinite.is(number)) {
            return scientific(number, bare);
        }
        if (bare.startsWith("SG") || bare.startsWith("MI")) {
            String plus = bare.startsWith("SG") ? "+" : fill ? " " : "";
            String digits = fieldsWritten(number.abs(), pattern.replaceFirst("(?i)SG|MI", ""));
            // The sign takes the place in front of the digits.
            return (number.signum() < 0 ? "-" : plus)
                    + (fill && !digits.isEmpty() ? digits.substring(1) : digits);
        }
        if (bare.endsWith("SG")) {
            String digits = fieldsWritten(number.abs(), pattern.replaceFirst("(?i)SG", "MI"));
            String sign = number.signum() < 0 ? "-" : "+";
            boolean blank = fill && !digits.isEmpty();
            return (blank ? digits.substring(0, digits.length() - 1) : digits) + sign;
        }
        int shift = bare.indexOf('V');
        if (shift >= 0 && bare.matches("[90]+V[90]+")) {
            BigDecimal moved =
                    NonFinite.is(number)
                            ? number
                            : number.movePointRight(bare.length() - shift - 1);
            return fieldsWritten(moved, pattern.replaceFirst("(?i)V", ""));
        }
        if (bare.endsWith("TH") && bare.indexOf('.') < 0 && bare.indexOf('D') < 0) {
            String digits = fieldsWritten(number, pattern.substring(0, pattern.length() - 2));
            boolean counts = number.signum() >= 0 && digits.indexOf('#') < 0;
            String suffix = counts ? ordinal(digits) : "";
            return digits + (pattern.endsWith("H") ? suffix.toUpperCase(Locale.ROOT) : suffix);
        }
        return fieldsWritten(number, pattern);
    }

    /// `number` with an exponent, in as many digits as `pattern` has behind the point.
    private String scientific(BigDecimal number, String pattern) {
        int point = Math.max(pattern.indexOf('.'), pattern.indexOf('D'));
        int decimals = point < 0 ? 0 : pattern.length() - "EEEE".length() - point - 1;
        BigDecimal rounded =
                number.round(
                        new MathContext(
                                decimals + 1,
                                significant == 0 ? RoundingMode.HALF_UP : RoundingMode.HALF_EVEN));
        int exponent = rounded.signum() == 0 ? 0 : rounded.precision() - rounded.scale() - 1;
        BigDecimal first = rounded.movePointLeft(exponent).setScale(decimals, RoundingMode.HALF_UP);
        int size = Math.abs(exponent);
        return (first.signum() >= 0 ? " " : "")
                + first.toPlainString()
                + (exponent < 0 ? "e-" : "e+")
                + (size < 10 ? "0" : "")
                + size;
    }

    /// The ending of the ordinal number `digits` in English.
    private static String ordinal(String digits) {
        String plain = digits.strip();
        if (plain.isEmpty() || (plain.length() > 1 && plain.charAt(plain.length() - 2) == '1')) {
            return "th";
        }
        return switch (plain.charAt(plain.length() - 1)) {
            case '1' -> "st";
            case '2' -> "nd";
            case '3' -> "rd";
            default -> "th";
        };
    }

    private void checkLength(String pattern) {
        if (pattern.length() > PATTERN_CHARS_MAX) {
            throw place.error(
                    Kind.OUT_OF_RANGE,
                    "The pattern of a number has more than "
                            + PATTERN_CHARS_MAX
                            + " characters; shorten it");
        }
    }

    private String fieldsWritten(BigDecimal number, String pattern) {
        String upper = capitals(pattern);
        int modifier = begin(upper, 0);
        boolean fill = !upper.startsWith("FM", modifier);
        int first = fill ? modifier : begin(upper, modifier + 2);
        String prefix =
                pattern.substring(0, modifier)
                        + (fill ? "" : pattern.substring(modifier + 2, first));
        if (first == pattern.length()) {
            return prefix;
        }
        boolean sign = upper.startsWith("S", first);
        int start = first + (sign ? 1 : 0);
        int end = end(upper, start);
        refuseUnknown(upper.substring(first, end), upper.substring(end), place);
        Ending ending = ending(pattern.substring(end));
        String body = upper.substring(start, end);
        int point = Math.max(body.indexOf('.'), body.indexOf('D'));
        String whole = point < 0 ? body : body.substring(0, point);
        String fraction = point < 0 ? "" : body.substring(point + 1);
        int decimals = (int) fraction.chars().filter(NumberPattern::isDigit).count();
        int places = (int) whole.chars().filter(NumberPattern::isDigit).count();
        boolean finite = !NonFinite.is(number);
        BigDecimal rounded = finite ? rounded(number, decimals) : number;
        boolean negative = (significant > 0 ? number : rounded).signum() < 0;
        // NaN and infinities are written like numbers that do not fit.
        String digits =
                finite
                        ? rounded.abs().toPlainString()
                        : "1".repeat(places + 1)
                                + (decimals == 0 ? "" : "." + "1".repeat(decimals));
        String before = point(digits) < 0 ? digits : digits.substring(0, point(digits));
        String after = point(digits) < 0 ? "" : digits.substring(point(digits) + 1);
        boolean zero = before.equals("0") && decimals > 0 && !whole.contains("0");
        String shown = fill ? after : trimmed(after, fraction.replaceAll("[^90]", ""));
        // As in PostgreSQL, 0 keeps its digit if no fraction follows.
        before = zero && (fill || places == 0 || !shown.isEmpty()) ? "" : before;
        String left =
                before.length() > places
                        ? whole.replaceAll("[90]", "#").replace('G', ',')
                        : grouped(whole, " ".repeat(places - before.length()) + before, fill);
        String right = before.length() > places ? "#".repeat(decimals) : shown;
        String text = signed(left, ending.sign.before(negative, sign, fill));
        String all = point < 0 ? text : text + "." + spread(right, fraction);
        return prefix + all + ending.sign.after(negative, fill) + ending.text;
    }

    /// `pattern` with ASCII letters in upper case. Other letters stay, since their upper case may be longer.
    private static String capitals(String pattern) {
        StringBuilder out = new StringBuilder(pattern);
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c >= 'a' && c <= 'z') {
                out.setCharAt(i, (char) (c - 'a' + 'A'));
            }
        }
        return out.toString();
    }

    /// The index of the first field of a pattern from `start` on; quoted text has no fields.
    private static int begin(String pattern, int start) {
        Matcher field = FIELD.matcher(pattern);
        int at = start;
        while (at < pattern.length() && !field.region(at, pattern.length()).lookingAt()) {
            at++;
        }
        return at;
    }

    /// Refuses fields of PostgreSQL that would otherwise be copied as text.
    ///
    /// @param places digits and separators, with an optional sign before them
    private static void refuseUnknown(String places, String ending, Place place) {
        Matcher field = FIELD.matcher(places);
        while (field.find()) {
            boolean sign = field.group().equals("S") && field.start() == 0;
            if (!sign && !PLACES.contains(field.group())) {
                throw unknown(field.group(), place);
            }
        }
        Matcher behind = FIELD.matcher(ending);
        while (behind.find()) {
            String name = behind.group();
            boolean sign = behind.start() == 0 && SIGNS.contains(name);
            if (isDigit(name.charAt(0))) {
                throw place.error(
                        Kind.NOT_SUPPORTED,
                        "Text in quotes must be before or after the digits of a number, not"
                                + " between them");
            } else if (!sign && Character.isLetter(name.charAt(0))) {
                throw unknown(name, place);
            }
        }
    }

    private static SqlException unknown(String field, Place place) {
        return place.error(
                Kind.NOT_SUPPORTED,
                "A pattern with the field "
                        + field
                        + " is not supported; text goes in double quotes");
    }

    /// The index after the digits and separators that begin at `start`.
    private static int end(String pattern, int start) {
        int end = start;
        while (end < pattern.length() && !PatternText.isText(pattern.charAt(end))) {
            end++;
        }
        while (end > start && !isDigit(pattern.charAt(end - 1))) {
            end--;
        }
        boolean point = pattern.startsWith(".", end) || pattern.startsWith("D", end);
        return end + (point ? 1 : 0);
    }

    /// The rest of a pattern after the digits.
    ///
    /// @param text literal text
    private record Ending(Sign sign, String text) {}

    private static Ending ending(String pattern) {
        for (Sign sign : Sign.values()) {
            if (!sign.word.isEmpty()
                    && pattern.regionMatches(true, 0, sign.word, 0, sign.word.length())) {
                return new Ending(sign, pattern.substring(sign.word.length()));
            }
        }
        return new Ending(Sign.BEFORE, pattern);
    }

    /// Position of the sign of a number.
    private enum Sign {
        BEFORE(""),
        BEHIND("S"),
        MINUS_BEHIND("MI"),
        BRACKETS("PR");

        private final String word;

        Sign(String word) {
            this.word = word;
        }

        private String before(boolean negative, boolean always, boolean fill) {
            return switch (this) {
                case BEFORE -> negative ? "-" : always ? "+" : fill ? " " : "";
                case BEHIND, MINUS_BEHIND -> "";
                case BRACKETS -> negative ? "<" : fill ? " " : "";
            };
        }

        private String after(boolean negative, boolean fill) {
            return switch (this) {
                case BEFORE -> "";
                case BEHIND -> negative ? "-" : "+";
                case MINUS_BEHIND -> negative ? "-" : fill ? " " : "";
                case BRACKETS -> negative ? ">" : fill ? " " : "";
            };
        }
    }

    /// Fills the digits of a fraction into `pattern`; digits cut off leave nothing.
    private static String spread(String digits, String pattern) {
        StringBuilder out = new StringBuilder();
        int next = 0;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c == 'G') {
                out.append(',');
            } else if (!isDigit(c)) {
                out.append(c);
            } else if (next < digits.length()) {
                out.append(digits.charAt(next++));
            }
        }
        return out.toString();
    }

    /// Parses `text` by `pattern`: reads as many digits as the pattern has, and ignores separators.
    public static BigDecimal read(String text, String pattern, Place place) {
        String upper = capitals(pattern);
        Matcher field = FIELD.matcher(QUOTED.matcher(upper).replaceAll(" "));
        while (field.find()) {
            if (UNREADABLE.contains(field.group())) {
                throw unknown(field.group(), place);
            }
        }
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
                    "'" + text + "' is not a number in the form '" + pattern + "'");
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

    /// Fills `digits`, after leading blanks, into `pattern`; omits the blanks unless `fill`.
    private static String grouped(String pattern, String digits, boolean fill) {
        StringBuilder out = new StringBuilder();
        int next = 0;
        boolean begun = false;
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (isDigit(c)) {
                char digit = digits.charAt(next++);
                begun |= digit != ' ' || c == '0';
                if (begun || fill) {
                    out.append(digit == ' ' && begun ? '0' : digit);
                }
            } else if (c == ',' || c == 'G') {
                if (begun || fill) {
                    out.append(begun ? ',' : ' ');
                }
            } else {
                out.append(c);
            }
        }
        return out.toString();
    }

    /// `digits` with the sign after their leading blanks.
    private static String signed(String digits, String sign) {
        int blanks = 0;
        while (blanks < digits.length() && digits.charAt(blanks) == ' ') {
            blanks++;
        }
        return digits.substring(0, blanks) + sign + digits.substring(blanks);
    }

    /// `digits` without trailing zeros that the pattern does not require.
    private static String trimmed(String digits, String pattern) {
        int end = digits.length();
        while (end > 0 && digits.charAt(end - 1) == '0' && pattern.charAt(end - 1) == '9') {
            end--;
        }
        return digits.substring(0, end);
    }
}
