package dev.oriel;

import dev.oriel.store.engine.Store;
import dev.oriel.table.engine.Tables;
import java.util.function.LongSupplier;

/// Hands out [Database#over] to tests of other packages.
public final class OpenedDatabase {
    private OpenedDatabase() {}

    /// The database in `store`, whose rows expire by `clock`.
    public static Database over(Store store, DatabaseOptions options, LongSupplier clock) {
        boolean opened = false;
        try {
            Database database = Database.over(store, Tables.open(store, clock), options);
            opened = true;
            return database;
        } finally {
            if (!opened) {
                store.close();
            }
        }
    }
}
