package dev.oriel.compare.pairs;

/// A short program, most of which is its start. Changed: a table that a static initialiser fills has twice the size.
public final class Settings {
    private static boolean changed;

    private Settings() {}

    private static final class Table {
        private static final long[] VALUES = fill(changed ? 1_200 : 600);

        private Table() {}

        private static long[] fill(int count) {
            long[] values = new long[count];
            for (int i = 0; i < count; i++) {
                values[i] = Work.steps(i, 100_000);
            }
            return values;
        }
    }

    public static void main(String[] words) {
        changed = Work.isChanged(words);
        Work.run(words, seed -> read((int) (seed & 255)) + options(seed));
    }

    private static long read(int index) {
        return Table.VALUES[index];
    }

    private static long options(long seed) {
        return Work.steps(seed, 100_000_000);
    }
}
