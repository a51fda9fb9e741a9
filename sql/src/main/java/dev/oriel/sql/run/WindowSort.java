package dev.oriel.sql.run;

import dev.oriel.sql.plan.AggregateCall;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.WindowCall;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.PolledOrder;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.rows.SortKey;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.LongPredicate;

/// The window functions with the same partitions and order: sorts all rows once, and computes the functions
/// partition by partition.
final class WindowSort {
    private final WindowCall.Window window;
    private final Execution execution;
    private final Scalar[] scalars;
    private final List<Type> types;
    private final List<SortKey> partitionKeys = new ArrayList<>();
    private final List<SortKey> orderKeys = new ArrayList<>();
    private final RowOrder partitions;
    private final RowOrder peers;
    private final List<WindowStep> steps = new ArrayList<>();

    WindowSort(WindowCall.Window window, Execution execution) {
        this.window = window;
        this.execution = execution;
        List<Scalar> all = new ArrayList<>(window.partition());
        for (int i = 0; i < window.partition().size(); i++) {
            partitionKeys.add(new SortKey(i, false, false));
        }
        for (AggregateCall.SortTerm term : window.order()) {
            orderKeys.add(new SortKey(all.size(), term.descending(), term.nullsFirst()));
            all.add(term.scalar());
        }
        this.types = all.stream().map(Scalar::type).toList();
        this.scalars = all.toArray(Scalar[]::new);
        this.partitions = new RowOrder(partitionKeys, types);
        this.peers = new RowOrder(orderKeys, types);
    }

    WindowCall.Window window() {
        return window;
    }

    /// @param column of the results of `call`
    void add(WindowCall call, int column) {
        steps.add(WindowStep.of(call, column, window.partition().size(), execution));
    }

    List<WindowStep> steps() {
        return steps;
    }

    /// The sort keys, partition keys first.
    Scalar[] scalars() {
        return scalars;
    }

    /// Types of the sort keys.
    List<Type> types() {
        return types;
    }

    /// The partition keys, as columns from `first` on.
    List<SortKey> partitionKeys(int first) {
        return moved(partitionKeys, first);
    }

    /// The order keys within a partition, as columns from `first` on.
    List<SortKey> orderKeys(int first) {
        return moved(orderKeys, first);
    }

    private static List<SortKey> moved(List<SortKey> keys, int first) {
        List<SortKey> moved = new ArrayList<>();
        for (SortKey key : keys) {
            moved.add(new SortKey(first + key.column(), key.descending(), key.nullsFirst()));
        }
        return moved;
    }

    /// A row and its sort keys.
    private record Sorted(Tuple row, Tuple keys) {}

    /// Computes the functions and writes their results into `rows`. Returns false if `tooMuch` holds for the bytes
    /// of a result; then a part of the results has been written.
    boolean compute(List<Tuple> rows, LongPredicate tooMuch) {
        Sorted[] sorted = new Sorted[rows.size()];
        CurrentRow current = new CurrentRow();
        Frame frame = new Frame(execution, current);
        for (int i = 0; i < sorted.length; i++) {
            execution.poll();
            current.set(rows.get(i));
            Tuple keys = new Tuple(scalars.length);
            for (int k = 0; k < scalars.length; k++) {
                scalars[k].store(keys, k, frame);
            }
            sorted[i] = new Sorted(rows.get(i), keys);
        }
        List<SortKey> both = new ArrayList<>(partitionKeys);
        both.addAll(orderKeys);
        Comparator<Tuple> order =
                new PolledOrder(new RowOrder(both, types), execution.cancellation());
        Arrays.sort(sorted, (a, b) -> order.compare(a.keys, b.keys));
        int start = 0;
        for (int i = 1; i <= sorted.length; i++) {
            if (i == sorted.length || partitions.compare(sorted[start].keys, sorted[i].keys) != 0) {
                if (!compute(partition(sorted, start, i), tooMuch)) {
                    return false;
                }
                start = i;
            }
        }
        return true;
    }

    private boolean compute(InMemory partition, LongPredicate tooMuch) {
        for (WindowStep step : steps) {
            step.start(partition);
            for (int i = 0; i < partition.count(); i++) {
                execution.poll();
                step.at(i, partition.rows[i]);
                long bytes = step.made();
                if (bytes > 0 && tooMuch.test(bytes)) {
                    step.end();
                    return false;
                }
            }
            step.end();
        }
        return true;
    }

    /// Releases the state of a failed run.
    void clear() {
        steps.forEach(WindowStep::end);
    }

    private InMemory partition(Sorted[] sorted, int start, int end) {
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
        return new InMemory(rows, keys, peerOf, firstOf);
    }

    /// A partition in memory.
    private static final class InMemory implements WindowPartition {
        private final Tuple[] rows;
        private final Tuple[] keys;

        /// Number of the peer group, by row.
        private final int[] peerOf;

        /// First row of each peer group; the last element is the number of rows.
        private final int[] firstOf;

        private InMemory(Tuple[] rows, Tuple[] keys, int[] peerOf, int[] firstOf) {
            this.rows = rows;
            this.keys = keys;
            this.peerOf = peerOf;
            this.firstOf = firstOf;
        }

        @Override
        public int count() {
            return rows.length;
        }

        @Override
        public Row row(int i) {
            return rows[i];
        }

        @Override
        public Row keys(int i) {
            return keys[i];
        }

        @Override
        public int groups() {
            return firstOf.length - 1;
        }

        @Override
        public int group(int i) {
            return peerOf[i];
        }

        @Override
        public int first(int group) {
            return firstOf[group];
        }
    }
}
