package dev.oriel.sql.rows;

import dev.oriel.sql.cancel.Cancellation;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Copies of rows in insertion order, for any number of readers. Rows beyond the budget of the statement are
/// spilled to a file.
public final class RowSpool {
    private final Cancellation cancellation;
    private final QueryMemory.Share share;
    private final Type.Shape[] shapes;
    private List<Tuple> rows = new ArrayList<>();
    private long held;

    /// File of the rows before the ones in memory.
    private @Nullable RowFile file;

    public RowSpool(Cancellation cancellation, QueryMemory.Share share, Type.Shape[] shapes) {
        this.cancellation = cancellation;
        this.share = share;
        this.shapes = shapes;
    }

    public boolean isEmpty() {
        return rows.isEmpty() && file == null;
    }

    /// Adds a copy of `row`.
    public void add(Row row) {
        take(KeptRows.copy(row, shapes));
    }

    /// Adds `row` itself, which must no longer change.
    public void take(Tuple row) {
        rows.add(row);
        long bytes = RowCodec.memoryBytes(row, shapes);
        held += bytes;
        if (share.add(bytes, held)) {
            putAside();
        }
    }

    private void putAside() {
        RowFile to = file;
        if (to == null) {
            to = new RowFile(share, shapes);
            file = to;
        }
        for (Tuple row : rows) {
            cancellation.poll();
            to.append(row);
        }
        forgetRows();
    }

    private void forgetRows() {
        rows = rows.isEmpty() ? rows : new ArrayList<>();
        share.take(held);
        held = 0;
    }

    public void clear() {
        forgetRows();
        if (file != null) {
            file.delete();
            file = null;
        }
    }

    /// Reads all rows from the first on; no more rows are added.
    public Reader reader() {
        return new Reader();
    }

    /// A cursor. Rows in memory are returned themselves; rows of the file are decoded into one reused tuple.
    public final class Reader {
        private final Tuple read = new Tuple(shapes.length);
        private final long end = file == null ? 0 : file.bytes();
        private RowFile.@Nullable Reader from =
                file == null ? null : file.reader(share.memory().blockBytes());
        private long at;
        private int next;

        /// The next row, good until the next call; null at the end.
        public @Nullable Tuple next() {
            if (from != null && at < end) {
                at = from.read(at, read);
                return read;
            }
            return next == rows.size() ? null : rows.get(next++);
        }

        /// Goes back to the first row.
        public void restart() {
            at = 0;
            next = 0;
        }

        public void close() {
            if (from != null) {
                from.close();
                from = null;
            }
            at = end;
            next = rows.size();
        }
    }
}
