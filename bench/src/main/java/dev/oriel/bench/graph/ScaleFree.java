package dev.oriel.bench.graph;

import java.util.Arrays;
import java.util.SplittableRandom;

/// A random graph of few vertices with many edges and many with few. The number of vertices with at least `d`
/// edges falls with the square of `d`, as in graphs that grow by preferential attachment.
///
/// Both ends of an edge are chosen independently by the same weights: the vertex of rank `r` weighs `1 / sqrt(r)`.
/// Ranks are spread over the numbers, so that vertices with many edges are not neighbours in any order. Edges are
/// sorted by source and target, and all differ.
final class ScaleFree {
    private static final long SPREAD = 1_000_003; // a prime, and no divisor of any size in use

    private final int vertices;

    /// The edges, each with the source in the upper half of its bits and the target in the lower.
    private final long[] edges;

    private ScaleFree(int vertices, long[] edges) {
        this.vertices = vertices;
        this.edges = edges;
    }

    static ScaleFree of(int vertices, int edges, long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        long[] all = new long[edges];
        int count = 0;
        while (count < edges) {
            while (count < edges) {
                int source = vertex(vertices, random);
                int target = vertex(vertices, random);
                if (source != target) {
                    all[count++] = (long) source << Integer.SIZE | target;
                }
            }
            Arrays.sort(all);
            count = distinct(all);
        }
        return new ScaleFree(vertices, all);
    }

    private static int vertex(int vertices, SplittableRandom random) {
        double share = random.nextDouble();
        int rank = (int) (share * share * vertices);
        return (int) (rank * SPREAD % vertices);
    }

    /// Moves the distinct values to the front, and returns their number.
    private static int distinct(long[] sorted) {
        int count = 0;
        for (int i = 0; i < sorted.length; i++) {
            if (i == 0 || sorted[i] != sorted[i - 1]) {
                sorted[count++] = sorted[i];
            }
        }
        return count;
    }

    int vertices() {
        return vertices;
    }

    int edges() {
        return edges.length;
    }

    int source(int edge) {
        return (int) (edges[edge] >>> Integer.SIZE);
    }

    int target(int edge) {
        return (int) edges[edge];
    }
}
