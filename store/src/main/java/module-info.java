import org.jspecify.annotations.NullMarked;

/// Transactions over B+trees of bytes: page versions, log, checkpoint, recovery.
@NullMarked
module dev.oriel.store {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.io;
    requires dev.oriel.profiler;
    requires static java.management; // the size of memory

    exports dev.oriel.store;
    exports dev.oriel.store.engine;
    exports dev.oriel.store.records;
}
