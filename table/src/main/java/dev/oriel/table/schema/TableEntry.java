package dev.oriel.table.schema;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import dev.oriel.table.expiry.ExpiryBound;
import dev.oriel.table.key.KeyReader;
import dev.oriel.table.key.KeyText;
import dev.oriel.table.row.RowLayout;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.value.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.StringJoiner;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A table with its tree, its indexes, and the form of its rows and keys, prepared once for each version of its
/// definition.
///
/// Immutable, but for the number of the next row, and the writers that are kept for the next use.
public final class TableEntry {
    private static final Type[] ROW_NUMBER = {Type.of(Type.Name.BIGINT)};

    private final Table table;
    private final Tree tree;
    private final List<IndexEntry> indexes;
    private final RowLayout layout;
    private final int[] primaryKey;
    private final Type[] keyTypes;
    private final int expiry;
    private final int version;
    private final boolean checked;

    /// Row that holds the columns added after older rows were written; empty if there is none.
    private final byte[] missing;

    /// Working memory for changes of rows, for its next use.
    private final Queue<Object> idle = new ConcurrentLinkedQueue<>();

    /// The next hidden row number; 0 until it is looked up. All definitions of the same rows share it.
    private final AtomicLong nextRow;

    public TableEntry(Table table, Tree tree, List<IndexEntry> indexes, byte[] missing) {
        this(table, tree, indexes, missing, new AtomicLong());
    }

    private TableEntry(
            Table table, Tree tree, List<IndexEntry> indexes, byte[] missing, AtomicLong nextRow) {
        this.table = table;
        this.nextRow = nextRow;
        this.missing = missing;
        this.checked =
                !table.constraints().checks().isEmpty()
                        || generates(table)
                        || DomainRule.any(table);
        this.tree = tree;
        this.indexes = List.copyOf(indexes);
        this.layout = new RowLayout(table.columns(), table.columns().size());
        this.primaryKey = positions(table.primaryKey());
        this.keyTypes = primaryKey.length == 0 ? ROW_NUMBER : new Type[primaryKey.length];
        this.expiry = table.column(Column.Role.EXPIRY);
        this.version = table.column(Column.Role.VERSION);
        for (int i = 0; i < primaryKey.length; i++) {
            keyTypes[i] = table.columns().get(primaryKey[i]).type();
        }
    }

    private static boolean generates(Table table) {
        for (Column column : table.columns()) {
            if (column.generated()) {
                return true;
            }
        }
        return false;
    }

    /// The same positions, unboxed.
    static int[] positions(List<Integer> boxed) {
        int[] positions = new int[boxed.size()];
        for (int i = 0; i < positions.length; i++) {
            positions[i] = boxed.get(i);
        }
        return positions;
    }

    /// Name of the tree of table `id`.
    public static String treeName(long id) {
        return "t" + id;
    }

    public Table table() {
        return table;
    }

    /// Row keys to rows.
    public Tree tree() {
        return tree;
    }

    public List<IndexEntry> indexes() {
        return indexes;
    }

    public RowLayout layout() {
        return layout;
    }

    /// Positions of the primary key's columns; empty if rows are clustered by a hidden number.
    public int[] primaryKey() {
        return primaryKey;
    }

    /// Types of the row key: the primary key's columns, or the hidden number.
    public Type[] keyTypes() {
        return keyTypes;
    }

    /// Whether rows can expire.
    public boolean expires() {
        return expiry >= 0;
    }

    /// Whether `row` counts as absent at `nowMicros`.
    public boolean isExpired(Row row, long nowMicros) {
        return !row.isNull(expiry) && row.longAt(expiry) <= nowMicros;
    }

    /// Moment at which `row` expires, in microseconds since 1970; [ExpiryBound#NEVER] if it does not.
    public long expiryOf(Row row) {
        return expiry < 0 || row.isNull(expiry) ? ExpiryBound.NEVER : row.longAt(expiry);
    }

    /// Position of the column that every change updates, or -1.
    public int version() {
        return version;
    }

    public byte[] missing() {
        return missing;
    }

    public StoredRow newRow() {
        StoredRow older = null;
        if (missing.length > 0) {
            older = new StoredRow(table.columns(), layout, null);
            older.point(Slice.copyOf(missing));
        }
        return new StoredRow(table.columns(), layout, older);
    }

    /// Whether it has defaults, checks or generated columns.
    public boolean hasRules() {
        return checked;
    }

    /// The index `name` without regard to case, or null.
    @Nullable IndexEntry index(String name) {
        for (IndexEntry index : indexes) {
            if (index.definition().name().equalsIgnoreCase(name)) {
                return index;
            }
        }
        return null;
    }

    /// Working memory for changes that was given back; null if there is none.
    public @Nullable Object takeIdle() {
        return idle.poll();
    }

    /// Keeps working memory for changes for [#takeIdle].
    public void giveBack(Object working) {
        idle.add(working);
    }

    /// A hidden row number that no other row gets. They ascend, so that the tree appends. One is used again only
    /// if the rows with the highest numbers are gone and the database was reopened; no index entry names it then.
    ///
    /// @param own one of the writers of `store`: so all rows numbered before the first call are committed, or its
    ///     own
    public long takeRow(Transaction own, Store store) {
        if (nextRow.get() == 0) {
            long last = lastRow(own);
            // Rows removed by `own` exist for other readers until it commits, and return if it
            // rolls back.
            try (Transaction committed = store.beginRead()) {
                if (tree.equals(committed.tree(tree.name()))) {
                    last = Math.max(last, lastRow(committed));
                }
            }
            nextRow.compareAndSet(0, last + 1);
        }
        return nextRow.getAndIncrement();
    }

    private long lastRow(Transaction seen) {
        Cursor cursor = seen.cursor(tree);
        if (!cursor.last()) {
            return 0;
        }
        Slice key = new Slice();
        cursor.key(key);
        return new KeyReader().over(key).takeLong();
    }

    /// The error for a second row with the columns at the start of `key`.
    ///
    /// @param index the unique index, or null for the primary key
    public ConstraintException duplicate(@Nullable IndexEntry index, Slice key) {
        int[] columns = index == null ? primaryKey : index.columns();
        StringJoiner names = new StringJoiner(", ", "(", ")");
        for (int column : columns) {
            names.add(table.columns().get(column).name());
        }
        if (index != null && index.definition().terms() != null) {
            index.definition().terms().expressions().forEach(names::add);
        }
        return new ConstraintException(
                Kind.DUPLICATE_KEY,
                "A row with this key exists",
                "table="
                        + table.name()
                        + keyName(index)
                        + " columns="
                        + names
                        + " key="
                        + KeyText.of(key, index == null ? keyTypes : index.types()));
    }

    private String keyName(@Nullable IndexEntry index) {
        if (index != null) {
            return (index.definition().constraint() ? " constraint=" : " index=")
                    + index.definition().name();
        }
        String name = table.constraints().primaryKey();
        return name.isEmpty() ? " primary key" : " constraint=" + name;
    }

    /// This table with one index more.
    public TableEntry with(IndexEntry added) {
        List<IndexEntry> more = new ArrayList<>(indexes);
        more.add(added);
        return withIndexes(more);
    }

    /// This table with one index less.
    public TableEntry without(IndexEntry removed) {
        List<IndexEntry> fewer = new ArrayList<>(indexes);
        fewer.remove(removed);
        return withIndexes(fewer);
    }

    private TableEntry withIndexes(List<IndexEntry> newIndexes) {
        List<Index> definitions = new ArrayList<>(newIndexes.size());
        for (IndexEntry index : newIndexes) {
            definitions.add(index.definition());
        }
        return new TableEntry(table.withIndexes(definitions), tree, newIndexes, missing, nextRow);
    }

    /// These rows under another definition, with these indexes too.
    ///
    /// @param older see [#missing()]
    public TableEntry redefined(Table changed, byte[] older) {
        List<IndexEntry> entries = new ArrayList<>();
        for (int i = 0; i < indexes.size(); i++) {
            entries.add(indexes.get(i).renamed(changed.indexes().get(i)));
        }
        return new TableEntry(changed, tree, entries, older, nextRow);
    }
}
