package dev.oriel.bench;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// An engine under one set of settings: the subject of a measurement. A workload talks to it through the narrower
/// interface of its kind.
public interface Subject {
    /// Unique in its workload; ours begin with `oriel`, such as `oriel-memory`, `h2-disk`.
    String name();

    /// Name for `--peers`, such as `h2`; `oriel` for ours.
    String product();

    /// The product's version, its settings and the advice of its own documents behind them, in a sentence or two
    /// for the report.
    String settings();

    /// Options its JVM needs, such as `--add-opens`.
    default List<String> jvmArgs() {
        return List.of();
    }

    /// How its JVM is started; null for the same JVM and class path as the parent's.
    default @Nullable Launch launch() {
        return null;
    }
}
