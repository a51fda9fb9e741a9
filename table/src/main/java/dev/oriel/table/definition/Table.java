package dev.oriel.table.definition;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A table, as defined: immutable, and valid as long as its catalog version is.
///
/// Rows are clustered by the primary key if there is one, else by a hidden ascending row number.
///
/// @param id stable number of the table, which its trees are named after
/// @param primaryKey positions of the key's columns, leading one first; empty if there is none
/// @param schema the schema of its name: empty for PUBLIC, else a user-defined one, or that of a session's
///     temporary
///     tables
public record Table(
        long id,
        String name,
        List<Column> columns,
        List<Integer> primaryKey,
        List<Index> indexes,
        Constraints constraints,
        String schema) {
    public Table {
        columns = List.copyOf(columns);
        primaryKey = List.copyOf(primaryKey);
        indexes = List.copyOf(indexes);
    }

    /// A table of the schema PUBLIC.
    public Table(
            long id,
            String name,
            List<Column> columns,
            List<Integer> primaryKey,
            List<Index> indexes,
            Constraints constraints) {
        this(id, name, columns, primaryKey, indexes, constraints, "");
    }

    /// A table without further constraints.
    public Table(
            long id,
            String name,
            List<Column> columns,
            List<Integer> primaryKey,
            List<Index> indexes) {
        this(id, name, columns, primaryKey, indexes, Constraints.NONE);
    }

    public Table withName(String other) {
        return new Table(id, other, columns, primaryKey, indexes, constraints, schema);
    }

    public Table withColumns(List<Column> other) {
        return new Table(id, name, other, primaryKey, indexes, constraints, schema);
    }

    public Table withPrimaryKey(List<Integer> other) {
        return new Table(id, name, columns, other, indexes, constraints, schema);
    }

    public Table withIndexes(List<Index> other) {
        return new Table(id, name, columns, primaryKey, other, constraints, schema);
    }

    public Table withConstraints(Constraints other) {
        return new Table(id, name, columns, primaryKey, indexes, other, schema);
    }

    public Table withSchema(String other) {
        return new Table(id, name, columns, primaryKey, indexes, constraints, other);
    }

    /// Whether it belongs to a session, and ends with it.
    public boolean temporary() {
        return Catalog.isTemporary(schema);
    }

    /// Name with the schema, by which [Catalog] finds it whatever the search path.
    public String path() {
        return SearchPath.named(schema, name);
    }

    /// This table with one more column, unnamed and last: the key of the row as bytes, which a cursor over the
    /// table knows too (`RowCursor.rowKey`). Plans of changes pass it on to the change of the row. Returns this
    /// table if it has that column already.
    public Table keyed() {
        if (!columns.isEmpty() && columns.getLast().name().isEmpty()) {
            return this;
        }
        List<Column> more = new ArrayList<>(columns);
        more.add(new Column("", Type.of(Type.Name.VARBINARY), false));
        return withColumns(more);
    }

    /// Position of the column `name` without regard to case, or -1.
    public int column(String name) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    /// Position of the column that has `role`, or -1. Not for [Column.Role#PLAIN].
    public int column(Column.Role role) {
        for (int i = 0; i < columns.size(); i++) {
            if (columns.get(i).role() == role) {
                return i;
            }
        }
        return -1;
    }

    /// The index `name` without regard to case, or null.
    public @Nullable Index index(String name) {
        for (Index index : indexes) {
            if (index.name().equalsIgnoreCase(name)) {
                return index;
            }
        }
        return null;
    }

    /// Whether the primary key begins with `columns`, in any order.
    public boolean keyBeginsWith(List<Integer> columns) {
        return begins(primaryKey, columns);
    }

    /// An index of values that begins with `columns`, in any order, or null.
    public @Nullable Index indexOn(List<Integer> columns) {
        for (Index index : indexes) {
            if (index.kind() != Index.Kind.SEARCH && begins(index.columns(), columns)) {
                return index;
            }
        }
        return null;
    }

    private static boolean begins(List<Integer> key, List<Integer> columns) {
        return key.size() >= columns.size() && key.subList(0, columns.size()).containsAll(columns);
    }
}
