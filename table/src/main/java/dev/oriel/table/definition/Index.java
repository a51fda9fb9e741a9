package dev.oriel.table.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An index of a table, as defined.
///
/// @param columns positions of its columns in the table, leading one first; empty if it has terms, so that code
///     without
///     knowledge of terms ignores the index
/// @param constraint whether it belongs to a UNIQUE constraint of its name
/// @param terms its expressions and condition; null if it has the columns of all rows
/// @param nulls which NULLs a unique index treats as equal to each other, so that two rows cannot both have
///     them
/// @param orders of its columns or expressions; empty if all are ASC
public record Index(
        String name,
        Kind kind,
        boolean unique,
        List<Integer> columns,
        boolean constraint,
        @Nullable Terms terms,
        Nulls nulls,
        List<KeyOrder> orders) {
    public Index {
        columns = List.copyOf(columns);
        orders = KeyOrder.isUsual(orders) ? List.of() : List.copyOf(orders);
    }

    /// An index with all of its columns or expressions ascending.
    public Index(
            String name,
            Kind kind,
            boolean unique,
            List<Integer> columns,
            boolean constraint,
            @Nullable Terms terms,
            Nulls nulls) {
        this(name, kind, unique, columns, constraint, terms, nulls, List.of());
    }

    public Index(
            String name, Kind kind, boolean unique, List<Integer> columns, boolean constraint) {
        this(name, kind, unique, columns, constraint, null, Nulls.DISTINCT);
    }

    /// An index that is no constraint.
    public Index(String name, Kind kind, boolean unique, List<Integer> columns) {
        this(name, kind, unique, columns, false);
    }

    /// An index with expressions, or of some rows only: a BTREE one.
    public Index(String name, boolean unique, Terms terms) {
        this(name, Kind.BTREE, unique, List.of(), false, terms, Nulls.DISTINCT);
    }

    /// Rows with NULLs that a unique index treats as different from all others: with any NULL, none, or with nothing
    /// but NULLs.
    public enum Nulls {
        DISTINCT,
        NOT_DISTINCT,
        ALL_DISTINCT
    }

    /// BTREE is a tree of the store. ARRAY is a sorted array in memory, built from the table when the database is
    /// opened: for data that is mostly read. SEARCH is a tree of the words of one column of text (`SearchTerms`).
    /// In the bounds of a cursor over it, a word takes the place of the column's value.
    public enum Kind {
        BTREE,
        ARRAY,
        SEARCH
    }

    /// Expressions and a condition, as text of the language that `Expressions` understands.
    ///
    /// @param expressions the indexed expressions, leading one first; a plain column is one too
    /// @param types of their values
    /// @param condition true for the rows that it has; null for all
    public record Terms(List<String> expressions, List<Type> types, @Nullable String condition) {
        public Terms {
            expressions = List.copyOf(expressions);
            types = List.copyOf(types);
        }
    }

    /// Whether it belongs to a UNIQUE constraint that is tested at the commit. Rows may share a key until then, so it is
    /// not `unique`.
    public boolean deferred() {
        return constraint && !unique;
    }

    /// The declared order of column or expression `i`.
    public KeyOrder order(int i) {
        return i < orders.size() ? orders.get(i) : KeyOrder.ASC;
    }

    /// The texts `keys` of its columns or expressions, each with its order, as CREATE INDEX takes them.
    public String ordered(List<String> keys) {
        StringBuilder ordered = new StringBuilder();
        for (int i = 0; i < keys.size(); i++) {
            ordered.append(i == 0 ? "" : ", ").append(keys.get(i)).append(order(i).suffix());
        }
        return ordered.toString();
    }

    /// The order of column or expression `i` among the entries, which is the declared order or its reverse. The
    /// first one is never descending: the reverse of an index that begins with DESC is kept and read backwards.
    public KeyOrder entryOrder(int i) {
        return order(0).descending() ? order(i).reversed() : order(i);
    }

    /// Orders of the entries; empty if all are ASC.
    public List<KeyOrder> entryOrders() {
        List<KeyOrder> entries = orders;
        if (order(0).descending()) {
            entries = orders.stream().map(KeyOrder::reversed).toList();
        }
        return KeyOrder.isUsual(entries) ? List.of() : entries;
    }

    public Index withColumns(List<Integer> other) {
        return new Index(name, kind, unique, other, constraint, terms, nulls, orders);
    }

    public Index withName(String other) {
        return new Index(other, kind, unique, columns, constraint, terms, nulls, orders);
    }

    public Index withTerms(@Nullable Terms other) {
        return new Index(name, kind, unique, columns, constraint, other, nulls, orders);
    }

    public Index withNulls(Nulls other) {
        return new Index(name, kind, unique, columns, constraint, terms, other, orders);
    }

    /// This index in other orders.
    ///
    /// @param other one for each column or expression; empty if all are ASC
    public Index withOrders(List<KeyOrder> other) {
        return new Index(name, kind, unique, columns, constraint, terms, nulls, other);
    }
}
