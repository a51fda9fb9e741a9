package dev.oriel.kv;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Isolation;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.engine.Tables;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A transaction shared by several faces of a database, and ended by its owner. Calls of buckets and maps that have
/// joined it read its snapshot, see its writes, and commit nothing.
@SuppressWarnings("exports") // the tables are for other modules of ours
public interface Joined {
    /// Begins a call of a bucket or map: waits until no other thread has a call in the transaction, in any face.
    /// Reentrant.
    void enter();

    /// Ends a call.
    void exit();

    /// The rows of the transaction.
    ///
    /// @throws dev.oriel.store.ClosedException if it has ended
    TableTransaction rows();

    /// The tables of the database, for transactions that commit concurrently with this one.
    Tables tables();

    /// Runs `action` after the transaction has committed.
    void afterCommit(Runnable action);

    /// Whether the current call comes from within a statement of the transaction, for example from a function that
    /// SQL calls. Such a call may read what the statement reads, but neither write nor move the snapshot.
    boolean isWithinStatement();

    /// Makes open SQL results keep their rows, because their tables are about to change.
    void keepResults();

    /// The rows for a call that begins now; READ COMMITTED moves to the newest snapshot.
    default TableTransaction newest() {
        TableTransaction rows = rows();
        if (rows.writable()
                && rows.isolation() == Isolation.READ_COMMITTED
                && !isWithinStatement()) {
            refresh();
        }
        return rows;
    }

    /// At READ COMMITTED: moves the transaction to the newest snapshot.
    default void refresh() {
        keepResults();
        rows().refresh();
    }

    /// Refuses a write from within a statement of the transaction.
    ///
    /// @throws UsageException if the call comes from within a statement of the transaction
    default void checkMayWrite() {
        if (isWithinStatement()) {
            throw new UsageException(
                    "This is called by a statement of the transaction, so it cannot write; write"
                            + " after the statement",
                    "");
        }
    }

    /// Makes the table `tableName` visible to the transaction, and creates it if it is missing. At READ COMMITTED it is
    /// created by a transaction of its own: it waits for no other one and survives a rollback. At higher levels, whose
    /// snapshot must stay, this transaction creates it itself; so does one that has changed definitions.
    ///
    /// @param what "bucket" or "map"
    /// @param create creates the table
    /// @throws UsageException if it is missing and the transaction only reads
    /// @throws ConflictException if it was created since the snapshot, which must stay
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

    /// Runs `change` atomically: on failure its writes are undone.
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

    /// Whether a change that has met `conflict` may move to the newest version of the row, which it has locked.
    static boolean mayMove(ConflictException conflict, TableTransaction rows) {
        return conflict.reason() == ConflictException.Reason.CHANGED
                && rows.isolation() == Isolation.READ_COMMITTED;
    }
}
