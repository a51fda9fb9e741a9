package dev.oriel.graph.algorithm;

import dev.oriel.graph.catalog.PropertyKey;
import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.memory.LongList;
import dev.oriel.graph.memory.LongMap;
import java.util.Arrays;

/// The path with the least total weight: Dijkstra's algorithm with a binary heap. A vertex may be in the heap
/// several times; its lightest entry counts.
final class LightestPath {
    private static final long NONE = 0;
    private static final long HEAP_ENTRY_BYTES = 16;

    private final Hops hops;
    private final PropertyKey weight;
    private final Budget budget;
    private final LongMap weights;
    private final LongMap before;
    private long[] heap = new long[16];
    private double[] heapWeights = new double[16];
    private int heapSize;

    LightestPath(Hops hops, PropertyKey weight) {
        this.hops = hops;
        this.weight = weight;
        this.budget = hops.course().budget();
        this.weights = new LongMap(budget);
        this.before = new LongMap(budget);
        budget.take(heap.length * HEAP_ENTRY_BYTES);
    }

    /// The weight of a path and its vertices; no vertices if there is no path.
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Found(double weight, long[] vertices) {}

    Found find(long from, long to) {
        weights.put(from, Double.doubleToRawLongBits(0));
        before.put(from, NONE);
        push(from, 0);
        while (heapSize > 0) {
            long vertex = heap[0];
            double soFar = heapWeights[0];
            pop();
            if (vertex == to) {
                return new Found(soFar, back(to));
            }
            if (soFar > of(vertex)) {
                continue; // a lighter path to it has been expanded
            }
            hops.expandWeighed(vertex, weight, (next, more) -> relax(vertex, next, soFar, more));
        }
        return new Found(0, new long[0]);
    }

    private double of(long vertex) {
        long infinite = Double.doubleToRawLongBits(Double.POSITIVE_INFINITY);
        return Double.longBitsToDouble(weights.get(vertex, infinite));
    }

    private void relax(long vertex, long next, double soFar, double more) {
        if (!(more >= 0)) {
            throw new IllegalArgumentException(
                    "An edge from %s to %s has no weight of 0 or more in the property %s"
                            .formatted(vertex, next, weight.name()));
        }
        double sum = soFar + more;
        if (sum < of(next)) {
            weights.put(next, Double.doubleToRawLongBits(sum));
            before.put(next, vertex);
            push(next, sum);
        }
    }

    private long[] back(long to) {
        LongList path = new LongList(budget);
        for (long at = to; at != NONE; at = before.get(at, NONE)) {
            path.add(at);
        }
        long[] vertices = path.toArray();
        for (int i = 0; i < vertices.length; i++) {
            vertices[i] = path.get(vertices.length - 1 - i);
        }
        return vertices;
    }

    private void push(long vertex, double key) {
        if (heapSize == heap.length) {
            int length = Math.multiplyExact(heapSize, 2);
            budget.take(length * HEAP_ENTRY_BYTES);
            heap = Arrays.copyOf(heap, length);
            heapWeights = Arrays.copyOf(heapWeights, length);
            budget.giveBack(heapSize * HEAP_ENTRY_BYTES);
        }
        int at = heapSize++;
        while (at > 0) {
            int parent = (at - 1) >>> 1;
            if (heapWeights[parent] <= key) {
                break;
            }
            move(parent, at);
            at = parent;
        }
        heap[at] = vertex;
        heapWeights[at] = key;
    }

    private void pop() {
        heapSize--;
        long vertex = heap[heapSize];
        double key = heapWeights[heapSize];
        int at = 0;
        while (true) {
            int child = 2 * at + 1;
            if (child >= heapSize) {
                break;
            }
            if (child + 1 < heapSize && heapWeights[child + 1] < heapWeights[child]) {
                child++;
            }
            if (heapWeights[child] >= key) {
                break;
            }
            move(child, at);
            at = child;
        }
        heap[at] = vertex;
        heapWeights[at] = key;
    }

    private void move(int from, int to) {
        heap[to] = heap[from];
        heapWeights[to] = heapWeights[from];
    }
}
