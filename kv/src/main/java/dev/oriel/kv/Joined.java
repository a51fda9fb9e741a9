package dev.oriel.kv;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A transaction that several faces of a database share and that its owner ends: calls of buckets and maps
/// that have joined it read its snapshot, see what it has written, and commit nothing.
public interface Joined {
    /// A call of a bucket or map begins: it waits until no call of another thread runs in the transaction, in any
    /// face. Calls within calls count as one.
    void enter();

    /// A call ends.
    void exit();

    /// The rows of the transaction.
    ///
    /// @throws dev.oriel.store.ClosedException if it has ended
    TableTransaction rows();

    /// Has `action` run when the transaction has committed.
    void afterCommit(Runnable action);

    /// The rows as a call sees them that begins now: at READ COMMITTED with what is committed by now.
    default TableTransaction newest() {
        TableTransaction rows = rows();
        if (rows.writable() && rows.isolation() == Isolation.READ_COMMITTED) {
            rows.refresh();
        }
        return rows;
    }

    /// Does `change` as a whole or not at all.
    default <R extends @Nullable Object> R change(Supplier<R> change) {
        enter();
        try {
            TableTransaction rows = newest();
            Transaction.Savepoint before = rows.savepoint();
            boolean done = false;
            try {
                R result = change.get();
                rows.settle();
                done = true;
                return result;
            } catch (Error halfWay) { // it may have left a half of the change in memory
                rows.onlyRollback(
                        new UsageException(
                                "The transaction was rolled back and not committed, because a call in it"
                                        + " had failed half way; run it again",
                                "",
                                halfWay));
                throw halfWay;
            } finally {
                if (!done) {
                    rows.rollbackTo(before);
                }
                rows.release(before);
            }
        } finally {
            exit();
        }
    }

    /// Whether a change that has met `conflict` may look at the newest state of the row, which it has locked.
    static boolean mayMove(ConflictException conflict, TableTransaction rows) {
        return conflict.reason() == ConflictException.Reason.CHANGED
                && rows.isolation() == Isolation.READ_COMMITTED;
    }
}
