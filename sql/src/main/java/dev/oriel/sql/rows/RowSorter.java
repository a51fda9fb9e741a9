package dev.oriel.sql.rows;

import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// External merge sort: rows are sorted in memory as long as the budget of the statement allows. Beyond it sorted
/// runs are spilled to a file and merged as the rows are read. If there are more runs than can be read at once,
/// some are first merged into longer ones. The sort is stable, spilled or not.
///
/// For a top-N sort at most twice as many rows are kept: when there are more, they are sorted, and the greater
/// half is dropped.
public final class RowSorter {
    private static final int KEPT_MIN = 64;
    private static final int LIST_MAX = 1 << 10;

    private final Cancellation cancellation;
    private final QueryMemory.Share share;
    private final Type.Shape[] shapes;
    private final PolledOrder order;
    private final List<Run> runs = new ArrayList<>();
    private List<Tuple> rows = new ArrayList<>();
    private long held;
    private long count;
    private long keep = Long.MAX_VALUE;

    /// The top-N cutoff: rows that do not sort before it are dropped. Null while there are fewer rows, or if rows
    /// have been spilled.
    private @Nullable Tuple limit;

    private @Nullable RowFile file;
    private @Nullable Merge merge;
    private int next;

    public RowSorter(
            Cancellation cancellation,
            QueryMemory.Share share,
            Type.Shape[] shapes,
            RowOrder order) {
        this.cancellation = cancellation;
        this.share = share;
        this.shapes = shapes;
        this.order = new PolledOrder(order, cancellation);
    }

    /// A sorted run in the file.
    private record Run(long start, long end) {}

    /// Makes this a top-N sort; to be called before the first row.
    public void keep(long rowsWanted) {
        keep = rowsWanted;
    }

    /// Number of rows added.
    long count() {
        return count;
    }

    /// Adds a copy of `row`.
    public void add(Row row) {
        if (limit != null && order.compareRows(row, limit) >= 0) {
            count++;
            return;
        }
        take(KeptRows.copy(row, shapes));
    }

    /// Adds `row` itself.
    public void take(Tuple row) {
        rows.add(row);
        count++;
        long bytes = RowCodec.memoryBytes(row, shapes);
        held += bytes;
        if (share.add(bytes, held)) {
            putAside();
        } else if (rows.size() / 2 >= keep && rows.size() >= KEPT_MIN) {
            sortAndCut();
        }
    }

    private void sortAndCut() {
        rows.sort(order);
        if (rows.size() > keep) {
            List<Tuple> rest = rows.subList((int) keep, rows.size());
            long bytes = 0;
            for (Tuple row : rest) {
                bytes += RowCodec.memoryBytes(row, shapes);
            }
            rest.clear();
            held -= bytes;
            share.take(bytes);
        }
        limit = keep > 0 && rows.size() == keep && file == null ? rows.getLast() : null;
    }

    private void putAside() {
        sortAndCut();
        RowFile to = file;
        if (to == null) {
            to = new RowFile(share, shapes);
            file = to;
        }
        long start = to.bytes();
        for (Tuple row : rows) {
            cancellation.poll();
            to.append(row);
        }
        runs.add(new Run(start, to.bytes()));
        forgetRows();
    }

    private void forgetRows() {
        limit = null;
        if (rows.size() > LIST_MAX) {
            rows = new ArrayList<>();
        } else {
            rows.clear();
        }
        share.take(held);
        held = 0;
    }

    /// Completes the input; rows can be read now.
    public void sort() {
        next = 0;
        if (file == null) {
            sortAndCut();
            return;
        }
        if (!rows.isEmpty()) {
            putAside();
        }
        int fan = share.memory().fan();
        while (runs.size() > fan) {
            mergeGroups(fan);
        }
        file.finish();
        merge = new Merge(file, runs);
    }

    /// Merges each `fan` adjacent runs into one, in a new file.
    private void mergeGroups(int fan) {
        RowFile from = file;
        if (from == null) {
            return;
        }
        from.finish();
        RowFile to = new RowFile(share, shapes);
        List<Run> longer = new ArrayList<>();
        for (int first = 0; first < runs.size(); first += fan) {
            Merge part = new Merge(from, runs.subList(first, Math.min(first + fan, runs.size())));
            long start = to.bytes();
            for (Tuple row = part.next(); row != null; row = part.next()) {
                cancellation.poll();
                to.append(row);
            }
            part.close();
            longer.add(new Run(start, to.bytes()));
        }
        from.delete();
        file = to;
        runs.clear();
        runs.addAll(longer);
    }

    /// The next row in the order, good until the next call; null at the end.
    public @Nullable Tuple next() {
        if (merge != null) {
            return merge.next();
        }
        return next == rows.size() ? null : rows.get(next++);
    }

    /// Releases everything; rows may be added again then.
    public void clear() {
        forgetRows();
        if (merge != null) {
            merge.close();
            merge = null;
        }
        if (file != null) {
            file.delete();
            file = null;
        }
        runs.clear();
        count = 0;
        next = 0;
    }

    /// The read position in one run.
    private final class Head {
        private final RowFile.Reader reader;
        private final long end;
        private final int age;
        private final Tuple row = new Tuple(shapes.length);
        private long at;

        private Head(RowFile.Reader reader, Run run, int age) {
            this.reader = reader;
            this.at = run.start;
            this.end = run.end;
            this.age = age;
        }

        private boolean advance() {
            if (at == end) {
                return false;
            }
            at = reader.read(at, row);
            return true;
        }

        private boolean before(Head other) {
            int difference = order.compare(row, other.row);
            return difference < 0 || (difference == 0 && age < other.age);
        }
    }

    /// Merges runs: a heap of them by their next rows, ties by the order of the runs.
    private final class Merge {
        private final List<RowFile.Reader> readers = new ArrayList<>();
        private final Head[] heap;
        private int size;
        private boolean standing;

        private Merge(RowFile from, List<Run> merged) {
            this.heap = new Head[merged.size()];
            int window = share.memory().windowBytes(merged.size());
            for (Run run : merged) {
                RowFile.Reader reader = from.reader(window);
                readers.add(reader);
                Head head = new Head(reader, run, size);
                if (head.advance()) {
                    heap[size++] = head;
                }
            }
            for (int i = size / 2 - 1; i >= 0; i--) {
                sink(i);
            }
        }

        @Nullable Tuple next() {
            if (standing) {
                if (!heap[0].advance()) {
                    heap[0] = heap[--size];
                }
                sink(0);
            }
            standing = size > 0;
            return standing ? heap[0].row : null;
        }

        private void sink(int from) {
            int at = from;
            while (2 * at + 1 < size) {
                int child = 2 * at + 1;
                if (child + 1 < size && heap[child + 1].before(heap[child])) {
                    child++;
                }
                if (!heap[child].before(heap[at])) {
                    return;
                }
                Head moved = heap[at];
                heap[at] = heap[child];
                heap[child] = moved;
                at = child;
            }
        }

        private void close() {
            readers.forEach(RowFile.Reader::close);
        }
    }
}
