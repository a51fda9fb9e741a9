package dev.oriel.bench.results;

import dev.oriel.compare.Interval;
import java.util.Locale;

/// Figures in readable form: three significant digits, a unit of a fitting size, the same in every locale.
public final class Figures {
    private static final String[] TIMES = {"ns", "us", "ms", "s"};

    private Figures() {}

    /// A figure with its unit: `743 k ops/s`, `16.3 ns`, `158 B/op`.
    public static String of(double value, String unit) {
        double nanos = nanosOf(unit);
        if (nanos > 0) {
            return time(value * nanos);
        }
        if (isBytes(unit)) {
            return bytes(value) + (unit.endsWith("/op") ? "/op" : "");
        }
        if (unit.equals("bytes/s")) {
            return bytes(value) + "/s";
        }
        return unit.isEmpty() ? number(value) : number(value) + " " + unit;
    }

    /// The interval's ends, with the unit only once if possible: `[730 k, 751 k]`.
    public static String interval(double low, double high, String unit) {
        return "[" + bare(low, unit) + ", " + bare(high, unit) + "]";
    }

    private static String bare(double value, String unit) {
        return unit.endsWith("/s") ? number(value) : of(value, unit);
    }

    /// Nanoseconds of a unit of time, alone or an operation; 0 if it is no unit of time.
    public static double nanosOf(String unit) {
        String time = unit.endsWith("/op") ? unit.substring(0, unit.length() - 3) : unit;
        return switch (time) {
            case "ns" -> 1;
            case "us" -> 1e3;
            case "ms" -> 1e6;
            case "s" -> 1e9;
            default -> 0;
        };
    }

    /// Whether `unit` is a unit of sizes.
    static boolean isBytes(String unit) {
        return switch (unit) {
            case "bytes", "bytes/op", "B", "B/op" -> true;
            default -> false;
        };
    }

    /// `2.27 M`, `743 k`, `12.0`.
    public static String number(double value) {
        double magnitude = Math.abs(value);
        if (magnitude >= 999.5e6) {
            return digits(value / 1e9) + " G";
        }
        if (magnitude >= 999.5e3) {
            return digits(value / 1e6) + " M";
        }
        return magnitude >= 999.5 ? digits(value / 1e3) + " k" : digits(value);
    }

    /// A round number of things: `300 k`, `1 M`, `10,500`.
    public static String count(long count) {
        if (count >= 1_000_000 && count % 100_000 == 0) {
            return plain(count / 1e6) + " M";
        }
        return count >= 1_000 && count % 1_000 == 0
                ? plain(count / 1e3) + " k"
                : String.format(Locale.ROOT, "%,d", count);
    }

    private static String plain(double value) {
        return value == Math.rint(value)
                ? String.format(Locale.ROOT, "%,.0f", value)
                : String.format(Locale.ROOT, "%.1f", value);
    }

    /// `16.3 ns`, `1.20 ms`.
    public static String time(double nanos) {
        double value = nanos;
        int unit = 0;
        while (unit < TIMES.length - 1 && Math.abs(value) >= 999.5) {
            value /= 1_000;
            unit++;
        }
        return digits(value) + " " + TIMES[unit];
    }

    /// `812 B`, `1.20 MB`: powers of 1,000.
    public static String bytes(double bytes) {
        if (Math.abs(bytes) < 999.5) {
            return digits(bytes) + " B";
        }
        return number(bytes) + "B";
    }

    /// `2.31x`.
    public static String ratio(double ratio) {
        return digits(ratio) + "x";
    }

    /// `2.31x [2.20, 2.43]`, or with `(one run)`.
    public static String ratio(Interval ratio) {
        return ratio(ratio.value()) + " " + ends(ratio);
    }

    /// `[2.20, 2.43]`, or `(one run)`.
    public static String ends(Interval ratio) {
        return ratio.closed()
                ? "[" + digits(ratio.low()) + ", " + digits(ratio.high()) + "]"
                : "(one run)";
    }

    /// Three digits, never in powers of ten: `0.0123`, `1.20`, `16.3`, `743`, `12,345`.
    public static String digits(double value) {
        double magnitude = Math.abs(value);
        if (magnitude == 0) {
            return "0";
        }
        if (magnitude >= 99.95) {
            return String.format(Locale.ROOT, "%,.0f", value);
        }
        if (magnitude >= 9.995) {
            return String.format(Locale.ROOT, "%.1f", value);
        }
        if (magnitude >= 0.995) {
            return String.format(Locale.ROOT, "%.2f", value);
        }
        int decimals = Math.min(9, 2 - (int) Math.floor(Math.log10(magnitude)));
        return String.format(Locale.ROOT, "%." + decimals + "f", value);
    }
}
