import org.jspecify.annotations.NullMarked;

/// Transactions over B+trees of bytes: page versions, log, checkpoint, recovery. The contract is for users. The
/// packages `engine` and `records` are for Oriel's own modules, which are compiled after this one.
@NullMarked
@SuppressWarnings("module")
module dev.oriel.store {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.io;
    requires dev.oriel.profiler;
    requires static java.management; // the size of memory

    exports dev.oriel.store;
    exports dev.oriel.store.engine to
            dev.oriel,
            dev.oriel.graph,
            dev.oriel.kv,
            dev.oriel.sql,
            dev.oriel.table;
    exports dev.oriel.store.records to
            dev.oriel;
}
