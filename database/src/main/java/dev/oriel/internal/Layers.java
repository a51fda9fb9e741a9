package dev.oriel.internal;

import dev.oriel.Database;
import dev.oriel.table.engine.Tables;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The layers below a [Database], for Oriel's own modules: the graph, the server, the studio. No part of the API.
public final class Layers {
    private static volatile @Nullable Function<Database, Tables> tables;

    private Layers() {}

    /// The tables under all languages. They are usable as long as the handle is open.
    ///
    /// @throws dev.oriel.store.ClosedException if it is closed
    public static Tables tables(Database database) {
        Function<Database, Tables> known = tables;
        if (known == null) {
            throw new IllegalStateException("Database has not named its layers");
        }
        return known.apply(database);
    }

    /// Called once, by [Database].
    public static void named(Function<Database, Tables> known) {
        tables = known;
    }
}
