package dev.oriel.testkit.history;

import java.util.Arrays;

/// A directed graph whose edges have a type, in arrays: the edges of a node are adjacent.
final class Graph {
    /// The target replaced the source's version.
    static final int WRITE_WRITE = 0;

    /// The target read the source's version.
    static final int WRITE_READ = 1;

    /// The target replaced, perhaps not at once, a version that the source read: the anti-dependency.
    static final int READ_WRITE = 2;

    /// The source had ended before the target began.
    static final int REAL_TIME = 3;

    private final int nodes;
    private int edges;
    private int[] sources = new int[1024];
    private int[] targets = new int[1024];
    private int[] labels = new int[1024];
    private int[] firstEdges = new int[0];

    Graph(int nodes) {
        this.nodes = nodes;
    }

    /// Adds an edge, with the operation that it comes from (less than 2^29).
    void add(int source, int target, int type, int op) {
        if (edges == sources.length) {
            int more = edges + (edges >> 1);
            sources = Arrays.copyOf(sources, more);
            targets = Arrays.copyOf(targets, more);
            labels = Arrays.copyOf(labels, more);
        }
        sources[edges] = source;
        targets[edges] = target;
        labels[edges++] = op << 2 | type;
    }

    /// Sorts the edges by their source. No edge may be added afterwards, and none read before.
    Graph sealed() {
        firstEdges = new int[nodes + 2];
        for (int i = 0; i < edges; i++) {
            firstEdges[sources[i] + 2]++;
        }
        for (int node = 1; node < firstEdges.length; node++) {
            firstEdges[node] += firstEdges[node - 1];
        }
        int[] orderedTargets = new int[edges];
        int[] orderedLabels = new int[edges];
        for (int i = 0; i < edges; i++) {
            int place = firstEdges[sources[i] + 1]++;
            orderedTargets[place] = targets[i];
            orderedLabels[place] = labels[i];
        }
        sources = new int[0];
        targets = orderedTargets;
        labels = orderedLabels;
        return this;
    }

    int nodes() {
        return nodes;
    }

    int edges() {
        return edges;
    }

    int firstEdge(int node) {
        return firstEdges[node];
    }

    int endEdge(int node) {
        return firstEdges[node + 1];
    }

    int target(int edge) {
        return targets[edge];
    }

    int type(int edge) {
        return labels[edge] & 3;
    }

    int op(int edge) {
        return labels[edge] >>> 2;
    }
}
