package dev.oriel.table;

import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Creates and drops tables and indexes inside a transaction. A definition that is refused, or an
/// index that cannot be built, changes nothing.
final class Definitions {
    private final StoredTransaction transaction;
    private final Transaction store;

    Definitions(StoredTransaction transaction) {
        this.transaction = transaction;
        this.store = transaction.store();
    }

    Table create(Table wanted) {
        checkForm(wanted);
        return atomically(() -> {
            Schema before = transaction.schema();
            before.accept(wanted);
            long id = before.nextId();
            Table table =
                    new Table(
                            id,
                            wanted.name(),
                            withRequiredKey(wanted),
                            wanted.primaryKey(),
                            List.of());
            Tree tree = store.createTree(TableEntry.treeName(id));
            change(before, new TableEntry(table, tree, List.of()), id + 1);
            for (Index index : wanted.indexes()) {
                add(table, index);
            }
            return transaction.entry(table).table();
        });
    }

    /// A primary key's columns are NOT NULL, said or not.
    private static List<Column> withRequiredKey(Table table) {
        List<Column> columns = new ArrayList<>(table.columns());
        for (int i : table.primaryKey()) {
            columns.set(i, new Column(columns.get(i).name(), columns.get(i).type(), false));
        }
        return columns;
    }

    void drop(Table table) {
        atomically(() -> {
            TableEntry entry = transaction.entry(table);
            store.dropTree(entry.tree());
            for (IndexEntry index : entry.indexes()) {
                if (!index.isArray()) {
                    store.dropTree(index.tree());
                }
            }
            store.delete(catalogTree(), CatalogCodec.key(entry.table().id()));
            transaction.define(
                    transaction.schema().without(transaction.tables().nextVersion(), entry));
            return table;
        });
    }

    Table addColumn(Table table, Column column) {
        return atomically(() -> {
            Schema before = transaction.schema();
            TableEntry entry = transaction.entry(table);
            List<Column> columns = new ArrayList<>(entry.table().columns());
            columns.add(column);
            Table wanted = entry.table().withColumns(columns);
            checkForm(wanted);
            if (!column.nullable()) {
                throw new UsageException(
                        "A column that is added to a table must accept NULL, which its rows have there",
                        "table=" + table.name() + " column=" + column.name());
            }
            Schema.acceptColumns(wanted);
            TableEntry changed = entry.withTable(wanted);
            change(before, changed, before.nextId());
            return changed.table();
        });
    }

    Table createIndex(Table table, Index index) {
        return atomically(() -> add(table, index).table());
    }

    private TableEntry add(Table table, Index index) {
        Schema before = transaction.schema();
        TableEntry entry = transaction.entry(table);
        checkForm(entry.table(), index);
        before.accept(entry.table(), index);
        if (index.unique() && entry.expires()) {
            transaction.removeExpired(entry, Long.MAX_VALUE, null); // they stand in nobody's way
        }
        long id = before.nextId();
        @Nullable Tree tree =
                switch (index.kind()) {
                    case BTREE -> store.createTree(IndexEntry.treeName(id));
                    case ARRAY -> null;
                };
        IndexEntry added = new IndexEntry(id, index, entry.table(), tree);
        IndexBuild build = new IndexBuild(store, entry, added);
        if (added.isArray()) {
            transaction.arrayWrites(added, ArrayWrites.created(build.array()));
        } else {
            build.fillTree();
        }
        TableEntry changed = entry.with(added);
        change(before, changed, id + 1);
        return changed;
    }

    Table dropIndex(Table table, Index index) {
        return atomically(() -> {
            Schema before = transaction.schema();
            TableEntry entry = transaction.entry(table);
            IndexEntry dropped = Schema.index(entry, index);
            if (!dropped.isArray()) {
                store.dropTree(dropped.tree());
            }
            TableEntry changed = entry.without(dropped);
            change(before, changed, before.nextId());
            return changed.table();
        });
    }

    private void change(Schema before, TableEntry changed, long nextId) {
        Tree catalog = catalogTree();
        store.put(catalog, CatalogCodec.key(changed.table().id()), CatalogCodec.encode(changed));
        if (nextId != before.nextId()) {
            store.put(
                    catalog,
                    CatalogCodec.key(CatalogCodec.HEADER_KEY),
                    CatalogCodec.header(nextId));
        }
        transaction.define(before.with(transaction.tables().nextVersion(), changed, nextId));
    }

    private Tree catalogTree() {
        Tree tree = store.tree(CatalogCodec.TREE);
        if (tree == null) {
            throw new IllegalStateException("the catalog is created when the store is opened");
        }
        return tree;
    }

    private Table atomically(Supplier<Table> work) {
        if (!store.writable()) {
            throw new UsageException(
                    "A read-only transaction cannot change definitions; begin a writing one", "");
        }
        Transaction.Savepoint savepoint = transaction.savepoint();
        boolean done = false;
        try {
            Table table = work.get();
            done = true;
            return table;
        } finally {
            if (!done) {
                transaction.rollbackTo(savepoint);
            }
            transaction.release(savepoint);
        }
    }

    private static void checkForm(Table table) {
        CatalogCodec.checkName(table.name());
        int columns = table.columns().size();
        if (columns == 0 || columns > RowLayout.COLUMNS_MAX) {
            throw new UsageException(
                    "A table has 1 to " + RowLayout.COLUMNS_MAX + " columns",
                    "table=" + table.name() + " columns=" + columns);
        }
        for (Column column : table.columns()) {
            CatalogCodec.checkName(column.name());
            Type type = column.type();
            boolean decimal = type.name() == Type.Name.DECIMAL;
            if (type.length() < 0
                    || (decimal && (type.scale() < 0 || type.scale() > type.length()))) {
                throw new UsageException(
                        "A type's length must not be negative, nor its scale greater than it",
                        "table="
                                + table.name()
                                + " column="
                                + column.name()
                                + " type="
                                + type
                                + " scale="
                                + type.scale());
            }
        }
        checkColumns(table, "the primary key", table.primaryKey());
        checkRoles(table);
    }

    private static void checkRoles(Table table) {
        int expiries = 0;
        int versions = 0;
        for (Column column : table.columns()) {
            boolean fits =
                    switch (column.role()) {
                        case PLAIN -> true;
                        case EXPIRY ->
                                ++expiries == 1 && column.type().name() == Type.Name.TIMESTAMP_TZ;
                        case VERSION -> ++versions == 1 && column.type().name() == Type.Name.BIGINT;
                    };
            if (!fits || (column.role() != Column.Role.PLAIN && isInKey(table, column))) {
                throw new UsageException(
                        "A table has at most one column for expiry (TIMESTAMP WITH TIME ZONE) and one"
                                + " for versions (BIGINT), outside of its primary key",
                        "table=" + table.name() + " column=" + column.name());
            }
        }
    }

    private static boolean isInKey(Table table, Column column) {
        return table.primaryKey().contains(table.columns().indexOf(column));
    }

    private static void checkForm(Table table, Index index) {
        CatalogCodec.checkName(index.name());
        if (index.columns().isEmpty()) {
            throw new UsageException(
                    "An index has at least one column",
                    "table=" + table.name() + " index=" + index.name());
        }
        checkColumns(table, index.name(), index.columns());
    }

    private static void checkColumns(Table table, String of, List<Integer> columns) {
        for (int column : columns) {
            if (column < 0 || column >= table.columns().size()) {
                throw new UsageException(
                        "A key names a column that the table does not have",
                        "table=" + table.name() + " key=" + of + " column number=" + column);
            }
        }
        if (new HashSet<>(columns).size() < columns.size()) {
            throw new UsageException(
                    "A key names a column twice", "table=" + table.name() + " key=" + of);
        }
    }
}
