import org.jspecify.annotations.NullMarked;

/// Exact call trees, samples and their reports. Knows no database type.
///
/// The modules of the JDK are optional: without `jdk.jfr` there are no samples, without `java.management` their
/// stacks are shorter. `java.instrument` is there when the agent is.
@NullMarked
module dev.oriel.profiler {
    requires static transitive org.jspecify;
    requires static jdk.jfr;
    requires static transitive java.instrument;
    requires static java.management;
    requires static jdk.management;

    exports dev.oriel.profiler;
}
