package dev.oriel.compare.pairs;

/// Sends letters and tries again after a failure. Changed: one letter in five fails at the first attempt.
public final class Retries {
    private static final class Failure extends Exception {
        private static final long serialVersionUID = 1;

        Failure(String message) {
            super(message);
        }
    }

    private static boolean changed;
    private static int letters;

    private Retries() {}

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, Retries::deliver);
    }

    static long deliver(long seed) {
        long sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += send(write(seed + i));
        }
        return sum;
    }

    private static long write(long seed) {
        return Work.steps(seed, 4_000);
    }

    private static long send(long letter) {
        letters++;
        for (int times = 0; times < 3; times++) {
            try {
                return attempt(letter, times);
            } catch (Failure e) {
                letter += String.valueOf(e.getMessage()).length();
            }
        }
        return letter;
    }

    private static long attempt(long letter, int times) throws Failure {
        long sent = Work.steps(letter, 3_000);
        if (changed && times == 0 && letters % 5 == 0) {
            throw new Failure("not sent");
        }
        return sent;
    }
}
