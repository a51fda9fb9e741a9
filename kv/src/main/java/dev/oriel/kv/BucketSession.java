package dev.oriel.kv;

import dev.oriel.profiler.Probe;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.TextKey;
import dev.oriel.table.value.Tuple;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Operations on one bucket for one thread at a time, with statuses instead of exceptions. It reuses its buffers
/// from call to call. The server and [Bucket] are built on it. Keys are UTF-8.
///
/// A read is [#read], then [#value()] and the other getters, then [#release()]. Until then the value is read in
/// place, without a copy.
///
/// A change locks its key, then reads the newest version of the entry, and commits. So any number of sessions may
/// change one key at once, and no update is lost.
public final class BucketSession implements AutoCloseable {
    private static final Probe FIND = Probe.of(Bucket.class, "find");
    private static final Probe CHANGE = Probe.of(Bucket.class, "change");

    /// CAS that readers see of a locked entry.
    public static final long LOCKED_CAS = -1;

    private static final int ATTEMPTS_MAX = 20;

    /// Length from which a value lies in memory of its own.
    private static final int LONG_BYTES = 4 << 10;

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

    /// Locks to be released when the transaction has committed.
    private final List<EntryLocks.Held> ending = new ArrayList<>();

    private BucketTable table;
    private @Nullable TableTransaction reading;
    private boolean isReading;

    private long cas;
    private long flags;
    private long expiresAtMicros;
    private byte[] newValue = NOTHING;
    private List<JsonEdit.Outcome> outcomes = List.of();

    /// @param joined the transaction that all calls belong to; null if each call has its own
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

    /// Finds the entry of the key in `key`. After SUCCESS its parts may be read until [#release()].
    public Status read(byte[] key, int from, int length) {
        Status status = found(keys.set(key, from, length));
        if (locks.any() && status == Status.SUCCESS) {
            hideNumberOfLocked(new String(key, from, length, StandardCharsets.UTF_8));
        }
        return status;
    }

    /// Finds the entry of `key`. After SUCCESS its parts may be read until [#release()].
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

    /// Hides the CAS of a locked entry: it permits a change, so only the lock's owner may know it.
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
        forgetEntry();
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

    /// The table may have been replaced, for example by TRUNCATE.
    private void adopt(TableTransaction transaction) {
        if (transaction.catalog().version() != table.version()) {
            table = BucketTable.of(transaction, tableName);
        }
    }

    /// Forgets the attributes of the last entry, so that they are not taken for the next one's.
    private void forgetEntry() {
        cas = 0;
        flags = 0;
        expiresAtMicros = Change.NEVER;
    }

    private void take(BucketTable from) {
        cas = from.row().longAt(BucketTable.CAS);
        flags = from.row().longAt(BucketTable.FLAGS);
        expiresAtMicros = from.row().longAt(BucketTable.EXPIRES_AT);
    }

    /// The value found by [#read], in place; valid until [#release()].
    public Slice value() {
        return valueSlice;
    }

    /// Ends the read. May be called again.
    public void release() {
        TableTransaction transaction = reading;
        if (isReading && transaction != null) {
            isReading = false;
            transaction.close();
            if (valueSlice.length() >= LONG_BYTES) {
                valueSlice.set(MemorySegment.NULL, 0, 0);
                forgetRow();
            }
        }
    }

    /// Refers to the row that was found no longer: an idle session must not keep the memory of a long value.
    private void forgetRow() {
        table.row().forget();
    }

    /// The CAS of the entry that was read, or of the last change; it grows with each change.
    public long cas() {
        return cas;
    }

    /// The flags of the entry that was read or changed.
    public int flags() {
        return (int) flags;
    }

    /// Whether the entry that was read or changed is stale ([Change.Invalidate]).
    public boolean isStale() {
        return (flags & EntryChange.STALE) != 0;
    }

    /// Whether a client has won the claim to renew the entry that was read or changed ([Change.Claim]).
    public boolean isClaimed() {
        return (flags & EntryChange.CLAIMED) != 0;
    }

    /// Whether the last change was a [Change.Claim] that has won.
    public boolean hasWon() {
        return changes.won();
    }

    /// Expiry of the entry that was read or changed, in microseconds since 1970; 0 for never.
    public long expiresAtMicros() {
        return expiresAtMicros;
    }

    /// The value after the last change, for example the digits of a counter.
    public byte[] newValue() {
        return newValue;
    }

    /// Drops the value after the last change if it has `bytes` or more, so that an idle session does not keep it.
    public void forgetValue(int bytes) {
        if (newValue.length >= bytes) {
            newValue = NOTHING;
        }
        if (changes.value().length >= bytes) {
            changes.forgetValue();
            table.tuple().setBytes(BucketTable.VALUE, null); // a change that failed has left it
        }
    }

    /// Ends the read, and forgets the last entry and change before another client gets the session.
    public void forget() {
        release();
        forgetEntry();
        forgetRow();
        valueSlice.set(MemorySegment.NULL, 0, 0);
        newValue = NOTHING;
        outcomes = List.of();
        changes.forget();
        table.tuple().setBytes(BucketTable.VALUE, null); // a change that failed has left it
    }

    /// The outcome of each edit of the last [Change.Edit].
    public List<JsonEdit.Outcome> outcomes() {
        return outcomes;
    }

    /// The current time, in microseconds since 1970.
    public long nowMicros() {
        return tables.nowMicros();
    }

    /// Applies `change` to the entry of `key` in a transaction of its own.
    ///
    /// @param casWanted the CAS that the entry must have; 0 for any
    /// @param durability the durability of the commit; null for the database's default
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
                        "Entries cannot be locked or unlocked in a transaction; do so before or"
                                + " after it",
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
                forgetRow();
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

    /// Applies `change` like [#change] if that need not wait for a lock, the disk or another commit's write to it.
    /// Otherwise does nothing and returns null.
    ///
    /// @param readBytesMax greatest length of the entry's value that it copies; it returns null for a longer one
    public @Nullable Status changeNow(
            String key,
            long casWanted,
            Change change,
            @Nullable Durability durability,
            int readBytesMax) {
        TableTransaction begun = tables.tryBeginWrite(Isolation.READ_COMMITTED, durability);
        if (begun == null) {
            return null;
        }
        try (TableTransaction transaction = begun) {
            adopt(transaction);
            if (table.fillsOthers()) {
                return null; // a default may draw from a sequence
            }
            Status status = changeIn(transaction, key, casWanted, change, NO_WAIT, readBytesMax);
            if (status != null && status.isSuccess()) {
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
            forgetRow();
        }
    }

    /// A new lock is in place before the commit releases the key, so that no other change comes between. A lock
    /// that ends is removed after the commit.
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

    /// Before a transaction: forgets the locks that an earlier one would have released.
    void keepLocks() {
        ending.clear();
    }

    /// After the commit: releases the locks whose owners have changed the entries.
    void endLocks() {
        ending.forEach(locks::remove);
        ending.clear();
    }

    /// Applies `change` within `transaction` and does not commit.
    Status changeIn(TableTransaction transaction, String key, long casWanted, Change change) {
        return Objects.requireNonNull(
                changeIn(transaction, key, casWanted, change, wait, Integer.MAX_VALUE));
    }

    /// Null if the change would copy a value longer than `readBytesMax`.
    private @Nullable Status changeIn(
            TableTransaction transaction,
            String key,
            long casWanted,
            Change change,
            Transaction.Wait patience,
            int readBytesMax) {
        forgetEntry();
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
        if (exists && change.readsValue() && valueBytes() > readBytesMax) {
            return null;
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

    /// Length of the value in the row.
    private int valueBytes() {
        table.row().sliceAt(BucketTable.VALUE, valueSlice);
        int bytes = valueSlice.length();
        valueSlice.set(MemorySegment.NULL, 0, 0);
        return bytes;
    }

    /// Checks the demanded CAS, and that no other caller has locked the entry.
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
            transaction.refresh(); // the locked row is the newest, and stays
            adopt(transaction);
            // The conflict may have been on the table; then the key is not locked yet.
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

    /// Columns added by users: an existing entry keeps their values, a new one gets their defaults.
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

    /// The key as text; null if its bytes are not UTF-8.
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

    /// Ends the session.
    @Override
    public void close() {
        release();
        reading = null;
    }
}
