package dev.oriel.table;

import dev.oriel.table.ConstraintException.Kind;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A [Catalog] with what is needed to reach the rows. Immutable; a change of a definition makes a
/// new one, which its commit publishes.
///
/// @param nextId the next table or index gets this number; none is ever given twice
record Schema(Catalog catalog, long nextId, Map<Long, TableEntry> entries) {
    Schema {
        entries = Map.copyOf(entries);
    }

    static Schema of(long version, long nextId, Map<Long, TableEntry> entries) {
        Map<String, Table> byName = new HashMap<>();
        for (TableEntry entry : entries.values()) {
            byName.put(Names.folded(entry.table().name()), entry.table());
        }
        return new Schema(new Catalog(version, byName), nextId, entries);
    }

    /// Number of the catalog version, given once.
    long version() {
        return catalog.version();
    }

    /// All tables in the order of their numbers.
    Collection<TableEntry> tables() {
        return new TreeMap<>(entries).values();
    }

    /// The table that `table` is, or was before its definition changed.
    ///
    /// @throws ConstraintException if there is none
    TableEntry entry(Table table) {
        TableEntry entry = entries.get(table.id());
        if (entry == null) {
            throw new ConstraintException(
                    Kind.UNKNOWN_NAME,
                    "There is no such table",
                    "table=" + table.name() + Names.nearest(table.name(), tableNames()));
        }
        return entry;
    }

    /// The index `index` of `entry`.
    ///
    /// @throws ConstraintException if there is none
    static IndexEntry index(TableEntry entry, Index index) {
        IndexEntry found = entry.index(index.name());
        if (found == null) {
            List<String> names = entry.table().indexes().stream().map(Index::name).toList();
            throw new ConstraintException(
                    Kind.UNKNOWN_NAME,
                    "The table has no such index",
                    "table="
                            + entry.table().name()
                            + " index="
                            + index.name()
                            + Names.nearest(index.name(), names));
        }
        return found;
    }

    List<String> tableNames() {
        return entries.values().stream().map(entry -> entry.table().name()).toList();
    }

    boolean hasIndexNamed(String name) {
        for (TableEntry entry : entries.values()) {
            if (entry.index(name) != null) {
                return true;
            }
        }
        return false;
    }

    /// This schema with `entry` added, or in place of the one with its number.
    Schema with(long version, TableEntry entry, long newNextId) {
        Map<Long, TableEntry> changed = new HashMap<>(entries);
        changed.put(entry.table().id(), entry);
        return of(version, newNextId, changed);
    }

    Schema without(long version, TableEntry entry) {
        Map<Long, TableEntry> changed = new HashMap<>(entries);
        changed.remove(entry.table().id());
        return of(version, nextId, changed);
    }

    /// Checks that `table` can be created.
    void accept(Table table) {
        if (catalog.table(table.name()) != null) {
            throw new ConstraintException(
                    Kind.DUPLICATE_NAME,
                    "A table of this name exists; names are compared without regard to case",
                    "table=" + table.name());
        }
        acceptColumns(table);
    }

    /// Checks that the columns of `table` have different names.
    static void acceptColumns(Table table) {
        List<String> seen = new ArrayList<>();
        for (Column column : table.columns()) {
            String folded = Names.folded(column.name());
            if (seen.contains(folded)) {
                throw new ConstraintException(
                        Kind.DUPLICATE_NAME,
                        "Two columns have the same name; names are compared without regard to case",
                        "table=" + table.name() + " column=" + column.name());
            }
            seen.add(folded);
        }
    }

    /// Checks that no table has an index of the name of `index`.
    void accept(Table table, Index index) {
        if (hasIndexNamed(index.name())) {
            throw new ConstraintException(
                    Kind.DUPLICATE_NAME,
                    "An index of this name exists, on this table or another",
                    "table=" + table.name() + " index=" + index.name());
        }
    }
}
