package dev.oriel.sql;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.table.Catalog;
import dev.oriel.table.Column;
import dev.oriel.table.Index;
import dev.oriel.table.Table;
import dev.oriel.table.TableTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Runs CREATE, DROP and TRUNCATE in a transaction. Index names are unique in the database, as DROP
/// INDEX names no table; a UNIQUE constraint is a unique index.
final class Definitions {
    private final SqlText source;
    private final TableTransaction transaction;
    private final Catalog catalog;

    private Definitions(SqlText source, TableTransaction transaction) {
        this.source = source;
        this.transaction = transaction;
        this.catalog = transaction.catalog();
    }

    /// Runs `statement`, which is a definition.
    static void run(SqlText source, Statement statement, TableTransaction transaction) {
        Definitions definitions = new Definitions(source, transaction);
        switch (statement) {
            case Statement.CreateTable create -> definitions.createTable(create);
            case Statement.DropTable drop -> definitions.dropTable(drop);
            case Statement.CreateIndex create -> definitions.createIndex(create);
            case Statement.DropIndex drop -> definitions.dropIndex(drop);
            case Statement.Truncate truncate -> definitions.truncate(truncate);
            case Statement.Query other -> throw noDefinition(other);
            case Statement.Insert other -> throw noDefinition(other);
            case Statement.Update other -> throw noDefinition(other);
            case Statement.Delete other -> throw noDefinition(other);
            case Statement.Begin other -> throw noDefinition(other);
            case Statement.Commit other -> throw noDefinition(other);
            case Statement.Rollback other -> throw noDefinition(other);
            case Statement.Savepoint other -> throw noDefinition(other);
            case Statement.RollbackTo other -> throw noDefinition(other);
            case Statement.Release other -> throw noDefinition(other);
            case Statement.Explain other -> throw noDefinition(other);
        }
    }

    private static IllegalStateException noDefinition(Statement statement) {
        return new IllegalStateException(statement + " is no definition");
    }

    private void createTable(Statement.CreateTable create) {
        Statement.Identifier name = create.table();
        if (catalog.table(name.name()) != null) {
            if (create.ifNotExists()) {
                return;
            }
            throw source.error(
                    Kind.DUPLICATE_NAME,
                    name.position(),
                    "There is a table \"" + name.name() + "\" already");
        }
        List<Integer> primaryKey = primaryKey(create);
        List<Column> columns = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (Statement.ColumnDefinition column : create.columns()) {
            if (!seen.add(folded(column.name().name()))) {
                throw source.error(
                        Kind.DUPLICATE_NAME,
                        column.name().position(),
                        "Column \"" + column.name().name() + "\" is declared twice");
            }
            boolean nullable = column.nullable() && !primaryKey.contains(columns.size());
            columns.add(new Column(column.name().name(), column.type(), nullable));
        }
        List<Index> indexes = new ArrayList<>();
        for (Statement.KeyDefinition key : create.keys()) {
            if (!key.primary()) {
                indexes.add(unique(create, key, indexes));
            }
        }
        transaction.create(new Table(0, name.name(), columns, primaryKey, indexes));
    }

    private List<Integer> primaryKey(Statement.CreateTable create) {
        Statement.@Nullable KeyDefinition found = null;
        for (Statement.KeyDefinition key : create.keys()) {
            if (key.primary() && found != null) {
                throw source.error(
                        Kind.DUPLICATE_NAME, key.position(), "A table has one PRIMARY KEY");
            }
            found = key.primary() ? key : found;
        }
        return found == null ? List.of() : positions(create, found.columns());
    }

    private List<Integer> positions(
            Statement.CreateTable create, List<Statement.Identifier> names) {
        List<Integer> positions = new ArrayList<>();
        List<String> columns =
                create.columns().stream().map(column -> column.name().name()).toList();
        List<String> folded = columns.stream().map(Definitions::folded).toList();
        for (Statement.Identifier name : names) {
            int position = folded.indexOf(folded(name.name()));
            if (position < 0) {
                throw source.error(
                        Kind.UNKNOWN_COLUMN,
                        name.position(),
                        "The table has no column \""
                                + name.name()
                                + "\""
                                + Nearest.hint(name.name(), columns));
            }
            addOnce(positions, position, name);
        }
        return positions;
    }

    private void addOnce(List<Integer> positions, int position, Statement.Identifier name) {
        if (positions.contains(position)) {
            throw source.error(
                    Kind.DUPLICATE_NAME,
                    name.position(),
                    "Column \"" + name.name() + "\" is in the key twice");
        }
        positions.add(position);
    }

    private Index unique(
            Statement.CreateTable create, Statement.KeyDefinition key, List<Index> others) {
        List<Integer> columns = positions(create, key.columns());
        if (key.name() != null) {
            checkFree(key.name(), others);
            return new Index(key.name().name(), Index.Kind.BTREE, true, columns);
        }
        StringBuilder stem = new StringBuilder(create.table().name());
        key.columns().forEach(column -> stem.append('_').append(column.name()));
        stem.append("_key");
        String name = stem.toString();
        for (int i = 1; isTaken(name, others); i++) {
            name = stem + Integer.toString(i);
        }
        return new Index(name, Index.Kind.BTREE, true, columns);
    }

    private boolean isTaken(String name, List<Index> others) {
        return owner(name) != null
                || others.stream().anyMatch(other -> other.name().equalsIgnoreCase(name));
    }

    private void checkFree(Statement.Identifier name, List<Index> others) {
        if (isTaken(name.name(), others)) {
            throw source.error(
                    Kind.DUPLICATE_NAME,
                    name.position(),
                    "There is an index \"" + name.name() + "\" already");
        }
    }

    /// The table that has an index `name`, or null.
    private @Nullable Table owner(String name) {
        for (Table table : catalog.tables()) {
            if (table.index(name) != null) {
                return table;
            }
        }
        return null;
    }

    private void dropTable(Statement.DropTable drop) {
        if (drop.ifExists() && catalog.table(drop.table().name()) == null) {
            return;
        }
        transaction.drop(SelectBinder.table(source, catalog, drop.table()));
    }

    private void createIndex(Statement.CreateIndex create) {
        if (create.ifNotExists() && owner(create.name().name()) != null) {
            return;
        }
        Table table = SelectBinder.table(source, catalog, create.table());
        checkFree(create.name(), List.of());
        List<Integer> columns = new ArrayList<>();
        for (Statement.Identifier name : create.columns()) {
            addOnce(columns, Compiler.column(source, table, name), name);
        }
        Index index = new Index(create.name().name(), create.kind(), create.unique(), columns);
        transaction.createIndex(table, index);
    }

    private void dropIndex(Statement.DropIndex drop) {
        Table table = owner(drop.name().name());
        Index index = table == null ? null : table.index(drop.name().name());
        if (table != null && index != null) {
            transaction.dropIndex(table, index);
            return;
        }
        if (!drop.ifExists()) {
            List<String> names = new ArrayList<>();
            catalog.tables().forEach(t -> t.indexes().forEach(i -> names.add(i.name())));
            throw source.error(
                    Kind.UNKNOWN_TABLE,
                    drop.name().position(),
                    "There is no index \""
                            + drop.name().name()
                            + "\""
                            + Nearest.hint(drop.name().name(), names));
        }
    }

    /// A new, empty table takes the place of the old one, which costs nothing per row.
    private void truncate(Statement.Truncate truncate) {
        Table table = SelectBinder.table(source, catalog, truncate.table());
        transaction.drop(table);
        transaction.create(
                new Table(0, table.name(), table.columns(), table.primaryKey(), table.indexes()));
    }

    private static String folded(String name) {
        return name.toUpperCase(Locale.ROOT);
    }
}
