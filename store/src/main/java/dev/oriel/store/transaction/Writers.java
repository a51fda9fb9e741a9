package dev.oriel.store.transaction;

import dev.oriel.store.Isolation;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.file.WriteGate;
import dev.oriel.store.lock.LockOwner;
import dev.oriel.store.lock.Locks;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/// The writing transactions of a store: admits them, keeps their locks, and reuses the parts of ended ones.
///
/// All of them share the lock [#EVERYBODY]; the exclusive one takes it EXCLUSIVE.
public final class Writers {
    /// The lock that writing transactions hold SHARED, and the exclusive one EXCLUSIVE.
    static final long EVERYBODY = Locks.hash(0);

    private static final Wait SKIP = new Wait(Wait.Kind.SKIP, 0);
    private static final Wait NOWAIT = new Wait(Wait.Kind.NOWAIT, 0);

    /// Maximum number of pooled parts of ended transactions.
    private static final int IDLE_MAX = 64;

    private final Transactions transactions;
    private final WriteGate writeGate;
    private final Locks locks;
    private final Wait patience;
    private final Queue<Parts> idle = new ConcurrentLinkedQueue<>();

    Writers(Transactions transactions, WriteGate writeGate) {
        this.transactions = transactions;
        this.writeGate = writeGate;
        this.locks = new Locks(transactions.core()::nanos);
        this.patience =
                new Wait(Wait.Kind.WAIT, transactions.core().options().writeTimeoutMillis());
    }

    /// Reusable parts of a writing transaction.
    private record Parts(LockOwner owner, BufferedWrites writes) {}

    public Locks locks() {
        return locks;
    }

    /// Default wait of a transaction for a lock.
    Wait patience() {
        return patience;
    }

    /// Begins a transaction: one of many (SHARED), or the exclusive one, after waiting for the open writers.
    ///
    /// @throws dev.oriel.store.ConflictException if it is not admitted in time
    public WriteTransaction begin(Isolation isolation, @Nullable LockMode mode) {
        return Objects.requireNonNull(
                begin(isolation, mode, patience, patience), "waits until it throws");
    }

    /// Begins one of many, which waits for no lock; null if the exclusive one is writing.
    @Nullable WriteTransaction tryBegin(Isolation isolation) {
        return begin(isolation, LockMode.SHARED, SKIP, NOWAIT);
    }

    private @Nullable WriteTransaction begin(
            Isolation isolation, @Nullable LockMode mode, Wait wait, Wait own) {
        writeGate.checkWritable();
        Parts parts = idle.poll();
        if (parts == null) {
            parts = new Parts(new LockOwner(), new BufferedWrites(transactions.core()));
        }
        boolean begun = false;
        try {
            if (mode != null // otherwise another transaction's lock covers it
                    && locks.lock(parts.owner, EVERYBODY, mode, wait) == Locks.Grant.REFUSED) {
                return null;
            }
            writeGate.checkWritable();
            WriteTransaction transaction =
                    new WriteTransaction(transactions, isolation, parts.owner, parts.writes, own);
            begun = true;
            return transaction;
        } finally {
            if (!begun) {
                end(parts.owner, parts.writes);
            }
        }
    }

    /// Releases the shared lock of a transaction that holds no other lock; false if it holds any.
    boolean leave(LockOwner owner) {
        if (owner.count() != 1 || owner.hash(0) != EVERYBODY) {
            return false;
        }
        locks.release(owner);
        return true;
    }

    /// Takes the shared lock again.
    ///
    /// @throws dev.oriel.store.ConflictException if an exclusive transaction does not end in time
    void comeBack(LockOwner owner) {
        locks.lock(owner, EVERYBODY, LockMode.SHARED, patience);
    }

    /// Begins an exclusive transaction if there are no other writers; otherwise returns null. It waits only for a
    /// holder of the page writer's role, such as a compaction, for some moments.
    public @Nullable WriteTransaction tryDirect() {
        writeGate.checkWritable();
        Parts parts = idle.poll();
        if (parts == null) {
            parts = new Parts(new LockOwner(), new BufferedWrites(transactions.core()));
        }
        Locks.Grant grant =
                locks.lock(parts.owner, EVERYBODY, LockMode.EXCLUSIVE, new Wait(Wait.Kind.SKIP, 0));
        if (grant == Locks.Grant.REFUSED) {
            end(parts.owner, parts.writes);
            return null;
        }
        boolean begun = false;
        try {
            WriteTransaction transaction =
                    new WriteTransaction(
                            transactions, Isolation.READ_COMMITTED, parts.owner, parts.writes);
            begun = true;
            return direct(transaction, false);
        } finally {
            if (!begun) {
                end(parts.owner, parts.writes);
            }
        }
    }

    /// Begins a transaction that changes pages in place. It is exclusive, or it is `moving` pages concurrently
    /// with writers and excludes only their commits.
    public WriteTransaction beginDirect(LockMode mode, boolean moving) {
        return direct(begin(Isolation.READ_COMMITTED, mode), moving);
    }

    /// Begins one in addition to an admitted transaction of the same thread: a request for exclusivity waits for
    /// that one.
    WriteTransaction beginBeside() {
        writeGate.checkWritable();
        BufferedWrites writes = new BufferedWrites(transactions.core());
        return direct(
                new WriteTransaction(
                        transactions, Isolation.READ_COMMITTED, new LockOwner(), writes),
                false);
    }

    private static WriteTransaction direct(WriteTransaction transaction, boolean moving) {
        boolean begun = false;
        try {
            transaction.goDirect(moving);
            begun = true;
            return transaction;
        } finally {
            if (!begun) {
                transaction.close();
            }
        }
    }

    /// Releases the locks of an ended transaction, and pools its parts.
    void end(LockOwner owner, BufferedWrites writes) {
        writes.clear();
        locks.release(owner);
        if (idle.size() < IDLE_MAX) {
            idle.add(new Parts(owner, writes));
        }
    }
}
