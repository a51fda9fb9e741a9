package dev.oriel.cli;

import java.util.Locale;

/// Formats numbers for people.
final class Figures {
    private static final double MILLI = 1e6;
    private static final double SECOND = 1e9;

    private Figures() {}

    /// `50,637`.
    static String count(long n) {
        return String.format(Locale.ROOT, "%,d", n);
    }

    /// `50,637 rows`, `1 row`.
    static String count(long n, String singular) {
        return count(n) + " " + (n == 1 ? singular : singular + "s");
    }

    /// `0.123 ms`, `12.3 ms`, `1.23 s`.
    static String time(long nanos) {
        if (nanos < MILLI) {
            return String.format(Locale.ROOT, "%.3f ms", nanos / MILLI);
        }
        if (nanos < SECOND) {
            return String.format(Locale.ROOT, "%.1f ms", nanos / MILLI);
        }
        return String.format(Locale.ROOT, "%.2f s", nanos / SECOND);
    }

    /// Formats the rate a second of `n` in `nanos`, with three significant digits or more: `412,345`, `12.0`.
    static String rate(long n, long nanos) {
        return rate(n * SECOND / Math.max(1, nanos));
    }

    /// Formats a rate a second.
    static String rate(double perSecond) {
        return perSecond < 1_000
                ? String.format(Locale.ROOT, "%.1f", perSecond)
                : count(Math.round(perSecond));
    }
}
