package dev.oriel.compare.pairs;

/// Makes tickets. Changed: the constructor of a private inner class computes a key that it did not before.
public final class Building {
    private static boolean changed;
    private final long series;

    private Building(long series) {
        this.series = series;
    }

    private final class Ticket {
        private final long number;
        private final long key;

        Ticket(int i) {
            number = series + i;
            long hash = number;
            if (changed) {
                for (int round = 0; round < 120; round++) {
                    hash = hash * 31 + (hash >>> 11) + round;
                }
            }
            key = hash;
        }

        long print() {
            return Work.steps(number ^ key, 400);
        }
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, seed -> new Building(seed).print());
    }

    private long print() {
        long sum = 0;
        for (int i = 0; i < 60; i++) {
            sum += new Ticket(i).print();
        }
        return sum;
    }
}
