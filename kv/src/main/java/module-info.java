import org.jspecify.annotations.NullMarked;

/// Buckets: keys and values with flags, expiry and a CAS number, stored as tables.
@NullMarked
module dev.oriel.kv {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.store;
    requires transitive dev.oriel.table;
    requires dev.oriel.profiler;

    exports dev.oriel.kv;
}
