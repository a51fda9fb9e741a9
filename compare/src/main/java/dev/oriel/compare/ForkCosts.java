package dev.oriel.compare;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The costs of one run in a process of its own.
///
/// @param operations number of operations that the costs are for, above 0
/// @param wholes the cost of the process, by measure
/// @param trees the costs by method: below a root that stands for the process
/// @param check the results that the program reported, if any
public record ForkCosts(
        double operations,
        Map<Measure, Double> wholes,
        Map<Measure, CostNode> trees,
        @Nullable String check) {
    /// Copies the maps.
    public ForkCosts {
        if (!(operations > 0)) {
            throw new IllegalArgumentException(
                    "The number of operations must be above 0, not " + operations);
        }
        wholes = Map.copyOf(wholes);
        trees = Map.copyOf(trees);
    }
}
