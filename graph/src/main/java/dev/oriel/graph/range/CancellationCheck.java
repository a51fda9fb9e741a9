package dev.oriel.graph.range;

/// A check that long-running work calls repeatedly.
@FunctionalInterface
public interface CancellationCheck {
    /// Returns if the work may continue; throws if it must end.
    void check();
}
