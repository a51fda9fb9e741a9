package dev.oriel.store.transaction;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.Transaction;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.UsageException;
import dev.oriel.store.checkpoint.Checkpoint;
import dev.oriel.store.data.Core;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.file.WriteGate;
import dev.oriel.store.version.PageTable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Begins the transactions of a store, and has the writers and the committer that they share.
public final class Transactions {
    /// Approximate first pause of [#transact]; it doubles with each attempt, up to `DOUBLINGS_MAX` times.
    private static final long PAUSE_NANOS = 5_000;

    private static final int DOUBLINGS_MAX = 12;

    private final Core core;
    private final WriteGate writeGate;
    private final Writers writers;
    private final Committer committer;

    public Transactions(
            Core core,
            WriteGate writeGate,
            PageTable table,
            PageWriter pages,
            @Nullable Checkpoint checkpoint) {
        this.core = core;
        this.writeGate = writeGate;
        this.writers = new Writers(this, writeGate);
        this.committer = new Committer(core, writeGate, writers, table, pages, checkpoint);
    }

    public Core core() {
        return core;
    }

    public Writers writers() {
        return writers;
    }

    public Committer committer() {
        return committer;
    }

    /// Begins a read-only transaction on the newest committed state.
    ///
    /// @param guard notices calls of two threads at a time; null notices none
    public ReadTransaction beginRead(@Nullable CallGuard guard) {
        writeGate.checkOpen();
        ReadTransaction transaction = new ReadTransaction(this, guard);
        transaction.begin();
        return transaction;
    }

    /// Begins a read-only transaction on a state with all entries in pages. Waits for the page writer's role, if they
    /// are not.
    ///
    /// @throws dev.oriel.store.LimitException if there is no room for these pages
    /// @throws dev.oriel.store.StorageException if they are not, and an earlier write has failed
    public ReadTransaction beginSettledRead() {
        ReadTransaction transaction = beginRead(new CallGuard());
        if (!transaction.state().deltas().isEmpty()) {
            transaction.close();
            committer.absorber().settled(transaction::begin);
        }
        return transaction;
    }

    /// Points an ended read-only transaction at the newest committed state, or at the snapshot of `like`.
    public void renew(Transaction transaction, @Nullable Transaction like) {
        writeGate.checkOpen();
        if (!(transaction instanceof ReadTransaction read)) {
            throw onlyReading();
        }
        if (like == null) {
            read.begin();
        } else if (like instanceof ReadTransaction other) {
            read.begin(other);
        } else {
            throw onlyReading();
        }
    }

    private static UsageException onlyReading() {
        return new UsageException("Only read-only transactions can be renewed", "");
    }

    /// Begins a writing transaction for a caller that must not block; null if it would have to wait.
    ///
    /// @param durability awaited by its commit; null for the store's default
    public @Nullable Transaction tryBeginWrite(
            Isolation isolation, @Nullable Durability durability) {
        Durability wanted = durability == null ? core.options().durability() : durability;
        if ((wanted == Durability.SYNC && !core.isInMemory()) || committer.isHeld()) {
            return null;
        }
        WriteTransaction transaction = writers.tryBegin(isolation);
        if (transaction != null) {
            transaction.durability(wanted);
        }
        return transaction;
    }

    /// Begins a second writing transaction on the thread of `other`.
    public Transaction beginBeside(Transaction other) {
        if (!(other instanceof WriteTransaction) || other.isExclusive()) {
            throw new UsageException(
                    "Another transaction can only begin next to one that writes and is not"
                            + " exclusive",
                    "");
        }
        return writers.begin(Isolation.SNAPSHOT, null);
    }

    /// Begins an exclusive transaction after waiting for the open writers.
    public Transaction beginExclusive() {
        WriteTransaction transaction = writers.beginDirect(LockMode.EXCLUSIVE, false);
        boolean watched = false;
        try {
            transaction.watch();
            watched = true;
            return transaction;
        } finally {
            if (!watched) {
                transaction.close();
            }
        }
    }

    /// Begins a transaction that creates trees concurrently with open writers.
    public Transaction beginDefining(@Nullable Transaction beside) {
        if (beside instanceof WriteTransaction own && own.isDirect()) {
            throw new UsageException(
                    "This transaction is exclusive, so no other one can create trees on its"
                            + " thread; create them in it",
                    "");
        }
        return beside == null ? writers.beginDirect(LockMode.SHARED, false) : writers.beginBeside();
    }

    /// Begins a transaction that moves pages and changes no entry. It runs concurrently with writers and excludes
    /// only their commits.
    public WriteTransaction beginMoving() {
        return writers.beginDirect(LockMode.SHARED, true);
    }

    /// Does `work` in its own transaction and commits it, with retries within `writeTimeoutMillis`.
    public <T extends @Nullable Object> T transact(Isolation isolation, Transaction.Work<T> work) {
        return transact(isolation, core.options().writeTimeoutMillis(), work);
    }

    /// Does `work` in its own transaction and commits it, with retries within `timeoutMillis`.
    public <T extends @Nullable Object> T transact(
            Isolation isolation, long timeoutMillis, Transaction.Work<T> work) {
        long begun = core.nanos();
        long timeoutNanos = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        for (int attempt = 1; ; attempt++) {
            long pause = PAUSE_NANOS;
            try (Transaction transaction = writers.begin(isolation, LockMode.SHARED)) {
                pause = pauseNanos(transaction.writer(), attempt);
                T result = work.in(transaction);
                transaction.commit();
                return result;
            } catch (ConflictException e) {
                if (!e.mayPass() || core.nanos() - begun >= timeoutNanos) {
                    throw e;
                }
            }
            LockSupport.parkNanos(pause);
        }
    }

    /// Returns 0.5 to 1.5 times the doubled pause. The factor comes from the writer's number, because nothing
    /// here is random.
    private static long pauseNanos(long writer, int attempt) {
        long usual = PAUSE_NANOS << Math.min(attempt, DOUBLINGS_MAX);
        long mixed = (writer * 31 + attempt) * 0x9E3779B97F4A7C15L;
        return usual / 2 + Math.floorMod(mixed >>> 20, usual);
    }
}
