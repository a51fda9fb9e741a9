package dev.oriel.kv;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.table.SearchPath;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tables;
import java.util.function.Consumer;
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

    /// The tables of the database, for what commits by itself beside the transaction.
    Tables tables();

    /// Has `action` run when the transaction has committed.
    void afterCommit(Runnable action);

    /// Whether the caller is called by a statement of the transaction, as a function is that SQL calls. It may read
    /// what the statement reads, and neither write nor move the snapshot.
    boolean isWithinStatement();

    /// Has results of SQL that are open keep their rows: what they read is about to change.
    void keepResults();

    /// The rows as a call sees them that begins now: at READ COMMITTED with what is committed by now.
    default TableTransaction newest() {
        TableTransaction rows = rows();
        if (rows.writable()
                && rows.isolation() == Isolation.READ_COMMITTED
                && !isWithinStatement()) {
            refresh();
        }
        return rows;
    }

    /// At READ COMMITTED: sees from now on what is committed by now.
    default void refresh() {
        keepResults();
        rows().refresh();
    }

    /// Refuses a write from within a statement of the transaction.
    ///
    /// @throws UsageException if the caller is called by a statement of the transaction
    default void checkMayWrite() {
        if (isWithinStatement()) {
            throw new UsageException(
                    "A statement of the transaction calls this, and must not be disturbed; read here, and"
                            + " write after the statement",
                    "");
        }
    }

    /// Sees to it that the transaction sees the table `tableName`. One that is missing is created: at READ COMMITTED
    /// beside the transaction, so that it waits for no other one and stays whatever becomes of this one; above that,
    /// where the snapshot is to stay, and in a transaction that changes definitions anyway, as a part of it.
    ///
    /// @param what "bucket" or "map"
    /// @param create creates the table
    /// @throws UsageException if it is missing and the transaction only reads
    /// @throws ConflictException if it was created since the snapshot, which is to stay
    default void provide(String what, String tableName, Consumer<TableTransaction> create) {
        TableTransaction rows = newest();
        if (rows.catalog().table(SearchPath.named("", tableName)) != null) {
            return;
        }
        checkMayWrite();
        boolean exists = tables().catalog().table(SearchPath.named("", tableName)) != null;
        if (!rows.writable() && !exists) {
            throw new UsageException(
                    "There is no such " + what + ", and a read-only transaction creates none",
                    "table=" + tableName);
        }
        if (rows.writable() && !tables().mayAddBeside(rows)) {
            create.accept(rows);
            return;
        }
        boolean moves = rows.writable() && rows.isolation() == Isolation.READ_COMMITTED;
        if (exists && !moves) {
            throw new ConflictException(
                    ConflictException.Reason.CHANGED,
                    "The "
                            + what
                            + " was created after the transaction had begun to read; run it again",
                    "table=" + tableName);
        }
        if (!moves) {
            create.accept(rows);
            return;
        }
        try (TableTransaction beside = tables().beginDefining(rows)) {
            if (beside.catalog().table(SearchPath.named("", tableName)) == null) {
                create.accept(beside);
                beside.commit();
            }
        }
        refresh();
    }

    /// Does `change` as a whole or not at all.
    default <R extends @Nullable Object> R change(Supplier<R> change) {
        enter();
        try {
            checkMayWrite();
            keepResults();
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
