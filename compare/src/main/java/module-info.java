/// Repeated, interleaved runs in fresh JVMs, the statistics that judge them, and the causes of differences:
/// programs are compared method by method.
@org.jspecify.annotations.NullMarked
module dev.oriel.compare {
    requires static transitive org.jspecify;
    requires transitive dev.oriel.profiler;
    requires com.fasterxml.jackson.databind;

    exports dev.oriel.compare;
}
