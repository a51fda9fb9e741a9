package dev.oriel.compare;

import java.util.Locale;

/// The format of costs in reports: the same in every locale, three significant digits.
final class Costs {
    private static final String[] TIMES = {"ns", "us", "ms", "s"};
    private static final String[] SIZES = {"B", "kB", "MB", "GB", "TB"};

    private Costs() {}

    /// `812 ns`, `1.20 MB`.
    static String text(double value, Measure measure) {
        return switch (measure.unit()) {
            case "ns" -> text(value, TIMES);
            case "%" -> String.format(Locale.ROOT, "%.2f %%", value);
            default -> text(value, SIZES);
        };
    }

    private static String text(double cost, String[] units) {
        double value = cost;
        int unit = 0;
        while (unit < units.length - 1 && Math.abs(value) >= 999.5) {
            value /= 1_000;
            unit++;
        }
        double size = Math.abs(value);
        int decimals = size >= 99.95 || size == 0 ? 0 : size >= 9.995 ? 1 : 2;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", value, units[unit]);
    }

    /// A number of calls per operation.
    static String count(double value) {
        if (value == Math.rint(value) && value < 1e15) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (value < 0.1) {
            return "1 in " + String.format(Locale.ROOT, "%,.0f", 1 / value);
        }
        String text = String.format(Locale.ROOT, value < 10 ? "%.3f" : "%,.1f", value);
        int point = text.indexOf('.');
        boolean whole = text.substring(point + 1).chars().allMatch(digit -> digit == '0');
        return whole ? text.substring(0, point) : text;
    }
}
