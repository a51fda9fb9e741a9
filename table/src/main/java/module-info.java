import org.jspecify.annotations.NullMarked;

/// Catalog, types, row codec and indexes: rows of typed columns over the store's trees of bytes. For Oriel's own
/// modules, which are compiled after this one.
@NullMarked
@SuppressWarnings("module")
module dev.oriel.table {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.store;
    requires dev.oriel.profiler;

    exports dev.oriel.table to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.graph,
            dev.oriel.kv,
            dev.oriel.server,
            dev.oriel.sql,
            dev.oriel.studio;
    exports dev.oriel.table.definition to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.graph,
            dev.oriel.kv,
            dev.oriel.server,
            dev.oriel.sql,
            dev.oriel.studio;
    exports dev.oriel.table.engine to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.graph,
            dev.oriel.kv,
            dev.oriel.server,
            dev.oriel.sql,
            dev.oriel.studio;
    exports dev.oriel.table.expiry to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.graph,
            dev.oriel.kv,
            dev.oriel.server,
            dev.oriel.sql,
            dev.oriel.studio;
    exports dev.oriel.table.key to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.graph,
            dev.oriel.kv,
            dev.oriel.server,
            dev.oriel.sql,
            dev.oriel.studio;
    exports dev.oriel.table.row to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.graph,
            dev.oriel.kv,
            dev.oriel.server,
            dev.oriel.sql,
            dev.oriel.studio;
    exports dev.oriel.table.statistics to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.graph,
            dev.oriel.kv,
            dev.oriel.server,
            dev.oriel.sql,
            dev.oriel.studio;
    exports dev.oriel.table.value to
            dev.oriel,
            dev.oriel.cli,
            dev.oriel.graph,
            dev.oriel.kv,
            dev.oriel.server,
            dev.oriel.sql,
            dev.oriel.studio;
}
