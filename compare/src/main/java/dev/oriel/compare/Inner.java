package dev.oriel.compare;

import java.util.List;

/// The callee of a [Cause] in which samples of processor time show its difference.
///
/// @param name `owner.method`
/// @param costA its estimated processor time in nanoseconds per operation of A, with its callees
/// @param costB the same of B
/// @param path from the cause to it
public record Inner(String name, double costA, double costB, List<String> path) {
    /// Copies the list.
    public Inner {
        path = List.copyOf(path);
    }

    /// `8.20 us -> 12.1 us`.
    String costs() {
        return Costs.text(costA, Measure.CPU) + " -> " + Costs.text(costB, Measure.CPU);
    }
}
