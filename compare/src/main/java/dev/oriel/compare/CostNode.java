package dev.oriel.compare;

import java.util.List;

/// What a method costs along one path of one run.
///
/// @param name `owner.method`
/// @param calls entries; 0 where they are not counted, as in samples
/// @param self cost without that of the children
/// @param samples how many observations stand behind the cost; 0 where it is exact
/// @param tooShort whether the calls are so short that recording them drowns their cost
/// @param children in no promised order; two of the same name count as one
public record CostNode(
        String name,
        long calls,
        double self,
        long samples,
        boolean tooShort,
        List<CostNode> children) {
    /// Copies the list.
    public CostNode {
        children = List.copyOf(children);
    }

    /// The cost with that of everything below.
    public double total() {
        double sum = self;
        for (CostNode child : children) {
            sum += child.total();
        }
        return sum;
    }
}
