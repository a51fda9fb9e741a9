import org.jspecify.annotations.NullMarked;

/// Equipment for tests: a disk that fails on purpose, seeded generators, golden scripts, a checker of transaction
/// isolation.
@NullMarked
module dev.oriel.testkit {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.io;
    requires transitive org.junit.jupiter.api;

    exports dev.oriel.testkit;
    exports dev.oriel.testkit.history;
}
