package dev.oriel.compare.pairs;

/// Sixteen virtual threads ask a slow service. Changed: it takes three milliseconds instead of two.
public final class Visits {
    private static int millis = 2;

    private Visits() {}

    public static void main(String[] words) {
        millis += Work.isChanged(words) ? 1 : 0;
        Work.virtual(words, 16, Visits::visit);
    }

    static long visit(long seed) {
        return show(fetch(seed));
    }

    private static long fetch(long seed) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return seed;
    }

    private static long show(long page) {
        return Work.steps(page, 50_000);
    }
}
