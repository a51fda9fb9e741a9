package dev.oriel.studio;

import dev.oriel.compare.Change;
import dev.oriel.compare.Interval;
import java.util.Locale;

/// Verdicts in one sentence.
final class Sentences {
    private Sentences() {}

    /// The benefit of an index: `change` is the time with it over the time without it.
    static String indexWorth(Change change, double withoutMillis, double withMillis) {
        Interval ratio = change.ratio();
        String times = " (" + time(withoutMillis) + " -> " + time(withMillis) + ")";
        return switch (change.verdict()) {
            case FASTER ->
                    "With the index the statement is %s times as fast%s, between %s and %s times."
                            .formatted(
                                    figure(1 / ratio.value()),
                                    times,
                                    figure(1 / ratio.high()),
                                    figure(1 / ratio.low()));
            case SLOWER ->
                    "With the index the statement takes %s times as long%s, between %s and %s times."
                            .formatted(
                                    figure(ratio.value()),
                                    times,
                                    figure(ratio.low()),
                                    figure(ratio.high()));
            case SAME -> "The index makes no difference of 2 %% or more%s.".formatted(times);
            case UNKNOWN, NEW, GONE ->
                    "Cannot tell: with the index the statement takes between %s and %s times as long%s; measure again on a quieter machine."
                            .formatted(figure(ratio.low()), figure(ratio.high()), times);
        };
    }

    /// A number with three significant digits.
    private static String figure(double value) {
        int decimals = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
        return String.format(Locale.ROOT, "%,." + decimals + "f", value);
    }

    private static String time(double millis) {
        return millis >= 1000
                ? figure(millis / 1000) + " s"
                : millis >= 1 ? figure(millis) + " ms" : figure(millis * 1000) + " \u00b5s";
    }
}
