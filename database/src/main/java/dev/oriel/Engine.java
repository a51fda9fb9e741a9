package dev.oriel;

import dev.oriel.io.DiskDirectory;
import dev.oriel.io.FileMode;
import dev.oriel.kv.BucketOptions;
import dev.oriel.kv.Buckets;
import dev.oriel.sql.engine.Sql;
import dev.oriel.store.Durability;
import dev.oriel.store.StorageException;
import dev.oriel.store.UsageException;
import dev.oriel.store.engine.Store;
import dev.oriel.table.engine.Tables;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// An open database: folder, store, tables, SQL and buckets put together. Closed once, by the release of its last
/// lease (see [Engines]).
///
/// @param url the JDBC URL that finds it
/// @param folder null for a database in memory
record Engine(
        String url,
        DatabaseOptions options,
        @Nullable Path folder,
        Store store,
        Tables tables,
        Sql sql,
        Buckets buckets,
        OpenTransactions transactions)
        implements AutoCloseable {
    /// Opens the database in `folder`, which is created unless it is read only.
    static Engine open(Path folder, DatabaseOptions options) {
        Store store = Store.open(directory(folder, options), options.toStoreOptions());
        return over(store, ConnectionUrl.PREFIX + folder, options, folder);
    }

    /// Opens an empty database without files.
    static Engine inMemory(String name, DatabaseOptions options) {
        DatabaseOptions memory = options.withDurability(Durability.ASYNC);
        Store store = Store.inMemory(memory.toStoreOptions());
        return over(store, ConnectionUrl.PREFIX + ConnectionUrl.MEMORY + name, memory, null);
    }

    private static Engine over(
            Store store, String url, DatabaseOptions options, @Nullable Path folder) {
        boolean opened = false;
        try {
            Engine engine = over(store, Tables.open(store), url, options, folder);
            opened = true;
            return engine;
        } finally {
            if (!opened) {
                store.close();
            }
        }
    }

    /// Builds the layers on `tables`, which closes `store`.
    static Engine over(
            Store store,
            Tables tables,
            String url,
            DatabaseOptions options,
            @Nullable Path folder) {
        Buckets buckets = new Buckets(tables, BucketOptions.defaults());
        Sql sql = new Sql(tables, SqlStates::of);
        sql.queryBytesMax(options.queryBytesMax());
        OpenTransactions transactions = new OpenTransactions();
        sql.transactions(transactions::all);
        return new Engine(url, options, folder, store, tables, sql, buckets, transactions);
    }

    /// The folder, which is created unless it is read only.
    static DiskDirectory directory(Path folder, DatabaseOptions options) {
        String context = "path=" + folder;
        if (Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new UsageException(
                    "This is a file; a database is a folder, so name another place", context);
        }
        if (options.readOnly() && !Files.exists(folder)) {
            throw new UsageException("There is no Oriel database to read here", context);
        }
        try {
            return options.readOnly()
                    ? DiskDirectory.open(folder)
                    : DiskDirectory.create(folder, options.fileMode());
        } catch (AccessDeniedException e) {
            throw new StorageException(
                    "The folder cannot be created here; access denied", context, e);
        } catch (IOException e) {
            throw new StorageException("The folder cannot be created or opened", context, e);
        }
    }

    /// The mode of the database's files; if it is in memory, of its copies' files.
    FileMode fileMode() {
        return folder == null ? options.fileMode() : directory(folder, options).mode();
    }

    @Override
    public void close() {
        try {
            sql.close();
        } finally {
            buckets.close();
            tables.close();
        }
    }
}
