package dev.oriel.sql;

import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The functions whose windows have the same rows in the same order: sorts all rows once, and
/// computes them partition by partition.
final class WindowSort {
    private final WindowCall.Window window;
    private final Execution execution;
    private final Scalar[] scalars;
    private final RowOrder order;
    private final RowOrder partitions;
    private final RowOrder peers;
    private final List<WindowStep> steps = new ArrayList<>();

    WindowSort(WindowCall.Window window, Execution execution) {
        this.window = window;
        this.execution = execution;
        List<Scalar> all = new ArrayList<>(window.partition());
        List<Plan.SortKey> partitionKeys = new ArrayList<>();
        List<Plan.SortKey> orderKeys = new ArrayList<>();
        for (int i = 0; i < window.partition().size(); i++) {
            partitionKeys.add(new Plan.SortKey(i, false, false));
        }
        for (AggregateCall.SortTerm term : window.order()) {
            orderKeys.add(new Plan.SortKey(all.size(), term.descending(), term.nullsFirst()));
            all.add(term.scalar());
        }
        List<Type> types = all.stream().map(Scalar::type).toList();
        List<Plan.SortKey> both = new ArrayList<>(partitionKeys);
        both.addAll(orderKeys);
        this.scalars = all.toArray(Scalar[]::new);
        this.order = new RowOrder(both, types);
        this.partitions = new RowOrder(partitionKeys, types);
        this.peers = new RowOrder(orderKeys, types);
    }

    WindowCall.Window window() {
        return window;
    }

    /// @param column where the values of `call` go
    void add(WindowCall call, int column) {
        steps.add(WindowStep.of(call, column, window.partition().size(), execution));
    }

    /// A row and the values that it is sorted by.
    private record Sorted(Tuple row, Tuple keys) {}

    /// Computes the functions for all of `rows`, and writes them there.
    void compute(List<Tuple> rows) {
        Sorted[] sorted = new Sorted[rows.size()];
        CurrentRow current = new CurrentRow();
        Frame frame = new Frame(execution, current);
        for (int i = 0; i < sorted.length; i++) {
            current.set(rows.get(i));
            Tuple keys = new Tuple(scalars.length);
            for (int k = 0; k < scalars.length; k++) {
                scalars[k].store(keys, k, frame);
            }
            sorted[i] = new Sorted(rows.get(i), keys);
        }
        Arrays.sort(sorted, (a, b) -> order.compare(a.keys, b.keys));
        int start = 0;
        for (int i = 1; i <= sorted.length; i++) {
            if (i == sorted.length || partitions.compare(sorted[start].keys, sorted[i].keys) != 0) {
                Partition partition = partition(sorted, start, i);
                for (WindowStep step : steps) {
                    step.compute(partition);
                }
                start = i;
            }
        }
    }

    private Partition partition(Sorted[] sorted, int start, int end) {
        int count = end - start;
        Tuple[] rows = new Tuple[count];
        Tuple[] keys = new Tuple[count];
        int[] peerOf = new int[count];
        int groups = 0;
        for (int i = 0; i < count; i++) {
            rows[i] = sorted[start + i].row;
            keys[i] = sorted[start + i].keys;
            if (i > 0 && peers.compare(keys[i - 1], keys[i]) != 0) {
                groups++;
            }
            peerOf[i] = groups;
        }
        int[] firstOf = new int[count == 0 ? 1 : groups + 2];
        firstOf[groups + 1] = count;
        for (int i = count - 1; i >= 0; i--) {
            firstOf[peerOf[i]] = i;
        }
        return new Partition(rows, keys, peerOf, firstOf);
    }

    /// The rows of one partition in their order.
    static final class Partition {
        private final Tuple[] rows;
        private final Tuple[] keys;

        /// Number of the group of equal rows that each belongs to.
        private final int[] peerOf;

        /// First row of each group, and the number of rows last.
        private final int[] firstOf;

        private Partition(Tuple[] rows, Tuple[] keys, int[] peerOf, int[] firstOf) {
            this.rows = rows;
            this.keys = keys;
            this.peerOf = peerOf;
            this.firstOf = firstOf;
        }

        int count() {
            return rows.length;
        }

        Tuple row(int i) {
            return rows[i];
        }

        /// What row `i` is sorted by.
        Tuple keys(int i) {
            return keys[i];
        }

        int groups() {
            return firstOf.length - 1;
        }

        /// Number of the group of equal rows that row `i` belongs to.
        int group(int i) {
            return peerOf[i];
        }

        /// First row of a group; the number of rows for the one after the last.
        int first(int group) {
            return firstOf[group];
        }

        /// First row equal to row `i`.
        int firstPeer(int i) {
            return firstOf[peerOf[i]];
        }

        /// The row after the last one equal to row `i`.
        int endOfPeers(int i) {
            return firstOf[peerOf[i] + 1];
        }
    }
}
