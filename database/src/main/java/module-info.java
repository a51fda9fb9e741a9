import org.jspecify.annotations.NullMarked;

/// Oriel: an embedded database for the JVM with a window into its own work. The package `internal` is for Oriel's own
/// modules, which are compiled after this one.
@NullMarked
@SuppressWarnings("module")
module dev.oriel {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires transitive dev.oriel.profiler;
    requires transitive dev.oriel.store;
    requires transitive dev.oriel.kv;
    requires dev.oriel.table;
    requires dev.oriel.sql;

    exports dev.oriel;
    exports dev.oriel.internal to
            dev.oriel.cli,
            dev.oriel.graph,
            dev.oriel.server,
            dev.oriel.studio;

    provides java.sql.Driver with
            dev.oriel.OrielDriver;
}
