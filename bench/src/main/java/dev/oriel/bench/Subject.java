package dev.oriel.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An engine under one set of settings: what is measured. A workload talks to it through the
/// narrower interface of its kind.
public interface Subject {
    /// Unique in its workload; ours begin with `oriel`, such as `oriel-memory`, `h2-disk`.
    String name();

    /// By what `--peers` names it, such as `h2`; `oriel` for ours.
    String product();

    /// The product's version, its settings and why they are what its own documents advise, in a
    /// sentence or two for the report.
    String settings();

    /// Options its JVM needs, such as `--add-opens`.
    default List<String> jvmArgs() {
        return List.of();
    }

    /// How its JVM is started; null where it is as the parent's, with the same class path.
    default @Nullable Launch launch() {
        return null;
    }
}
