package dev.oriel.bench.measure;

/// The sum of a text that was read: of every character and its place.
public final class TextSum {
    private TextSum() {}

    /// Of `text`; two texts of other characters, or in another order, have other sums.
    public static long of(String text) {
        long sum = 1;
        for (int i = 0; i < text.length(); i++) {
            sum = sum * 1_000_003 + text.charAt(i);
        }
        return sum;
    }
}
