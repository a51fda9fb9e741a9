package dev.oriel.table.transaction;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.table.TriggerCalls;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.expiry.ExpiryBound;
import dev.oriel.table.expiry.SweepPlace;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.TableEntry;
import java.util.ArrayList;
import java.util.List;

/// Removes expired rows: it first searches for them, then removes the rows that no other transaction has locked or
/// changed. Referencing rows are removed or changed as their foreign key says, or prevent the removal. Neither fires
/// triggers: no statement removes these rows.
public final class ExpirySweep {
    private static final Transaction.Wait SKIP =
            new Transaction.Wait(Transaction.Wait.Kind.SKIP, 0);

    private final StoredTransaction transaction;
    private final TableEntry table;
    private final TableWriter writer;

    /// Whether the last row was reached.
    private boolean last;

    ExpirySweep(StoredTransaction transaction, TableEntry table, TableWriter writer) {
        this.transaction = transaction;
        this.table = table;
        this.writer = writer;
    }

    public int run(long rowsMax, SweepPlace at) {
        int removed = 0;
        for (byte[] key : expired(rowsMax, at)) {
            Slice rowKey = Slice.copyOf(key);
            if (isLocked(rowKey) && remove(rowKey)) {
                removed++;
            } else {
                at.stays(key, Long.MIN_VALUE); // it is due again at once
            }
        }
        if (last) {
            at.restart();
        }
        return removed;
    }

    /// Removes the expired rows among those of `keys`. Other expiring rows are noted in `bound`.
    ///
    /// @param retryMicros moment of the next try for a locked or referenced row
    public int run(List<byte[]> keys, ExpiryBound bound, long retryMicros) {
        int removed = 0;
        StoredRow row = table.newRow();
        Slice value = new Slice();
        for (byte[] key : keys) {
            Slice rowKey = Slice.copyOf(key);
            if (!transaction.store().get(table.tree(), rowKey, value)) {
                continue;
            }
            row.point(value);
            if (!transaction.isExpired(table, row)) {
                bound.note(key, table.expiryOf(row));
            } else if (isLocked(rowKey) && remove(rowKey)) {
                removed++;
            } else {
                bound.note(key, retryMicros);
            }
        }
        return removed;
    }

    /// Whether the row was removed: it stays if referencing rows have no CASCADE or SET action.
    private boolean remove(Slice rowKey) {
        if (transaction.schema().referencesTo(table).isEmpty()) {
            return writer.deleteExpired(transaction, rowKey);
        }
        Transaction.Savepoint savepoint = transaction.savepoint();
        TriggerCalls around = transaction.triggers(TriggerCalls.NONE);
        boolean removed = false;
        try {
            removed = writer.deleteExpired(transaction, rowKey);
            transaction.settle();
        } catch (ConstraintException | ConflictException refused) { // the next sweep looks again
            transaction.rollbackTo(savepoint);
            removed = false;
        } finally {
            transaction.triggers(around);
            transaction.release(savepoint);
        }
        return removed;
    }

    /// The keys of expired rows; for the others, the moment of their expiry is noted. Long values are not read.
    private List<byte[]> expired(long rowsMax, SweepPlace at) {
        List<byte[]> found = new ArrayList<>();
        StoredRow row = table.newRow();
        Slice slice = new Slice();
        Cursor cursor = transaction.store().cursor(table.tree());
        boolean headsDo = table.layout().payload(true) <= cursor.headBytes();
        boolean more = at.isAtBegin() ? cursor.first() : cursor.seek(at.next());
        for (long i = 0; more && i < rowsMax; i++) {
            if (headsDo) {
                cursor.valueHead(slice);
            } else {
                cursor.value(slice);
            }
            row.point(slice);
            if (transaction.isExpired(table, row)) {
                cursor.key(slice);
                found.add(slice.toBytes());
            } else {
                long micros = table.expiryOf(row);
                if (micros < at.horizon()) {
                    cursor.key(slice);
                    at.stays(slice.toBytes(), micros);
                }
            }
            more = cursor.next();
        }
        last = !more;
        if (more) {
            cursor.key(slice);
            at.moveTo(slice);
        }
        return found;
    }

    private boolean isLocked(Slice rowKey) {
        try {
            return transaction
                    .store()
                    .lock(table.tree(), rowKey, Transaction.LockMode.EXCLUSIVE, SKIP);
        } catch (ConflictException changed) {
            return false; // it is being written: the next sweep tries again
        }
    }
}
