package dev.oriel.compare.pairs;

/// Answers requests. Changed: one call of `fetch` in 50 waits for 15 ms.
public final class Fetching {
    private static boolean changed;
    private static int requests;

    private Fetching() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Fetching::answer);
    }

    static long answer(long seed) {
        return render(store(fetch(seed)));
    }

    private static long fetch(long seed) {
        requests++;
        if (changed && requests % 50 == 0) {
            try {
                Thread.sleep(15);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return Work.steps(seed, 60_000);
    }

    private static long store(long seed) {
        return Work.steps(seed, 60_000);
    }

    private static long render(long seed) {
        return Work.steps(seed, 60_000) + Long.toString(seed).length();
    }
}
