package dev.oriel.graph.algorithm;

import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.memory.LongList;
import dev.oriel.graph.memory.LongMap;
import java.util.Arrays;

/// All vertices numbered from 0, and all edges as pairs of such numbers. The edges are kept in memory if they fit,
/// else read again for each pass.
final class DenseGraph {
    private static final int FIRST = 1 << 10;
    private static final long PAIR_BYTES = 2L * Integer.BYTES;

    private final Hops hops;
    private final Budget budget;
    private final LongMap places;
    private final LongList vertices;
    private int[] froms = new int[FIRST];
    private int[] tos = new int[FIRST];
    private int pairs;
    private boolean kept;

    DenseGraph(Hops hops) {
        this.hops = hops;
        this.budget = hops.course().budget();
        this.places = new LongMap(budget);
        this.vertices = new LongList(budget);
        hops.vertices(vertex -> {
            places.put(vertex, vertices.size());
            vertices.add(vertex);
        });
    }

    /// Receives the edges.
    @FunctionalInterface
    interface Sink {
        void edge(int from, int to);
    }

    int size() {
        return vertices.size();
    }

    long vertex(int place) {
        return vertices.get(place);
    }

    /// The place of a vertex, or -1.
    int place(long vertex) {
        return (int) places.get(vertex, -1);
    }

    /// Keeps the edges in memory, if they fit.
    void keepEdges() {
        if (!budget.has(FIRST * PAIR_BYTES)) {
            return;
        }
        budget.take(FIRST * PAIR_BYTES);
        boolean[] full = {false};
        read((from, to) -> full[0] |= full[0] || !keep(from, to));
        kept = !full[0];
        if (!kept) {
            budget.giveBack(froms.length * PAIR_BYTES);
            froms = new int[0];
            tos = new int[0];
        }
    }

    /// Adds an edge; false if there is no room.
    private boolean keep(int from, int to) {
        if (pairs == froms.length) {
            long length = Math.min(2L * pairs, Integer.MAX_VALUE - 8);
            if (length == pairs || !budget.has(length * PAIR_BYTES)) {
                return false;
            }
            budget.take(length * PAIR_BYTES);
            froms = Arrays.copyOf(froms, (int) length);
            tos = Arrays.copyOf(tos, (int) length);
            budget.giveBack(pairs * PAIR_BYTES);
        }
        froms[pairs] = from;
        tos[pairs++] = to;
        return true;
    }

    /// Whether passes over the edges read from memory.
    boolean keepsEdges() {
        return kept;
    }

    /// Passes all edges between vertices to `each`.
    void edges(Sink each) {
        if (!kept) {
            read(each);
            return;
        }
        for (int i = 0; i < pairs; i++) {
            each.edge(froms[i], tos[i]);
        }
        hops.course().read(pairs);
    }

    private void read(Sink each) {
        hops.all((from, to) -> {
            int first = place(from);
            int second = place(to);
            if (first >= 0 && second >= 0) { // else an end was added after the list was made
                each.edge(first, second);
            }
        });
    }
}
