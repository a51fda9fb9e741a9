package dev.oriel.sql.engine;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.bind.SelectBinder;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.SqlText;
import dev.oriel.store.Transaction;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.List;

/// LOCK TABLE: locks of whole tables until the transaction ends.
final class TableLocks {
    private TableLocks() {}

    static void lock(Statement.LockTables lock, LocalSession session, SqlText source) {
        if (!session.inTransaction()) {
            throw source.error(
                    SqlException.Kind.NO_TRANSACTION,
                    lock.position(),
                    "A lock ends with its transaction, and none is open: BEGIN one");
        }
        Catalog catalog = session.catalog();
        List<Table> tables = new ArrayList<>();
        for (Identifier name : lock.tables()) {
            Table table = SelectBinder.storing(source, catalog, name);
            tables.add(
                    catalog.materialized(table.id()) == null
                            ? table
                            : SelectBinder.ordinary(source, catalog, name));
        }
        TableTransaction transaction = session.writing(false);
        Transaction.LockMode mode =
                lock.exclusive() ? Transaction.LockMode.EXCLUSIVE : Transaction.LockMode.SHARED;
        Transaction.Wait wait =
                lock.waits()
                        ? transaction.patience()
                        : new Transaction.Wait(Transaction.Wait.Kind.NOWAIT, 0);
        for (Table table : tables) {
            transaction.keep(table, mode, wait);
        }
    }
}
