package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.Properties;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.memory.LongMultiset;
import dev.oriel.graph.memory.PathCounts;
import dev.oriel.graph.memory.WeakList;
import dev.oriel.graph.range.CancellationCheck;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.range.IndexPlace;
import dev.oriel.graph.range.ReadCounts;
import dev.oriel.graph.range.RowConditions;
import dev.oriel.graph.range.SortRange;
import dev.oriel.graph.value.ValueCodec;
import dev.oriel.profiler.Probe;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.key.KeyRange;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.jspecify.annotations.Nullable;

/// Reads ranges of tables and indexes for a transaction of a graph, in batches. Each batch opens a cursor after
/// the last row of the batch before. Holds the monitor of its [GraphTransaction] meanwhile.
///
/// A reader of an index range must not meet an element again after its own transaction has changed it (the
/// Halloween problem). So before the transaction writes, all unfinished index ranges are read to their ends.
public final class RangeReads implements ReadCounts {
    private static final Probe SCAN = Probe.of(RangeReads.class, "scan");
    private static final Probe FIND = Probe.of(RangeReads.class, "find");
    private static final Probe COUNT = Probe.of(RangeReads.class, "count");

    private final GraphTransaction work;
    private final WeakList<FoundElements<?>> unfinished = new WeakList<>(FoundElements::isDone);
    private long rows;
    private long ranges;

    RangeReads(GraphTransaction work) {
        this.work = work;
    }

    @Override
    public long rows() {
        return rows;
    }

    @Override
    public long ranges() {
        return ranges;
    }

    @Override
    public long pages() {
        return work.transaction().pagesRead();
    }

    /// Counts a lookup of a row by its key.
    boolean lookedUp(boolean found) {
        ranges++;
        rows += found ? 1 : 0;
        return found;
    }

    /// Fills `batch` with vertices of `label` whose numbers are below `below`, after the last of the
    /// batch.
    public void scan(VertexLabel label, long below, VertexBatch batch) {
        long entered = SCAN.enter();
        try {
            try (GraphTransaction.Turn _ = work.turn()) {
                VertexAccess access = work.access(label);
                batch.begin();
                batch.readBy(work);
                access.range.open();
                access.range.lower().setLong(0, batch.last);
                access.range.from(1, false);
                access.range.upper().setLong(0, below);
                access.range.to(1, false);
                TableTransaction transaction = work.transaction();
                RowCursor cursor = access.cursors.ordered(transaction);
                cursor.open(transaction, access.range, false);
                fill(label, cursor, batch);
            }
        } finally {
            SCAN.exit(entered);
        }
    }

    private void fill(VertexLabel label, RowCursor cursor, VertexBatch batch) {
        ranges++;
        while (cursor.next()) {
            batch.last = cursor.longAt(VertexLabel.ID);
            byte[] key = VertexLabel.isHidden(batch.last) ? cursor.bytesAt(VertexLabel.KEY) : null;
            Properties properties =
                    batch.wantsProperties()
                            ? label.columns().read(cursor, work.catalog().keys())
                            : null;
            batch.add(batch.last, key == null ? null : ValueCodec.decode(key), properties);
            if (batch.isFull()) {
                rows += batch.count;
                return;
            }
        }
        rows += batch.count;
        batch.done = true;
    }

    /// Fills `batch`, see [EdgeAccess#fill].
    public void scan(
            EdgeLabel label,
            long vertex,
            boolean reverse,
            long below,
            @Nullable SortRange sorts,
            EdgeBatch batch) {
        long entered = SCAN.enter();
        try {
            try (GraphTransaction.Turn _ = work.turn()) {
                work.access(label).fill(work, vertex, reverse, below, sorts, batch);
                ranges++;
                rows += batch.count;
            }
        } finally {
            SCAN.exit(entered);
        }
    }

    /// Fills `batch` with neighbours of `vertex`, see [EdgeAccess#fill].
    public void neighbours(
            EdgeLabel label, long vertex, boolean reverse, long below, NeighbourBatch batch) {
        long entered = SCAN.enter();
        try {
            try (GraphTransaction.Turn _ = work.turn()) {
                work.access(label).fill(work, vertex, reverse, below, batch);
                ranges++;
                rows += batch.count();
            }
        } finally {
            SCAN.exit(entered);
        }
    }

    /// Fills `batch` with the next vertices of an index range.
    void find(VertexLabel label, IndexPlace place, VertexBatch batch) {
        long entered = FIND.enter();
        try {
            try (GraphTransaction.Turn _ = work.turn()) {
                VertexAccess access = work.access(label);
                TableTransaction transaction = work.transaction();
                RowCursor cursor = access.cursors.by(place.index(), transaction);
                batch.begin();
                batch.readBy(work);
                cursor.open(transaction, place.range(), place.descending());
                ranges++;
                while (cursor.next()) {
                    Properties properties =
                            batch.wantsProperties()
                                    ? label.columns().read(cursor, work.catalog().keys())
                                    : null;
                    batch.add(cursor.longAt(VertexLabel.ID), null, properties);
                    if (batch.isFull()) {
                        rows += batch.count;
                        place.passed(cursor);
                        return;
                    }
                }
                rows += batch.count;
                place.nextRange();
            }
        } finally {
            FIND.exit(entered);
        }
    }

    /// Fills `batch` with the next edges of an index range.
    void find(EdgeLabel label, IndexPlace place, EdgeBatch batch) {
        long entered = FIND.enter();
        try {
            try (GraphTransaction.Turn _ = work.turn()) {
                EdgeAccess access = work.access(label);
                TableTransaction transaction = work.transaction();
                RowCursor cursor = access.cursors.by(place.index(), transaction);
                boolean sorted = label.sortKeys().length > 0;
                batch.begin(sorted);
                cursor.open(transaction, place.range(), place.descending());
                ranges++;
                while (cursor.next()) {
                    if (sorted) {
                        batch.sorts[batch.count] = access.sortOf(cursor);
                    }
                    batch.add(
                            cursor.longAt(EdgeLabel.SOURCE),
                            cursor.longAt(EdgeLabel.TARGET),
                            cursor.longAt(EdgeLabel.NUMBER));
                    if (batch.isFull()) {
                        rows += batch.count;
                        place.passed(cursor);
                        return;
                    }
                }
                rows += batch.count;
                place.nextRange();
            }
        } finally {
            FIND.exit(entered);
        }
    }

    /// Number of vertices of `label`; with `choice`, of its index ranges.
    public long count(VertexLabel label, @Nullable IndexChoice choice) {
        try (GraphTransaction.Turn _ = work.turn()) {
            work.access(label);
            return count(label.table(), choice);
        }
    }

    /// Number of edges of `label`; with `choice`, of its index ranges.
    public long count(EdgeLabel label, @Nullable IndexChoice choice) {
        try (GraphTransaction.Turn _ = work.turn()) {
            work.access(label);
            return count(label.table(), choice);
        }
    }

    private long count(Table table, @Nullable IndexChoice choice) {
        long entered = COUNT.enter();
        try {
            long count = 0;
            for (KeyRange range : ranges(choice)) {
                ranges++;
                count += work.transaction().count(table, index(choice), range);
            }
            return count;
        } finally {
            COUNT.exit(entered);
        }
    }

    private static List<KeyRange> ranges(@Nullable IndexChoice choice) {
        return choice == null ? List.of(new KeyRange(1)) : choice.ranges();
    }

    private static @Nullable Index index(@Nullable IndexChoice choice) {
        return choice == null ? null : choice.index();
    }

    /// Number of edges of `label` that begin, or end, at `vertex`, or both.
    public long degree(EdgeLabel label, long vertex, Direction direction) {
        long entered = COUNT.enter();
        try {
            try (GraphTransaction.Turn _ = work.turn()) {
                return degree(work.access(label), vertex, direction);
            }
        } finally {
            COUNT.exit(entered);
        }
    }

    /// The sum of the degrees of all of `from`, each as often as it was reached.
    ///
    /// @throws dev.oriel.store.LimitException if that is more than a long holds
    public long degrees(
            EdgeLabel label,
            LongMultiset from,
            Direction direction,
            CancellationCheck cancellation) {
        long entered = COUNT.enter();
        try {
            try (GraphTransaction.Turn _ = work.turn()) {
                EdgeAccess access = work.access(label);
                long sum = 0;
                for (int i = 0; i < from.size(); i++) {
                    cancellation.check();
                    long degree = degree(access, from.key(i), direction);
                    sum = PathCounts.sum(sum, PathCounts.product(from.bulk(i), degree));
                }
                return sum;
            }
        } finally {
            COUNT.exit(entered);
        }
    }

    private long degree(EdgeAccess access, long vertex, Direction direction) {
        TableTransaction transaction = work.transaction();
        long degree = 0;
        if (direction != Direction.IN) {
            ranges++;
            degree += access.count(transaction, vertex, false);
        }
        if (direction != Direction.OUT) {
            ranges++;
            degree += access.count(transaction, vertex, true);
        }
        return degree;
    }

    /// Number of vertices of `label` that meet `conditions`, in the index ranges of `choice` or in all rows. Makes
    /// no objects.
    public long count(
            VertexLabel label,
            @Nullable IndexChoice choice,
            RowConditions conditions,
            CancellationCheck cancellation) {
        try (GraphTransaction.Turn _ = work.turn()) {
            return count(work.access(label).cursors, choice, conditions, cancellation);
        }
    }

    /// Number of edges of `label` that meet `conditions`, in the index ranges of `choice` or in all rows. Makes no
    /// objects.
    public long count(
            EdgeLabel label,
            @Nullable IndexChoice choice,
            RowConditions conditions,
            CancellationCheck cancellation) {
        try (GraphTransaction.Turn _ = work.turn()) {
            return count(work.access(label).cursors, choice, conditions, cancellation);
        }
    }

    private long count(
            TableCursors cursors,
            @Nullable IndexChoice choice,
            RowConditions conditions,
            CancellationCheck cancellation) {
        long entered = COUNT.enter();
        try {
            RowCursor cursor = cursors.by(index(choice), work.transaction());
            long count = 0;
            for (KeyRange range : ranges(choice)) {
                ranges++;
                cursor.open(work.transaction(), range, false);
                while (cursor.next()) {
                    cancellation.check();
                    rows++;
                    count += conditions.meets(cursor) ? 1 : 0;
                }
            }
            return count;
        } finally {
            COUNT.exit(entered);
        }
    }

    /// Registers an unfinished range: it must be read to its end before this transaction writes.
    void watch(FoundElements<?> range) {
        try (GraphTransaction.Turn _ = work.turn()) {
            unfinished.add(range);
        }
    }

    /// Reads all unfinished ranges to their ends, before the transaction writes.
    void finish() {
        if (unfinished.isEmpty()) {
            return;
        }
        for (FoundElements<?> open : unfinished.live()) {
            open.finish(this);
        }
        unfinished.clear();
    }

    /// Forgets unfinished ranges at the end of the transaction: their readers continue in the next one from their
    /// places.
    void forget() {
        unfinished.clear();
    }
}
