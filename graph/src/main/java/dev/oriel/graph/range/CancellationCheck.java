package dev.oriel.graph.range;

/// Is asked again and again by work that may take long.
@FunctionalInterface
public interface CancellationCheck {
    /// Whether to go on: it throws where not.
    void check();
}
