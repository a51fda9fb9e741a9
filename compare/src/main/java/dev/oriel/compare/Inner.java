package dev.oriel.compare;

import java.util.List;

/// The callee of a [Cause] that has most of its difference, by samples of processor time or by timing its calls alone.
///
/// @param name `owner.method`
/// @param costA its estimated time in nanoseconds per operation of A, with its callees; if it was timed, with that of
///     recording it
/// @param costB the same of B
/// @param path from the cause to it
/// @param timed whether its calls were timed; otherwise samples show it
public record Inner(String name, double costA, double costB, List<String> path, boolean timed) {
    /// Copies the list.
    public Inner {
        path = List.copyOf(path);
    }

    static Inner sampled(String name, double costA, double costB, List<String> path) {
        return new Inner(name, costA, costB, path, false);
    }

    static Inner timed(String name, double costA, double costB, List<String> path) {
        return new Inner(name, costA, costB, path, true);
    }

    /// `8.20 us -> 12.1 us`.
    String costs() {
        return Costs.text(costA, Measure.CPU) + " -> " + Costs.text(costB, Measure.CPU);
    }
}
