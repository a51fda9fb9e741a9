package dev.oriel.bench.measure;

/// Checksum of a text: of every character and its position.
public final class TextSum {
    private TextSum() {}

    /// The sum of `text`; texts with other characters, or in another order, have other sums.
    public static long of(String text) {
        long sum = 1;
        for (int i = 0; i < text.length(); i++) {
            sum = sum * 1_000_003 + text.charAt(i);
        }
        return sum;
    }
}
