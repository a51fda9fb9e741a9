import org.jspecify.annotations.NullMarked;

/// Oriel: an embedded database for the JVM with a window into its own work.
@NullMarked
module dev.oriel {
    requires static transitive org.jspecify;
    requires transitive java.sql;
    requires transitive dev.oriel.profiler;
    requires transitive dev.oriel.store;
    requires transitive dev.oriel.kv;
    requires transitive dev.oriel.table;
    requires dev.oriel.sql;

    exports dev.oriel;

    provides java.sql.Driver with
            dev.oriel.OrielDriver;
}
