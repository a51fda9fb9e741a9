package dev.oriel.graph.algorithm;

import dev.oriel.graph.memory.Budget;
import java.util.Arrays;

/// PageRank by repeated passes over all edges.
final class Ranking {
    private static final double SETTLED = 1e-9;

    private final DenseGraph graph;
    private final double damping;
    private final int[] degrees;

    Ranking(DenseGraph graph, Budget budget, double damping) {
        this.graph = graph;
        this.damping = damping;
        budget.take((long) graph.size() * (Integer.BYTES + 2 * Double.BYTES));
        this.degrees = new int[graph.size()];
    }

    double[] ranks(int iterations) {
        int size = graph.size();
        double[] ranks = new double[size];
        double[] next = new double[size];
        Arrays.fill(ranks, 1.0 / size);
        graph.keepEdges();
        graph.edges((from, _) -> degrees[from]++);
        double change = 1;
        for (int i = 0; i < iterations && change > SETTLED; i++) {
            spread(ranks, next);
            change = 0;
            for (int place = 0; place < size; place++) {
                change += Math.abs(next[place] - ranks[place]);
            }
            double[] old = ranks;
            ranks = next;
            next = old;
        }
        return ranks;
    }

    private void spread(double[] ranks, double[] next) {
        double lost = 0;
        for (int place = 0; place < ranks.length; place++) {
            lost += degrees[place] == 0 ? ranks[place] : 0;
        }
        Arrays.fill(next, (1 - damping + damping * lost) / ranks.length);
        graph.edges((from, to) -> next[to] += damping * ranks[from] / degrees[from]);
    }
}
