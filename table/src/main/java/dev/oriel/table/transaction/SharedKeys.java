package dev.oriel.table.transaction;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.TableEntry;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Tests UNIQUE constraints that are due at the commit. Each row has an entry of its own in their indexes, so rows
/// may share a key until then.
///
/// A writer has locked the name of each key that it gave to a row or took from one. So no other transaction can
/// change who has it, and the newest state decides, whatever the snapshot says.
final class SharedKeys {
    private SharedKeys() {}

    /// Tests the key `columns` of the constraint `target`.
    ///
    /// @throws dev.oriel.table.definition.ConstraintException if two rows have it
    static void test(StoredTransaction transaction, KeyMemory.Target target, Slice columns) {
        TableEntry table = transaction.schema().entries().get(target.child());
        IndexEntry index = table == null ? null : present(table, target);
        if (table == null || index == null) {
            return; // dropped meanwhile
        }
        if (!index.definition().columns().equals(target.key().columns())
                || !Arrays.equals(index.types(), target.types())) {
            testAll(transaction, table, index); // its columns have changed since
            return;
        }
        ReferencingRows rows =
                new ReferencingRows(transaction, table, target.key(), target.values(columns));
        List<byte[]> found = rows.find(false, null);
        if (found.size() > 1 && (!table.expires() || present(transaction, table, found) > 1)) {
            throw table.duplicate(index, columns);
        }
    }

    /// Number of the rows that have not expired.
    private static int present(StoredTransaction transaction, TableEntry table, List<byte[]> keys) {
        StoredRow row = table.newRow();
        Slice value = new Slice();
        int count = 0;
        for (byte[] key : keys) {
            if (transaction.store().peekLatest(table.tree(), Slice.copyOf(key), value)) {
                row.point(value);
                count += transaction.isExpired(table, row) ? 0 : 1;
            }
        }
        return count;
    }

    /// The index of the constraint by the present definitions; null if it was dropped.
    private static @Nullable IndexEntry present(TableEntry table, KeyMemory.Target target) {
        IndexEntry called = null;
        for (IndexEntry index : table.indexes()) {
            Index definition = index.definition();
            if (definition.deferred() && definition.columns().equals(target.key().columns())) {
                return index;
            }
            if (definition.deferred() && definition.name().equals(target.key().name())) {
                called = index;
            }
        }
        return called;
    }

    /// Tests the keys of all rows of `table` that the transaction sees, if any of its constraints are deferred.
    static void testAll(StoredTransaction transaction, TableEntry table) {
        for (IndexEntry index : table.indexes()) {
            if (index.definition().deferred()) {
                testAll(transaction, table, index);
            }
        }
    }

    /// Neighbours in the index are compared: entries of one key follow one another.
    private static void testAll(StoredTransaction transaction, TableEntry table, IndexEntry index) {
        Cursor cursor = transaction.store().cursor(index.tree());
        Slice entry = new Slice();
        byte[] last = new byte[0];
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            transaction.core().store().poll();
            cursor.key(entry);
            byte[] key = columns(entry, index.types());
            if (key.length > 0 && Arrays.equals(key, last)) {
                throw table.duplicate(index, entry);
            }
            last = key;
        }
    }

    /// The indexed columns of `entry`; empty if one is NULL.
    static byte[] columns(Slice entry, Type[] types) {
        KeyReader reader = new KeyReader().over(entry);
        boolean whole = true;
        for (Type type : types) {
            whole &= !reader.isNull();
            reader.skip(type);
        }
        int bytes = entry.length() - reader.rest().length();
        return whole ? Arrays.copyOf(entry.toBytes(), bytes) : new byte[0];
    }
}
