package dev.oriel.compare;

import java.util.List;

/// A method along one path, in A and in B: a node of a differential flame graph. Children come in
/// falling order of the greater of their two costs.
///
/// @param name `owner.method`; of the root, empty
/// @param total its cost, callees included
/// @param children the methods it calls
public record CallDifference(String name, Difference total, List<CallDifference> children) {
    /// Copies the list.
    public CallDifference {
        children = List.copyOf(children);
    }
}
