package dev.oriel.store;

import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The writing transactions of a store: lets them in, keeps their locks, and hands what ended ones have
/// left to the next.
///
/// All of them share one lock, which the exclusive one does not ([#EVERYBODY]).
final class Writers {
    /// The lock that writing transactions share, and the exclusive one does not.
    static final long EVERYBODY = Locks.hash(0);

    private static final Wait SKIP = new Wait(Wait.Kind.SKIP, 0);
    private static final Wait NOWAIT = new Wait(Wait.Kind.NOWAIT, 0);

    /// Parts of ended transactions that are kept.
    private static final int IDLE_MAX = 64;

    private final Store store;
    private final WriteGate writeGate;
    private final Locks locks;
    private final Wait patience;
    private final Queue<Parts> idle = new ConcurrentLinkedQueue<>();

    Writers(Store store, WriteGate writeGate, LongSupplier clock) {
        this.store = store;
        this.writeGate = writeGate;
        this.locks = new Locks(clock);
        this.patience = new Wait(Wait.Kind.WAIT, store.options().writeTimeoutMillis());
    }

    /// What a writing transaction works with, and leaves to the next one.
    private record Parts(LockOwner owner, BufferedWrites writes) {}

    Locks locks() {
        return locks;
    }

    /// How long a transaction waits for another one's lock.
    Wait patience() {
        return patience;
    }

    /// Begins a transaction: one of many (SHARED), or the only one, after waiting for those that write.
    ///
    /// @throws ConflictException if it is not let in in time
    WriteTransaction begin(Isolation isolation, @Nullable LockMode mode) {
        return Objects.requireNonNull(
                begin(isolation, mode, patience, patience), "waits until it throws");
    }

    /// Begins one of many, which waits for no lock; null where the only one is writing.
    @Nullable WriteTransaction tryBegin(Isolation isolation) {
        return begin(isolation, LockMode.SHARED, SKIP, NOWAIT);
    }

    private @Nullable WriteTransaction begin(
            Isolation isolation, @Nullable LockMode mode, Wait wait, Wait own) {
        writeGate.checkWritable();
        Parts parts = idle.poll();
        if (parts == null) {
            parts = new Parts(new LockOwner(), new BufferedWrites(store));
        }
        boolean begun = false;
        try {
            if (mode != null // else it shares another one's right
                    && locks.lock(parts.owner, EVERYBODY, mode, wait) == Locks.Grant.REFUSED) {
                return null;
            }
            writeGate.checkWritable();
            WriteTransaction transaction =
                    new WriteTransaction(store, isolation, parts.owner, parts.writes, own);
            begun = true;
            return transaction;
        } finally {
            if (!begun) {
                end(parts.owner, parts.writes);
            }
        }
    }

    /// Gives up the place of a transaction that holds no other lock; false where it holds any.
    boolean leave(LockOwner owner) {
        if (owner.count() != 1 || owner.hash(0) != EVERYBODY) {
            return false;
        }
        locks.release(owner);
        return true;
    }

    /// Takes it again.
    ///
    /// @throws ConflictException if an exclusive transaction does not end in time
    void comeBack(LockOwner owner) {
        locks.lock(owner, EVERYBODY, LockMode.SHARED, patience);
    }

    /// Begins a transaction that is the only one to write, where nobody else does; else null. It waits for
    /// nobody but one that has the page writer's role, as a compaction for some moments.
    @Nullable WriteTransaction tryDirect() {
        writeGate.checkWritable();
        Parts parts = idle.poll();
        if (parts == null) {
            parts = new Parts(new LockOwner(), new BufferedWrites(store));
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
                            store, Isolation.READ_COMMITTED, parts.owner, parts.writes);
            begun = true;
            return direct(transaction, false);
        } finally {
            if (!begun) {
                end(parts.owner, parts.writes);
            }
        }
    }

    /// Begins a transaction that changes pages in place: the only one to write, or one that is `moving`
    /// them beside those that write, but for the moments in which they commit.
    WriteTransaction beginDirect(LockMode mode, boolean moving) {
        return direct(begin(Isolation.READ_COMMITTED, mode), moving);
    }

    /// The same beside a transaction of the same thread, which has been let in: who waits to be the only
    /// one waits for that one.
    WriteTransaction beginBeside() {
        writeGate.checkWritable();
        BufferedWrites writes = new BufferedWrites(store);
        return direct(
                new WriteTransaction(store, Isolation.READ_COMMITTED, new LockOwner(), writes),
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

    /// Releases the locks of a transaction that has ended, and keeps its parts.
    void end(LockOwner owner, BufferedWrites writes) {
        writes.clear();
        locks.release(owner);
        if (idle.size() < IDLE_MAX) {
            idle.add(new Parts(owner, writes));
        }
    }
}
