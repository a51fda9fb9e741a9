package dev.oriel.kv;

import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.key.TextKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/// The idle sessions of one bucket, and its operations on many keys at once.
final class Sessions {
    private static final int ATTEMPTS_MAX = 20;

    private final Tables tables;
    private final String tableName;
    private final BucketOptions options;
    private final EntryLocks locks;
    private final @Nullable Joined joined;

    private final IdleSessions<BucketSession> idle = new IdleSessions<>();

    Sessions(Tables tables, String tableName, BucketOptions options, EntryLocks locks) {
        this(tables, tableName, options, locks, null);
    }

    /// @param joined the transaction that all calls belong to; null if each call has its own
    Sessions(
            Tables tables,
            String tableName,
            BucketOptions options,
            EntryLocks locks,
            @Nullable Joined joined) {
        this.tables = tables;
        this.tableName = tableName;
        this.options = options;
        this.locks = locks;
        this.joined = joined;
    }

    /// Takes a session, which belongs to the caller until it is given back.
    BucketSession take() {
        enter();
        boolean taken = false;
        try {
            BucketSession session = idle.take();
            if (session == null) {
                session = open();
            }
            taken = true;
            return session;
        } finally {
            if (!taken) {
                exit();
            }
        }
    }

    void giveBack(BucketSession session) {
        try {
            session.release();
            if (!idle.keep(session)) {
                session.close();
            }
        } finally {
            exit();
        }
    }

    private void enter() {
        if (joined != null) {
            joined.enter();
        }
    }

    private void exit() {
        if (joined != null) {
            joined.exit();
        }
    }

    /// Opens a new session, which is the caller's own.
    BucketSession open() {
        return new BucketSession(tables, tableName, options, locks, joined);
    }

    /// Locks the keys in sorted order, so that two batches cannot deadlock.
    List<Status> batch(List<KeyedChange> batch, @Nullable Durability durability) {
        Integer[] order = new Integer[batch.size()];
        Arrays.setAll(order, i -> i);
        Arrays.sort(order, Comparator.comparing(i -> batch.get(i).key()));
        BucketSession session = take();
        try {
            for (int attempt = 1; ; attempt++) {
                try {
                    return batch(session, batch, order, durability);
                } catch (ConflictException e) {
                    if (!e.mayPass() || attempt == ATTEMPTS_MAX) {
                        throw e;
                    }
                }
            }
        } finally {
            giveBack(session);
        }
    }

    private List<Status> batch(
            BucketSession session,
            List<KeyedChange> batch,
            Integer[] order,
            @Nullable Durability durability) {
        Joined owners = joined;
        if (owners != null) {
            session.checkDurability(durability);
            return owners.change(() -> all(session, owners.rows(), batch, order));
        }
        session.keepLocks();
        List<Status> statuses;
        try (TableTransaction transaction = tables.beginWrite(Isolation.READ_COMMITTED)) {
            statuses = all(session, transaction, batch, order);
            if (durability != null) {
                transaction.durability(durability);
            }
            transaction.commit();
        }
        session.endLocks();
        return statuses;
    }

    private static List<Status> all(
            BucketSession session,
            TableTransaction transaction,
            List<KeyedChange> batch,
            Integer[] order) {
        Status[] statuses = new Status[order.length];
        for (int i : order) {
            KeyedChange one = batch.get(i);
            statuses[i] =
                    one.change() instanceof Change.Lock // it needs a transaction of its own
                            ? Status.INVALID
                            : session.changeIn(transaction, one.key(), one.cas(), one.change());
        }
        return List.of(statuses);
    }

    /// The snapshot of a call that reads many keys; ended by [#endRead].
    private TableTransaction beginRead() {
        Joined owners = joined;
        if (owners == null) {
            return tables.beginRead();
        }
        owners.enter();
        boolean begun = false;
        try {
            TableTransaction rows = owners.newest();
            begun = true;
            return rows;
        } finally {
            if (!begun) {
                owners.exit();
            }
        }
    }

    private void endRead(TableTransaction transaction) {
        if (joined == null) {
            transaction.close();
        } else {
            joined.exit();
        }
    }

    /// Passes the values of the present `keys` to `visitor`, all from one snapshot.
    void readAll(Collection<String> keys, BiConsumer<String, byte[]> visitor) {
        TableTransaction transaction = beginRead();
        try {
            BucketTable table = BucketTable.of(transaction, tableName);
            TextKey rowKey = new TextKey();
            for (String key : keys) {
                if (transaction.fetch(table.definition(), rowKey.set(key), table.row())) {
                    byte @Nullable [] value = table.row().bytesAt(BucketTable.VALUE);
                    visitor.accept(key, value == null ? new byte[0] : value);
                }
            }
        } finally {
            endRead(transaction);
        }
    }

    /// Receives the entries of a scan.
    interface Visitor {
        void visit(String key, byte[] value, int flags, long cas, long expiresAtMicros);
    }

    void scan(String prefix, Visitor visitor) {
        TableTransaction transaction = beginRead();
        try {
            BucketTable table = BucketTable.of(transaction, tableName);
            RowCursor cursor = transaction.cursor(table.definition(), null);
            KeyRange range = new KeyRange(1);
            range.lower().setText(0, prefix);
            range.from(1, true);
            cursor.open(transaction, range, false);
            while (cursor.next()) {
                String key = cursor.textAt(BucketTable.KEY);
                byte @Nullable [] value = cursor.bytesAt(BucketTable.VALUE);
                if (key == null || value == null || !key.startsWith(prefix)) {
                    return;
                }
                visitor.visit(
                        key,
                        value,
                        (int) cursor.longAt(BucketTable.FLAGS),
                        cursor.longAt(BucketTable.CAS),
                        cursor.longAt(BucketTable.EXPIRES_AT));
            }
        } finally {
            endRead(transaction);
        }
    }

    /// Removes the entries up to the last one at the time of the call, in several transactions; returns the number
    /// of removed entries.
    long clear() {
        locks.removeAll(tableName);
        KeyRange range = new KeyRange(1);
        List<String> last = keys(range, true, 1);
        if (last.isEmpty()) {
            return 0;
        }
        range.upper().setText(0, last.getFirst());
        range.to(1, true);
        long removed = 0;
        while (true) {
            List<String> some = keys(range, false, CLEAR_ROWS);
            if (some.isEmpty()) {
                return removed;
            }
            List<KeyedChange> removals =
                    some.stream().map(key -> new KeyedChange(key, new Change.Remove())).toList();
            for (Status status : batch(removals, null)) {
                removed += status == Status.SUCCESS ? 1 : 0;
            }
            range.lower().setText(0, some.getLast());
            range.from(1, false);
        }
    }

    /// The first keys in `range`, or its last ones if `descending`: `countMax` at most.
    private List<String> keys(KeyRange range, boolean descending, int countMax) {
        List<String> keys = new ArrayList<>();
        TableTransaction transaction = beginRead();
        try {
            BucketTable table = BucketTable.of(transaction, tableName);
            RowCursor cursor = transaction.cursor(table.definition(), null);
            cursor.open(transaction, range, descending);
            while (keys.size() < countMax && cursor.next()) {
                String key = cursor.textAt(BucketTable.KEY);
                if (key != null) {
                    keys.add(key);
                }
            }
        } finally {
            endRead(transaction);
        }
        return keys;
    }

    private static final int CLEAR_ROWS = 1_000;
}
