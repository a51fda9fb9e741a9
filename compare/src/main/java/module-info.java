/// Repeated, interleaved runs in fresh JVMs, and the statistics that judge them.
@org.jspecify.annotations.NullMarked
module dev.oriel.compare {
    requires static transitive org.jspecify;

    exports dev.oriel.compare;
}
