import org.jspecify.annotations.NullMarked;

/// Buckets: keys and values with flags, expiry and a number for each change, kept as tables.
@NullMarked
module dev.oriel.kv {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.store;
    requires transitive dev.oriel.table;
    requires dev.oriel.profiler;

    exports dev.oriel.kv;
}
