package dev.oriel.table.transaction;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.Table;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import java.util.ArrayList;
import java.util.List;

/// Rows that a statement has taken out of their tables because other rows had their new keys. They are put back at
/// its end, when the other rows may have got new keys too. So keys are compared as they are then, and two rows may
/// exchange theirs. Past a limit they are kept in a temporary file ([KeyQueue]).
///
/// An entry has the number of its table, `i32 bytes of the old row key, the old row key, the old row`, and the new
/// row.
final class TakenRows {
    private final StoredTransaction transaction;
    private final List<TableEntry> tables = new ArrayList<>(1);

    /// Numbers of rows, by table.
    private final List<Long> counts = new ArrayList<>(1);

    private final NativeBuffer before;
    private final KeyQueue rows;

    TakenRows(StoredTransaction transaction) {
        this.transaction = transaction;
        this.before = new NativeBuffer(256);
        this.rows =
                new KeyQueue(transaction.core().store()::temporaryFile, KeyQueue.MEMORY_BYTES_MAX);
    }

    boolean isEmpty() {
        return rows.isEmpty();
    }

    /// The row `old` of `table` is about to be removed from under `key`, to be put back as `now`.
    void add(TableEntry table, Slice key, Slice old, Slice now) {
        int number = tables.indexOf(table);
        if (number < 0) {
            number = tables.size();
            tables.add(table);
            counts.add(0L);
        }
        before.clear();
        before.ensure(Integer.BYTES);
        before.putInt(key.length());
        before.putSlice(key);
        before.putSlice(old);
        rows.add(number, before.slice(new Slice()), now);
        counts.set(number, counts.get(number) + 1);
    }

    /// Whether there are rows of `table`.
    boolean hasRowsOf(Table table) {
        for (int i = 0; i < counts.size(); i++) {
            if (tables.get(i).table().id() == table.id() && counts.get(i) > 0) {
                return true;
            }
        }
        return false;
    }

    /// Position of the next one.
    long end() {
        return rows.end();
    }

    /// Puts back the rows from `position` on.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if one has a key that another row has too
    void putBack(long position) {
        KeyQueue.Entry entry = new KeyQueue.Entry();
        Slice key = new Slice();
        Slice old = new Slice();
        for (long at = position; at < rows.end(); ) {
            transaction.core().store().poll();
            at = rows.read(at, entry);
            Slice first = entry.first();
            Slice now = entry.second();
            if (first == null || now == null) {
                throw new IllegalStateException("a row that was taken out is not there");
            }
            int keyBytes = first.segment().get(NativeBuffer.INT, first.offset());
            long from = first.offset() + Integer.BYTES;
            key.set(first.segment(), from, keyBytes);
            old.set(first.segment(), from + keyBytes, first.length() - Integer.BYTES - keyBytes);
            int number = entry.number();
            transaction.writer(tables.get(number)).putBack(transaction, key, old, now);
            counts.set(number, counts.get(number) - 1);
        }
        if (position == 0) {
            clear();
        } else {
            rows.cut(position);
        }
    }

    /// Forgets the rows, after their removal was undone.
    void clear() {
        rows.clear();
        tables.clear();
        counts.clear();
    }
}
