import org.jspecify.annotations.NullMarked;

/// The file port: the only way from the engine to the disk.
@NullMarked
module dev.oriel.io {
    requires jdk.unsupported; // ExtendedOpenOption, nothing else
    requires static transitive org.jspecify;

    exports dev.oriel.io;
}
