package dev.oriel.table;

import dev.oriel.store.Slice;
import dev.oriel.store.Tree;
import dev.oriel.table.ConstraintException.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/// A table and all that is needed to reach its rows, worked out once for each version of its
/// definition: tree, indexes, the form of its rows and keys.
///
/// Immutable, but for the writer, which belongs to whoever holds the store's write role.
final class TableEntry {
    private static final Type[] ROW_NUMBER = {Type.of(Type.Name.BIGINT)};

    private final Table table;
    private final Tree tree;
    private final List<IndexEntry> indexes;
    private final RowLayout layout;
    private final int[] primaryKey;
    private final Type[] keyTypes;
    private @Nullable TableWriter writer;

    TableEntry(Table table, Tree tree, List<IndexEntry> indexes) {
        this.table = table;
        this.tree = tree;
        this.indexes = List.copyOf(indexes);
        this.layout = new RowLayout(table.columns(), table.columns().size());
        this.primaryKey = table.primaryKey().stream().mapToInt(Integer::intValue).toArray();
        this.keyTypes = primaryKey.length == 0 ? ROW_NUMBER : new Type[primaryKey.length];
        for (int i = 0; i < primaryKey.length; i++) {
            keyTypes[i] = table.columns().get(primaryKey[i]).type();
        }
    }

    /// Name of the tree of table `id`.
    static String treeName(long id) {
        return "t" + id;
    }

    Table table() {
        return table;
    }

    /// Row keys to rows.
    Tree tree() {
        return tree;
    }

    List<IndexEntry> indexes() {
        return indexes;
    }

    RowLayout layout() {
        return layout;
    }

    /// Positions of the primary key's columns; empty where rows are clustered by a hidden number.
    int[] primaryKey() {
        return primaryKey;
    }

    /// Types of what the row key is made of: the primary key's columns, or the hidden number.
    Type[] keyTypes() {
        return keyTypes;
    }

    StoredRow newRow() {
        return new StoredRow(table.columns(), layout);
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

    /// Working memory for changes, kept from one writing transaction to the next.
    TableWriter writer() {
        TableWriter existing = writer;
        if (existing == null) {
            existing = new TableWriter(this);
            writer = existing;
        }
        return existing;
    }

    /// The error for a second row with the columns that `key` begins with.
    ///
    /// @param index the unique index, or null for the primary key
    ConstraintException duplicate(@Nullable IndexEntry index, Slice key) {
        int[] columns = index == null ? primaryKey : index.columns();
        StringJoiner names = new StringJoiner(", ", "(", ")");
        for (int column : columns) {
            names.add(table.columns().get(column).name());
        }
        return new ConstraintException(
                Kind.DUPLICATE_KEY,
                "A row with this key exists",
                "table="
                        + table.name()
                        + (index == null ? " primary key" : " index=" + index.definition().name())
                        + " columns="
                        + names
                        + " key="
                        + KeyText.of(key, index == null ? keyTypes : index.types()));
    }

    /// This table with one index more.
    TableEntry with(IndexEntry added) {
        List<IndexEntry> more = new ArrayList<>(indexes);
        more.add(added);
        return withIndexes(more);
    }

    /// This table with one index less.
    TableEntry without(IndexEntry removed) {
        List<IndexEntry> fewer = new ArrayList<>(indexes);
        fewer.remove(removed);
        return withIndexes(fewer);
    }

    private TableEntry withIndexes(List<IndexEntry> newIndexes) {
        List<Index> definitions = newIndexes.stream().map(IndexEntry::definition).toList();
        Table changed =
                new Table(
                        table.id(), table.name(), table.columns(), table.primaryKey(), definitions);
        return new TableEntry(changed, tree, newIndexes);
    }
}
