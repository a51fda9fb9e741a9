package dev.oriel.profiler;

import java.util.Locale;

/// The format of figures in text reports: the same in every locale, three significant digits.
final class Figures {
    private static final String[] TIME_UNITS = {"ns", "us", "ms", "s"};

    private Figures() {}

    /// A time with its unit: `812 ns`, `1.20 ms`, `34.5 s`.
    static String time(long nanos) {
        if (nanos < 1_000) {
            return nanos + " ns";
        }
        double value = nanos;
        int unit = 0;
        while (unit < TIME_UNITS.length - 1 && value >= 999.5) {
            value /= 1_000;
            unit++;
        }
        int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f %s", value, TIME_UNITS[unit]);
    }

    /// A number with commas between thousands.
    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /// Bytes with their unit: `812 B`, `1.20 MB` (powers of 1,000).
    static String bytes(long bytes) {
        if (bytes < 1_000) {
            return bytes + " B";
        }
        double value = bytes;
        int unit = 0;
        while (unit < 4 && value >= 999.5) {
            value /= 1_000;
            unit++;
        }
        int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%." + decimals + "f %cB", value, " kMGT".charAt(unit));
    }

    /// A share in percent with one decimal, without the sign.
    static String percent(long part, long whole) {
        return String.format(Locale.ROOT, "%.1f", whole == 0 ? 0.0 : 100.0 * part / whole);
    }

    /// The weight of samples in the unit of their kind.
    static String weight(SampleKind kind, long weight) {
        return switch (kind.unit()) {
            case "bytes" -> bytes(weight);
            case "ns" -> time(weight);
            default -> count(weight);
        };
    }
}
