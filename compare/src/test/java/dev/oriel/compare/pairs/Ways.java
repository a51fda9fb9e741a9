package dev.oriel.compare.pairs;

/// Counts ways up a staircase by recursion, with a memory for long ones. Changed: the memory begins one step later.
public final class Ways {
    private static int remembered = 9;
    private final long[] memory = new long[64];

    private Ways() {}

    public static void main(String[] words) {
        remembered += Work.isChanged(words) ? 1 : 0;
        Work.run(words, seed -> climb() + seed % 2);
    }

    static long climb() {
        long sum = 0;
        for (int i = 0; i < 20; i++) {
            Ways ways = new Ways();
            sum += ways.count(40) + ways.describe(sum);
        }
        return sum;
    }

    private long count(int steps) {
        if (steps < 2) {
            return 1;
        }
        if (memory[steps] != 0 && steps >= remembered) {
            return memory[steps];
        }
        memory[steps] = count(steps - 1) + count(steps - 2);
        return memory[steps];
    }

    private long describe(long ways) {
        return Work.steps(ways + memory[40], 1_000);
    }
}
