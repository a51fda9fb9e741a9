package dev.oriel.table.schema;

import dev.oriel.store.Tree;
import dev.oriel.table.array.SortedArray;
import dev.oriel.table.array.Versions;
import dev.oriel.table.definition.Index;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Type;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// An index and the place of its entries: a tree, or versions of a sorted array. Immutable but for the array's
/// versions. It is the same object as long as the index exists and keeps its name; the versions stay the same
/// object even under another name.
///
/// - BTREE: the key is the [IndexKey], the value the row key, by which the row is fetched at once.
/// - ARRAY: see [SortedArray].
/// - SEARCH: the key is a word and the row key, the value the row key.
public final class IndexEntry {
    private final long id;
    private final Index definition;
    private final int[] columns;
    private final Type[] types;
    private final KeyOrder[] orders;
    private final boolean holdsRowKey;
    private final Type[] entryTypes;
    private final @Nullable Tree tree;
    private final Versions<SortedArray> versions;

    /// @param tree holds the entries of a BTREE index; null for an ARRAY index
    public IndexEntry(long id, Index definition, Table of, @Nullable Tree tree) {
        this.id = id;
        this.definition = definition;
        this.columns = TableEntry.positions(definition.columns());
        Index.Terms terms = definition.terms();
        this.types = terms == null ? new Type[columns.length] : terms.types().toArray(new Type[0]);
        for (int i = 0; i < columns.length; i++) {
            types[i] = of.columns().get(columns[i]).type();
        }
        if (isSearch()) {
            types[0] = Type.varchar(0);
        }
        this.orders = definition.entryOrders().toArray(new KeyOrder[0]);
        this.holdsRowKey =
                !isSearch()
                        && terms == null
                        && !of.primaryKey().isEmpty()
                        && definition.columns().containsAll(of.primaryKey());
        this.entryTypes = holdsRowKey ? types : entryTypes(of);
        this.tree = tree;
        this.versions = new Versions<>();
    }

    private IndexEntry(IndexEntry of, Index definition) {
        this.id = of.id;
        this.definition = definition;
        this.columns = of.columns;
        this.types = of.types;
        this.orders = of.orders;
        this.holdsRowKey = of.holdsRowKey;
        this.entryTypes = of.entryTypes;
        this.tree = of.tree;
        this.versions = of.versions;
    }

    private Type[] entryTypes(Table of) {
        Type[] all = Arrays.copyOf(types, types.length + of.primaryKey().size());
        for (int i = types.length; i < all.length; i++) {
            all[i] = of.columns().get(of.primaryKey().get(i - types.length)).type();
        }
        return all;
    }

    /// This index under another name.
    IndexEntry renamed(Index other) {
        return other.equals(definition) ? this : new IndexEntry(this, other);
    }

    /// Name of the tree of index `id`.
    public static String treeName(long id) {
        return "i" + id;
    }

    public long id() {
        return id;
    }

    public Index definition() {
        return definition;
    }

    public boolean unique() {
        return definition.unique();
    }

    /// Whether the primary key's columns are among the indexed ones. Then indexed columns are unique, and the
    /// entry of a BTREE index does not repeat the row key.
    public boolean holdsRowKey() {
        return holdsRowKey;
    }

    public boolean isArray() {
        return tree == null;
    }

    /// Whether it has an entry for each word of a row.
    public boolean isSearch() {
        return definition.kind() == Index.Kind.SEARCH;
    }

    /// Positions of the indexed columns in the table; none if it has terms.
    public int[] columns() {
        return columns;
    }

    /// Types of the indexed columns, or of its terms.
    public Type[] types() {
        return types;
    }

    /// Orders of the indexed columns, or of its terms, among the entries; empty if all are ASC.
    public KeyOrder[] orders() {
        return orders;
    }

    /// Types of an entry's sort key: the indexed columns, then those of the row key, unless they are indexed too.
    /// A bound may name them all and is then the place of one row. In a unique BTREE index, the entry of a row
    /// without NULL ends with the indexed columns, and a bound of these alone is its place. If NULLs are equal, so
    /// does the entry of each row.
    public Type[] entryTypes() {
        return entryTypes;
    }

    /// The tree of a BTREE index.
    public Tree tree() {
        Tree existing = tree;
        if (existing == null) {
            throw new IllegalStateException("an ARRAY index has no tree");
        }
        return existing;
    }

    /// The committed arrays of an ARRAY index.
    public Versions<SortedArray> versions() {
        return versions;
    }
}
