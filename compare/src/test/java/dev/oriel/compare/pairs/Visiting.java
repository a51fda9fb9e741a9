package dev.oriel.compare.pairs;

/// Walks over a tree by recursion. Changed: half as many nodes more are visited.
public final class Visiting {
    private static int nodes = 600;

    private Visiting() {}

    public static void main(String[] words) {
        nodes = Work.isChanged(words) ? nodes * 3 / 2 : nodes;
        Work.run(words, Visiting::walk);
    }

    static long walk(long seed) {
        return visit(0, seed) + summary(seed);
    }

    /// Visits a node and those below it, in a tree whose node has two below it.
    private static long visit(int node, long seed) {
        long sum = Work.steps(seed + node, 20);
        for (int child = 2 * node + 1; child <= 2 * node + 2; child++) {
            if (child < nodes) {
                sum += visit(child, seed);
            }
        }
        return sum;
    }

    private static long summary(long seed) {
        return Work.steps(seed, 70_000);
    }
}
