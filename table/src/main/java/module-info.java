import org.jspecify.annotations.NullMarked;

/// Catalog, types, row codec and indexes: rows of typed columns over the store's trees of bytes.
@NullMarked
module dev.oriel.table {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.store;
    requires dev.oriel.profiler;

    exports dev.oriel.table;
    exports dev.oriel.table.definition;
    exports dev.oriel.table.engine;
    exports dev.oriel.table.expiry;
    exports dev.oriel.table.key;
    exports dev.oriel.table.row;
    exports dev.oriel.table.statistics;
    exports dev.oriel.table.value;
}
