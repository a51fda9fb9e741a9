package dev.oriel.cli.migration;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Intervals of the SQL standard, `INTERVAL '1 02:03' DAY TO MINUTE`, as text that the database reads: each
/// number with its unit.
final class Intervals {
    private static final Pattern LITERAL =
            Pattern.compile("INTERVAL '([^']*)' (.+)", Pattern.CASE_INSENSITIVE);

    private Intervals() {}

    /// @param text a literal, its inside alone, or PostgreSQL's output, which stays unchanged
    /// @param type the type of the column, which gives the inside its meaning: `INTERVAL DAY(2) TO SECOND(6)`
    static String read(String text, String type) {
        Matcher literal = LITERAL.matcher(text);
        boolean whole = literal.matches();
        String inside = whole ? literal.group(1) : text;
        String fields =
                (whole ? literal.group(2) : type)
                        .toUpperCase(Locale.ROOT)
                        .replaceAll("\\([^)]*\\)|INTERVAL", "")
                        .strip();
        if (fields.isEmpty() || inside.isEmpty()) {
            return text;
        }
        String sign = inside.startsWith("-") ? "-" : "";
        String[] numbers = inside.substring(sign.length()).split("[ :]|(?<=\\d)-", -1);
        String[] ends = fields.split(" TO ", -1);
        String[] units = {"YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND"};
        int first = place(units, ends[0]);
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < numbers.length && first >= 0 && first + i < units.length; i++) {
            out.append(i == 0 ? "" : " ").append(sign).append(numbers[i]);
            out.append(' ').append(units[first + i].toLowerCase(Locale.ROOT));
        }
        return out.toString();
    }

    private static int place(String[] units, String unit) {
        for (int i = 0; i < units.length; i++) {
            if (units[i].equals(unit)) {
                return i;
            }
        }
        return -1;
    }
}
