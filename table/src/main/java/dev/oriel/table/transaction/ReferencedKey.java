package dev.oriel.table.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.ForeignKey;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.IndexEntry;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// The key that a foreign key refers to, and the pairs of columns on both sides.
///
/// @param index the unique index; null for the primary key
/// @param childColumns positions in the table that refers, in the order of the key's columns
/// @param parentColumns the key's columns
@SuppressWarnings("ArrayRecordComponent") // never changed
public record ReferencedKey(
        TableEntry parent,
        @Nullable IndexEntry index,
        int[] childColumns,
        int[] parentColumns,
        Type[] types) {
    /// The key that `key` of `child` refers to.
    ///
    /// @throws ConstraintException if its columns are no key there, or of other types
    public static ReferencedKey of(TableEntry parent, Table child, ForeignKey key) {
        int[] order = order(parent.primaryKey(), key);
        if (order.length > 0) {
            return of(parent, null, parent.primaryKey(), order, child, key);
        }
        for (IndexEntry index : parent.indexes()) {
            order = order(index.columns(), key);
            if (index.unique() && order.length > 0) {
                return of(parent, index, index.columns(), order, child, key);
            }
        }
        throw new ConstraintException(
                Kind.NO_KEY,
                "A foreign key must refer to all columns of a primary key or of a unique index",
                "table="
                        + child.name()
                        + " constraint="
                        + key.name()
                        + " parent="
                        + parent.table().name()
                        + " columns="
                        + names(parent.table(), key.parentColumns()));
    }

    private static ReferencedKey of(
            TableEntry parent,
            @Nullable IndexEntry index,
            int[] columns,
            int[] order,
            Table child,
            ForeignKey key) {
        int[] childColumns = new int[columns.length];
        Type[] types = new Type[columns.length];
        for (int i = 0; i < columns.length; i++) {
            childColumns[i] = key.columns().get(order[i]);
            types[i] = parent.table().columns().get(columns[i]).type();
            Column own = child.columns().get(childColumns[i]);
            if (!compatible(own.type(), types[i])) {
                throw new ConstraintException(
                        Kind.TYPE_MISMATCH,
                        "A column of a foreign key is of another type than the one it refers to",
                        "table="
                                + child.name()
                                + " constraint="
                                + key.name()
                                + " column="
                                + own.name()
                                + " type="
                                + own.type()
                                + " parent="
                                + parent.table().name()
                                + " type="
                                + types[i]);
            }
        }
        return new ReferencedKey(parent, index, childColumns, columns, types);
    }

    /// For each column of the key its place in the foreign key; empty if the columns differ.
    private static int[] order(int[] columns, ForeignKey key) {
        if (columns.length != key.parentColumns().size()) {
            return new int[0];
        }
        int[] order = new int[columns.length];
        for (int i = 0; i < columns.length; i++) {
            order[i] = key.parentColumns().indexOf(columns[i]);
            if (order[i] < 0) {
                return new int[0];
            }
        }
        return order;
    }

    /// Whether equal values of both types have equal keys.
    private static boolean compatible(Type a, Type b) {
        if (a.name() == b.name()) {
            return a.name() == Type.Name.COMPOSITE
                    ? a.withoutDomain().equals(b.withoutDomain())
                    : a.name() != Type.Name.ENUM || a.labels().id() == b.labels().id();
        }
        return switch (a.shape()) {
            case LONG -> isInteger(a) && isInteger(b);
            case DOUBLE, DECIMAL, TEXT, FOLDED -> a.shape() == b.shape();
            case BYTES -> a.shape() == b.shape() && isPlainBytes(a) && isPlainBytes(b);
        };
    }

    private static boolean isPlainBytes(Type type) {
        return switch (type.name()) {
            case BINARY, VARBINARY, BLOB -> true;
            default -> false;
        };
    }

    private static boolean isInteger(Type type) {
        return switch (type.name()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT -> true;
            default -> false;
        };
    }

    /// Whether the key is one of `table` itself.
    boolean isOf(TableEntry table) {
        return parent.table().id() == table.table().id();
    }

    static String names(Table table, Iterable<Integer> columns) {
        StringBuilder names = new StringBuilder("(");
        for (int column : columns) {
            names.append(names.length() > 1 ? ", " : "").append(table.columns().get(column).name());
        }
        return names.append(")").toString();
    }

    /// Makes `out` the name under which the existence of a row with this key is locked: SHARED by referencing
    /// rows, EXCLUSIVE by its removal. No row and no entry has this name, so a change that leaves the key alone
    /// meets no lock.
    void lockName(NativeBuffer key, NativeBuffer out) {
        out.clear();
        out.putByte(KeyCodec.AFTER);
        KeyCodec.putLong(out, index == null ? 0 : index.id());
        out.putSlice(key.slice(new Slice()));
    }

    /// Whether the newest state has a row with `key`, expired or not: a referenced row may outlive its expiry.
    boolean exists(StoredTransaction transaction, Slice key) {
        return find(transaction, key, new Slice());
    }

    /// Like [#exists], for a row that readers see too. In an ARRAY index an expired one counts too.
    boolean isSeen(StoredTransaction transaction, Slice key) {
        Slice found = new Slice();
        if (!find(transaction, key, found)) {
            return false;
        }
        IndexEntry of = index;
        if (!parent.expires() || (of != null && of.isArray())) {
            return true;
        }
        if (of != null) {
            Slice rowKey = Slice.copyOf(found.toBytes());
            if (!transaction.store().peekLatest(parent.tree(), rowKey, found)) {
                return false;
            }
        }
        StoredRow row = parent.newRow();
        row.point(found);
        return !transaction.isExpired(parent, row);
    }

    /// Points `found` at the row, or in a BTREE index at its key.
    private boolean find(StoredTransaction transaction, Slice key, Slice found) {
        IndexEntry of = index;
        if (of != null && of.isArray()) {
            return holds(transaction.arrays().newest(of), entry(key));
        }
        Tree tree = of == null ? parent.tree() : of.tree();
        return transaction.store().peekLatest(tree, entry(key), found);
    }

    /// Like [#exists], in one snapshot.
    public boolean existsIn(Transaction snapshot, Slice key) {
        IndexEntry of = index;
        if (of != null && of.isArray()) {
            return holds(of.versions().at(snapshot.snapshot()), entry(key));
        }
        return snapshot.get(of == null ? parent.tree() : of.tree(), entry(key), new Slice());
    }

    /// `key` as the index has it, whose columns may be in another order than ASC.
    private Slice entry(Slice key) {
        IndexEntry of = index;
        if (of == null || of.orders().length == 0) {
            return key;
        }
        Tuple values = new Tuple(types.length);
        KeyReader reader = new KeyReader().over(key);
        for (int i = 0; i < types.length; i++) {
            reader.read(types[i], values, i);
        }
        NativeBuffer bytes = new NativeBuffer(64);
        KeyCodec.putRow(bytes, values, types, types.length, of.orders());
        return bytes.slice(new Slice());
    }

    private static boolean holds(SortedArray array, Slice key) {
        byte[] bytes = key.toBytes();
        return array.startsWith(array.ceiling(bytes, bytes.length), bytes, bytes.length);
    }
}
