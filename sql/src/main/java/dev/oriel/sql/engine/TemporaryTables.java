package dev.oriel.sql.engine;

import dev.oriel.sql.bind.Views;
import dev.oriel.sql.define.Definitions;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.OnCommit;
import dev.oriel.sql.text.SqlText;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Temporary tables of one session: ordinary tables in a schema of its own, which no other session sees. The
/// session gets it with its first temporary table. They are dropped as the session ends. If another transaction
/// writes then, the next session with temporary tables drops them. After a crash they are dropped as the database
/// is opened.
final class TemporaryTables {
    private final Sql sql;
    private final Tables tables;

    /// Schema of the session; empty until there is a temporary table.
    private String schema = "";

    private SearchPath path = SearchPath.DEFAULT;

    /// Tables that a commit empties or drops, by their numbers.
    private final Map<Long, OnCommit> onCommit = new HashMap<>(0);

    TemporaryTables(Sql sql, Tables tables) {
        this.sql = sql;
        this.tables = tables;
    }

    /// Schema of the session; empty while it has none.
    String schema() {
        return schema;
    }

    /// Sets the search path of `transaction` to the session's; returns the transaction.
    TableTransaction shown(TableTransaction transaction) {
        transaction.path(path);
        return transaction;
    }

    /// `catalog` with the session's search path.
    Catalog seen(Catalog catalog) {
        return catalog.seenBy(path);
    }

    /// Search path of the session.
    SearchPath path() {
        return path;
    }

    /// Follows a change of the setting search_path to `schemas`.
    void searched(List<String> schemas) {
        SearchPath changed = new SearchPath(schema, schemas);
        path = changed.equals(SearchPath.DEFAULT) ? SearchPath.DEFAULT : changed;
    }

    /// To be called before `definition` is run in `transaction`.
    void before(Statement.Definition definition, TableTransaction transaction) {
        if (Definitions.isTemporary(definition)) {
            if (schema.isEmpty()) {
                schema = sql.temporarySchema();
                searched(path.schemas());
            }
            for (String left = sql.leftSchema(); left != null; left = sql.leftSchema()) {
                Tables.dropTemporary(transaction, left);
            }
            shown(transaction);
        }
    }

    /// To be called after `written` was run in `transaction`.
    void after(Statement.Definition written, TableTransaction transaction) {
        Statement.Definition definition =
                written instanceof Statement.ReplaceTable both ? both.create() : written;
        @Nullable OnCommit action =
                switch (definition) {
                    case Statement.CreateTable create -> create.temporary();
                    case Statement.CreateTableAs create -> create.temporary();
                    default -> null;
                };
        if (action == null || action == OnCommit.PRESERVE) {
            return;
        }
        String name =
                definition instanceof Statement.CreateTable create
                        ? create.table().name()
                        : ((Statement.CreateTableAs) definition).table().name();
        Table table = transaction.catalog().table(SearchPath.named(schema, name));
        if (table != null) {
            onCommit.putIfAbsent(table.id(), action);
        }
    }

    /// Empties and drops the tables whose ON COMMIT says so, before `transaction` is committed.
    void beforeCommit(TableTransaction transaction) {
        if (onCommit.isEmpty()) {
            return;
        }
        List<Table> emptied = new ArrayList<>();
        List<Table> dropped = new ArrayList<>();
        for (Map.Entry<Long, OnCommit> each : onCommit.entrySet()) {
            Table table = transaction.catalog().table(each.getKey());
            if (table != null && each.getValue() == OnCommit.DROP) {
                dropped.add(table);
            } else if (table != null && transaction.count(table, null, new KeyRange(0)) > 0) {
                emptied.add(table);
            }
        }
        if (!emptied.isEmpty()) {
            transaction.truncate(emptied);
        }
        Catalog before = transaction.catalog();
        dropped.forEach(table -> Tables.dropTemporary(transaction, table));
        if (!dropped.isEmpty()) { // views that read them go too
            Views.check(new SqlText(""), 0, transaction, before, true);
        }
        dropped.forEach(table -> onCommit.remove(table.id()));
    }

    /// Drops them all. The session must not be in a transaction.
    void drop() {
        onCommit.clear();
        if (schema.isEmpty()) {
            return;
        }
        String dropped = schema;
        schema = "";
        searched(path.schemas());
        TableTransaction transaction = tables.tryBeginWrite(Isolation.SNAPSHOT, Durability.ASYNC);
        if (transaction == null) {
            sql.leaveSchema(dropped);
            return;
        }
        try (transaction) {
            transaction.exclusive();
            Tables.dropTemporary(transaction, dropped);
            transaction.commit();
        } catch (ConflictException _) { // another transaction writes
            sql.leaveSchema(dropped);
        }
    }
}
