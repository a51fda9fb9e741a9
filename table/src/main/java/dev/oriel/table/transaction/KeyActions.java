package dev.oriel.table.transaction;

import dev.oriel.store.Slice;
import dev.oriel.table.TriggerCalls;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ColumnDefault;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.row.StoredKey;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Tuple;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Does the actions that follow from keys which a statement has removed, and from those actions. It does so after the
/// statement has changed all of its own rows; the statement sees none of this.
///
/// Actions are kept in a queue and not called from one another, so chains and cycles need no stack. Rows are
/// looked up when their action's turn comes: a row that the statement has removed or pointed elsewhere is left
/// alone. Keys of a table are unique at each moment. So if keys move up, a key comes back only after the action of
/// its predecessor: first in, first out is right for these.
///
/// A table that refers to itself may get back a key, together with rows that the statement points to it. These
/// refer to the new row and not to the former one; they are marked.
///
/// An action that fails stays first: once its obstacle is removed, the actions continue from there.
final class KeyActions {
    private final StoredTransaction transaction;
    private final ForeignKeys keys;
    private final KeyMemory memory;
    private final KeyQueue.Entry entry = new KeyQueue.Entry();

    KeyActions(StoredTransaction transaction, ForeignKeys keys, KeyMemory memory) {
        this.transaction = transaction;
        this.keys = keys;
        this.memory = memory;
    }

    /// Does the actions from the position `from` on. Those before it are left, and rows that the statements around have
    /// written stay marked for them.
    void run(long from) {
        KeyQueue queue = memory.actions;
        if (from > queue.head()) {
            for (long at = from; at < queue.end(); ) {
                at = perform(at);
            }
            queue.cut(from);
            return;
        }
        while (!queue.isEmpty()) {
            queue.done(perform(queue.head()));
        }
        if (!memory.written.isEmpty()) {
            memory.written.clear();
        }
    }

    /// Does the action at `position`; returns the position of the next one.
    private long perform(long position) {
        transaction.core().store().poll();
        long next = memory.actions.read(position, entry);
        KeyMemory.Target target = memory.target(entry.number());
        TableEntry child = keys.child(target);
        if (child != null) {
            perform(target, child);
        }
        return next;
    }

    /// Changes the first of the rows that refer to a row that was taken out, unless the statement has pointed it
    /// elsewhere.
    void follow() {
        KeyQueue queue = memory.followers;
        long next = queue.read(queue.head(), entry);
        KeyMemory.Target target = memory.target(entry.number());
        TableEntry child = keys.child(target);
        Slice first = Objects.requireNonNull(entry.first(), "a row that follows");
        Tuple now = target.exact(Objects.requireNonNull(entry.second(), "the new key"));
        int keyBytes = first.segment().get(NativeBuffer.INT, first.offset());
        long from = first.offset() + Integer.BYTES;
        Slice row = new Slice().setCopy(new Slice().set(first.segment(), from, keyBytes));
        Tuple old =
                target.values(
                        new Slice()
                                .set(
                                        first.segment(),
                                        from + keyBytes,
                                        first.length() - Integer.BYTES - keyBytes));
        int number = entry.number();
        queue.done(next);
        if (child != null && refers(target.key(), child, row, old)) {
            var _ = follow(target.key(), child, row, now);
            doubt(target.key(), number, child);
        }
    }

    /// Marks the row that was written last to be tested for its parent.
    private void doubt(ForeignKey key, int number, TableEntry child) {
        Slice written = new Slice();
        transaction.writer(child).writtenKey(written);
        keys.doubt(key, number, written, null);
    }

    /// Whether the row `rowKey` still refers to the key with the values `old`.
    private boolean refers(ForeignKey key, TableEntry child, Slice rowKey, Tuple old) {
        Slice found = new Slice();
        if (!transaction.store().peekLatest(child.tree(), rowKey, found)) {
            return false;
        }
        StoredRow row = child.newRow();
        row.point(found);
        int[] columns = key.columns().stream().mapToInt(Integer::intValue).toArray();
        Type[] types = new Type[columns.length];
        for (int i = 0; i < columns.length; i++) {
            types[i] = child.table().columns().get(columns[i]).type();
        }
        NativeBuffer before = new NativeBuffer(64);
        NativeBuffer now = new NativeBuffer(64);
        KeyCodec.putRow(before, old, types, columns.length);
        StoredKey.putColumns(now, row, types, columns);
        return Slice.compare(before.slice(new Slice()), now.slice(new Slice())) == 0;
    }

    private void perform(KeyMemory.Target target, TableEntry child) {
        ForeignKey key = target.key();
        Slice gone = Objects.requireNonNull(entry.first(), "the key that was taken away");
        Slice moved = entry.second();
        Tuple old = target.values(gone);
        Tuple now = moved == null ? null : target.exact(moved);
        int number = entry.number();
        ForeignKey.Action what = now == null ? key.onDelete() : key.onUpdate();
        boolean refused = what == ForeignKey.Action.NO_ACTION;
        List<byte[]> rows = new ReferencingRows(transaction, child, key, old).find(refused, null);
        if (rows.isEmpty()) {
            return;
        }
        if (refused || what == ForeignKey.Action.SET_DEFAULT) {
            // The default may be the very key that was removed.
            keys.doubt(key, number, null, gone);
        }
        if (refused) {
            return;
        }
        boolean back = !memory.written.isEmpty() && keys.isThere(child, key, old);
        boolean triggered = keys.triggers().of(child) != null;
        NativeBuffer bytes = new NativeBuffer(64);
        Slice row = new Slice();
        for (byte[] found : rows) {
            bytes.clear();
            bytes.putBytes(found);
            bytes.slice(row);
            if (!back || !memory.written.contains(number, row)) {
                transaction.core().store().poll();
                if (triggered && !refers(key, child, row, old)) {
                    continue; // a trigger of an earlier row has given it another key
                }
                if (follow(key, child, row, now)) {
                    doubt(key, number, child);
                }
            }
        }
    }

    /// Changes or removes one row that refers to a key.
    ///
    /// @param now the key's new values; null if its row is gone
    /// @return whether triggers may have given the row another key, even the one that is gone
    private boolean follow(ForeignKey key, TableEntry child, Slice rowKey, @Nullable Tuple now) {
        TriggerCalls calls = keys.triggers().of(child);
        long queued = memory.actions.end();
        boolean left = false;
        boolean done = false;
        try {
            boolean gone = now == null && key.onDelete() == ForeignKey.Action.CASCADE;
            Tuple values = gone ? null : changed(key, child, rowKey, now);
            if (calls != null) {
                left = (gone || values != null) && follow(calls, key, child, rowKey, values);
            } else if (gone) {
                transaction.writer(child).delete(transaction, rowKey);
            } else if (values != null) {
                transaction.writer(child).update(transaction, rowKey, values, true);
            }
            done = true;
        } finally {
            if (!done) {
                memory.actions.cut(queued);
            }
        }
        return left;
    }

    /// Like [#follow(ForeignKey,TableEntry,Slice,Tuple)], with the triggers of `child`.
    ///
    /// @param values the row as it is to be; null if it is to be removed
    /// @return whether a row was written
    private boolean follow(
            TriggerCalls calls,
            ForeignKey key,
            TableEntry child,
            Slice rowKey,
            @Nullable Tuple values) {
        Slice found = new Slice();
        if (!transaction.store().peekLatest(child.tree(), rowKey, found)) {
            return false;
        }
        Tuple old = copy(child, found);
        boolean absent = child.expires() && transaction.isExpired(child, old);
        TriggerCalls heard = absent ? TriggerCalls.NONE : calls; // statements do not see the row
        int[] columns = key.columns().stream().mapToInt(Integer::intValue).toArray();
        heard.before(child.table(), rowKey, columns, old, values);
        TableWriter writer = transaction.writer(child);
        boolean done =
                values == null
                        ? writer.delete(transaction, rowKey)
                        : writer.update(transaction, rowKey, values, true);
        if (done) {
            StoredRow written = child.newRow();
            if (values != null) {
                writer.offered(written);
            }
            heard.after(child.table(), columns, old, values == null ? null : written);
        }
        return done && values != null;
    }

    private static Tuple copy(TableEntry child, Slice stored) {
        List<Column> columns = child.table().columns();
        StoredRow row = child.newRow();
        row.point(stored);
        Tuple values = new Tuple(columns.size());
        for (int i = 0; i < columns.size(); i++) {
            values.copy(i, row, i, columns.get(i).type().shape());
        }
        return values;
    }

    /// The row `rowKey` with other values for the columns of the foreign key.
    private @Nullable Tuple changed(
            ForeignKey key, TableEntry child, Slice rowKey, @Nullable Tuple now) {
        Slice found = new Slice();
        if (!transaction.store().peekLatest(child.tree(), rowKey, found)) {
            return null;
        }
        List<Column> columns = child.table().columns();
        StoredRow row = child.newRow();
        row.point(found);
        Tuple values = copy(child, found);
        ForeignKey.Action what = now == null ? key.onDelete() : key.onUpdate();
        for (int i = 0; i < key.columns().size(); i++) {
            int column = key.columns().get(i);
            if (now == null && !key.deleted().isEmpty() && !key.deleted().contains(column)) {
                continue;
            }
            ColumnDefault filling = columns.get(column).filling();
            if (what == ForeignKey.Action.CASCADE && now != null) {
                values.copy(column, now, i, columns.get(column).type().shape());
            } else if (what == ForeignKey.Action.SET_DEFAULT
                    && filling instanceof ColumnDefault.Default value) {
                transaction
                        .core()
                        .expressions()
                        .prepare(child.table(), value.expression(), columns.get(column))
                        .evaluate(transaction, row, values, column);
            } else {
                values.setNull(column);
            }
        }
        return values;
    }
}
