package dev.oriel.kv;

import dev.oriel.profiler.Probe;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.Tables;
import dev.oriel.table.TextKey;
import dev.oriel.table.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Works on one bucket for one thread at a time, with statuses instead of exceptions, and keeps its
/// working memory from one call to the next: what the server and [Bucket] are made on. Keys are UTF-8.
///
/// A read is [#read], a look at [#value()] and the rest, and [#release()]: until then the value is where
/// it lies in the database, and it has not been copied.
///
/// A change locks its key, then looks at it as it is at that moment, and commits: so any number of
/// sessions may change one key at once, and none of their changes is lost.
public final class BucketSession implements AutoCloseable {
    private static final Probe FIND = Probe.of(Bucket.class, "find");
    private static final Probe CHANGE = Probe.of(Bucket.class, "change");

    /// What readers see as the number of an entry that somebody has locked.
    public static final long LOCKED_CAS = -1;

    private static final int ATTEMPTS_MAX = 20;
    private static final byte[] NOTHING = {};
    private static final Transaction.Wait NO_WAIT =
            new Transaction.Wait(Transaction.Wait.Kind.NOWAIT, 0);

    private final Tables tables;
    private final String tableName;
    private final Transaction.Wait wait;
    private final int valueBytesMax;
    private final TextKey keys = new TextKey();
    private final Slice valueSlice = new Slice();
    private final EntryChange changes = new EntryChange();
    private final EntryLocks locks;
    private final @Nullable Joined joined;

    /// Locks that end when the transaction has committed.
    private final List<EntryLocks.Held> ending = new ArrayList<>();

    private BucketTable table;
    private @Nullable TableTransaction reading;
    private boolean isReading;

    private long cas;
    private long flags;
    private long expiresAtMicros;
    private byte[] newValue = NOTHING;
    private List<JsonEdit.Outcome> outcomes = List.of();

    /// @param joined the transaction that all calls belong to; null if each is one of its own
    BucketSession(
            Tables tables,
            String tableName,
            BucketOptions options,
            EntryLocks locks,
            @Nullable Joined joined) {
        this.tables = tables;
        this.joined = joined;
        this.tableName = tableName;
        this.locks = locks;
        this.wait = new Transaction.Wait(Transaction.Wait.Kind.WAIT, options.lockTimeoutMillis());
        this.valueBytesMax = options.valueBytesMax();
        if (joined != null) {
            this.table = BucketTable.of(joined.rows(), tableName);
            return;
        }
        try (TableTransaction transaction = tables.beginRead()) {
            this.table = BucketTable.of(transaction, tableName);
        }
    }

    /// Finds the entry of the key in `key`. After SUCCESS its parts may be looked at until [#release()].
    public Status read(byte[] key, int from, int length) {
        Status status = found(keys.set(key, from, length));
        if (locks.any() && status == Status.SUCCESS) {
            hideNumberOfLocked(new String(key, from, length, StandardCharsets.UTF_8));
        }
        return status;
    }

    /// Finds the entry of `key`. After SUCCESS its parts may be looked at until [#release()].
    public Status read(String key) {
        Status status = found(keys.set(checked(key)));
        if (locks.any() && status == Status.SUCCESS) {
            hideNumberOfLocked(key);
        }
        return status;
    }

    private static String checked(String key) {
        if (key == null) {
            throw new UsageException("A bucket has no null keys; pass a key", "");
        }
        return key;
    }

    /// Who has not locked the entry must not learn the number by which it may be changed.
    private void hideNumberOfLocked(String key) {
        if (locks.of(tableName, key, tables.nowMicros()) != null) {
            cas = LOCKED_CAS;
        }
    }

    private Status found(Slice rowKey) {
        long entered = FIND.enter();
        try {
            return fetched(rowKey);
        } finally {
            FIND.exit(entered);
        }
    }

    private Status fetched(Slice rowKey) {
        TableTransaction transaction = joined != null ? joined.newest() : reading;
        if (transaction == null) {
            transaction = tables.beginRead();
            reading = transaction;
            isReading = true;
        } else if (joined == null) {
            tables.renew(transaction);
            isReading = true;
        }
        boolean found = false;
        try {
            adopt(transaction);
            found = transaction.fetch(table.definition(), rowKey, table.row());
            if (found) {
                take(table);
                table.row().sliceAt(BucketTable.VALUE, valueSlice);
            }
        } finally {
            if (!found) {
                release();
            }
        }
        return found ? Status.SUCCESS : Status.NOT_FOUND;
    }

    /// The table may have been made anew, by TRUNCATE for example.
    private void adopt(TableTransaction transaction) {
        if (transaction.catalog().version() != table.version()) {
            table = BucketTable.of(transaction, tableName);
        }
    }

    private void take(BucketTable from) {
        cas = from.row().longAt(BucketTable.CAS);
        flags = from.row().longAt(BucketTable.FLAGS);
        expiresAtMicros = from.row().longAt(BucketTable.EXPIRES_AT);
    }

    /// The value that [#read] found, where it lies; holds until [#release()].
    public Slice value() {
        return valueSlice;
    }

    /// Ends the look at what was read. May be called again.
    public void release() {
        TableTransaction transaction = reading;
        if (isReading && transaction != null) {
            isReading = false;
            transaction.close();
        }
    }

    /// The number of the entry that was read, or that the last change made; it grows with each change.
    public long cas() {
        return cas;
    }

    /// The flags of the entry that was read or changed.
    public int flags() {
        return (int) flags;
    }

    /// Whether the entry that was read or changed is out of date ([Change.Invalidate]).
    public boolean isStale() {
        return (flags & EntryChange.STALE) != 0;
    }

    /// Whether somebody has won to renew the entry that was read or changed ([Change.Claim]).
    public boolean isClaimed() {
        return (flags & EntryChange.CLAIMED) != 0;
    }

    /// Whether the last change was a [Change.Claim] that has won.
    public boolean hasWon() {
        return changes.won();
    }

    /// When the entry that was read or changed expires, in microseconds since 1970; 0 for never.
    public long expiresAtMicros() {
        return expiresAtMicros;
    }

    /// What the last change made of the value: the number of a counter, for example.
    public byte[] newValue() {
        return newValue;
    }

    /// What came of each part of the last [Change.Edit].
    public List<JsonEdit.Outcome> outcomes() {
        return outcomes;
    }

    /// What time it is, in microseconds since 1970.
    public long nowMicros() {
        return tables.nowMicros();
    }

    /// Does `change` to the entry of `key` in a transaction of its own.
    ///
    /// @param casWanted the entry must have this number; 0 where any will do
    /// @param durability what is waited for; null for what the database does anyway
    /// @throws ConflictException if another transaction holds the key for too long
    public Status change(
            String key, long casWanted, Change change, @Nullable Durability durability) {
        long entered = CHANGE.enter();
        try {
            return changed(checked(key), casWanted, change, durability);
        } finally {
            CHANGE.exit(entered);
        }
    }

    private Status changed(
            String key, long casWanted, Change change, @Nullable Durability durability) {
        Joined owners = joined;
        if (owners != null) {
            checkDurability(durability);
            if (change instanceof Change.Lock || change instanceof Change.Unlock) {
                throw new UsageException(
                        "Locks of entries are no part of a transaction; lock the entry before it"
                                + " begins",
                        "key=" + key);
            }
            return owners.change(() -> changeIn(owners.rows(), key, casWanted, change));
        }
        for (int attempt = 1; ; attempt++) {
            try (TableTransaction transaction = tables.beginWrite(Isolation.READ_COMMITTED)) {
                adopt(transaction);
                Status status = changeIn(transaction, key, casWanted, change);
                if (status.isSuccess()) {
                    if (durability != null) {
                        transaction.durability(durability);
                    }
                    commit(transaction, key, change);
                }
                return status;
            } catch (ConflictException e) {
                if (!e.mayPass() || attempt == ATTEMPTS_MAX) {
                    throw e;
                }
            } finally {
                ending.clear();
            }
        }
    }

    void checkDurability(@Nullable Durability durability) {
        if (durability != null) {
            throw new UsageException(
                    "A call within a transaction has no durability of its own; choose that of the"
                            + " transaction",
                    "durability=" + durability);
        }
    }

    /// Does `change` as the other does, or returns null where that would have to wait, for a lock, for the
    /// disk, or for a commit that waits for the disk: nothing was done then.
    public @Nullable Status changeNow(
            String key, long casWanted, Change change, @Nullable Durability durability) {
        TableTransaction begun = tables.tryBeginWrite(Isolation.READ_COMMITTED, durability);
        if (begun == null) {
            return null;
        }
        try (TableTransaction transaction = begun) {
            adopt(transaction);
            if (table.fillsOthers()) {
                return null; // numbers are drawn from sequences, perhaps
            }
            Status status = changeIn(transaction, key, casWanted, change, NO_WAIT);
            if (status.isSuccess()) {
                commit(transaction, key, change);
            }
            return status;
        } catch (ConflictException e) {
            if (e.reason() == ConflictException.Reason.LOCKED || e.mayPass()) {
                return null;
            }
            throw e;
        } finally {
            ending.clear();
        }
    }

    /// A lock is there before the commit gives up the key, so that nobody comes between; one that ends,
    /// ends after it.
    private void commit(TableTransaction transaction, String key, Change change) {
        EntryLocks.Held taken = null;
        if (change instanceof Change.Lock lock) {
            long now = tables.nowMicros();
            taken = new EntryLocks.Held(tableName, key, cas, now + lock.forMicros());
            if (!locks.put(taken, now)) {
                throw new LimitException(
                        "Too many entries are locked; unlock some, or wait", "table=" + tableName);
            }
        }
        boolean committed = false;
        try {
            transaction.commit();
            committed = true;
        } finally {
            if (!committed && taken != null) {
                locks.remove(taken);
            }
        }
        endLocks();
    }

    /// Before a transaction: none of the locks that an earlier one would have ended.
    void keepLocks() {
        ending.clear();
    }

    /// After the commit: what was changed by who had locked it is locked no more.
    void endLocks() {
        ending.forEach(locks::remove);
        ending.clear();
    }

    /// Does `change` inside `transaction`, which goes on.
    Status changeIn(TableTransaction transaction, String key, long casWanted, Change change) {
        return changeIn(transaction, key, casWanted, change, wait);
    }

    private Status changeIn(
            TableTransaction transaction,
            String key,
            long casWanted,
            Change change,
            Transaction.Wait patience) {
        if (key.isEmpty() || key.length() > BucketTable.KEY_CHARS_MAX) {
            return Status.INVALID;
        }
        adopt(transaction);
        Slice rowKey = keys.set(key);
        lock(transaction, rowKey, patience);
        boolean exists = transaction.fetch(table.definition(), rowKey, table.row());
        if (exists) {
            take(table);
        } else if (casWanted != 0) {
            return Status.NOT_FOUND;
        }
        EntryLocks.Held lock = locks.of(tableName, key, tables.nowMicros());
        Status status = exists ? admit(lock, casWanted, change) : Status.SUCCESS;
        if (status != Status.SUCCESS) {
            return status;
        }
        status = changes.decide(change, exists, table.row(), tables.nowMicros());
        if (!status.isSuccess()) {
            outcomes = changes.outcomes();
            return status;
        }
        status = write(transaction, rowKey, key, change);
        if (lock != null && status.isSuccess()) {
            if (joined == null) {
                ending.add(lock);
            } else {
                joined.afterCommit(() -> locks.remove(lock));
            }
        }
        return status;
    }

    /// Whether the entry has the number that is demanded, and nobody else has locked it.
    private Status admit(EntryLocks.@Nullable Held lock, long casWanted, Change change) {
        if (lock != null && (casWanted != lock.cas() || change instanceof Change.Lock)) {
            return Status.LOCKED;
        }
        if (lock == null && change instanceof Change.Unlock) {
            return Status.NOT_LOCKED;
        }
        return casWanted == 0 || casWanted == cas ? Status.SUCCESS : Status.EXISTS;
    }

    private void lock(TableTransaction transaction, Slice rowKey, Transaction.Wait patience) {
        try {
            transaction.lock(table.definition(), rowKey, patience);
        } catch (ConflictException e) {
            if (!Joined.mayMove(e, transaction)) {
                throw e;
            }
            transaction.refresh(); // what is there now is the newest, and stays
            adopt(transaction);
            // Perhaps it was the table that has changed, and the key is not locked yet.
            transaction.lock(table.definition(), rowKey, patience);
        }
    }

    private Status write(TableTransaction transaction, Slice rowKey, String key, Change change) {
        outcomes = changes.outcomes();
        if (change instanceof Change.Remove) {
            transaction.delete(table.definition(), rowKey);
            cas = tables.nowMicros() << 8;
            return Status.SUCCESS;
        }
        byte[] value = changes.value();
        if (changes.isUnchanged()) {
            newValue = value;
            return Status.SUCCESS;
        }
        if (value.length > valueBytesMax) {
            return Status.TOO_BIG;
        }
        Tuple row = table.tuple();
        row.setText(BucketTable.KEY, key);
        row.setBytes(BucketTable.VALUE, value);
        row.setLong(BucketTable.FLAGS, changes.flags());
        if (changes.expiresAtMicros() == Change.NEVER) {
            row.setNull(BucketTable.EXPIRES_AT);
        } else {
            row.setLong(BucketTable.EXPIRES_AT, changes.expiresAtMicros());
        }
        Table definition = table.definition();
        if (table.hasOthers()) {
            fillOthers(transaction, definition, row);
        }
        if (changes.exists()) {
            transaction.update(definition, rowKey, row);
        } else {
            transaction.insert(definition, row);
        }
        row.setBytes(BucketTable.VALUE, null);
        cas = transaction.rowVersion();
        flags = changes.flags();
        expiresAtMicros = changes.expiresAtMicros();
        newValue = value;
        return Status.SUCCESS;
    }

    /// Columns that somebody has added: of an entry that is there they stay what they are, a new one gets
    /// their defaults.
    private void fillOthers(TableTransaction transaction, Table definition, Tuple row) {
        if (!changes.exists()) {
            BitSet given = new BitSet();
            given.set(0, BucketTable.OWN_COLUMNS);
            transaction.complete(definition, row, given);
            return;
        }
        for (int i = BucketTable.OWN_COLUMNS; i < definition.columns().size(); i++) {
            row.copy(i, table.row(), i, definition.columns().get(i).type().shape());
        }
    }

    /// The key as the text that it is; null where its bytes are not UTF-8, or too long for a key.
    public static @Nullable String text(byte[] key, int from, int length) {
        String text = new String(key, from, length, StandardCharsets.UTF_8);
        for (int i = from; i < from + length; i++) {
            if (key[i] < 0) {
                byte[] again = text.getBytes(StandardCharsets.UTF_8);
                boolean same =
                        java.util.Arrays.equals(again, 0, again.length, key, from, from + length);
                return same ? text : null;
            }
        }
        return text;
    }

    Tables tables() {
        return tables;
    }

    BucketTable table() {
        return table;
    }

    /// Ends it.
    @Override
    public void close() {
        release();
        reading = null;
    }
}
