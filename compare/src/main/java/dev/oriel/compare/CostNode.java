package dev.oriel.compare;

import java.util.List;

/// The cost of a method along one path of one run.
///
/// @param name `owner.method`
/// @param calls entries, no whole number in a mean; 0 if they are not counted, as in samples
/// @param self cost without the children's
/// @param samples number of observations of the cost; 0 if it is exact
/// @param tooShort whether the calls are so short that recording them drowns their cost
/// @param untimed whether calls were counted without a time, which then counts for the caller
/// @param recursive direct calls of the method by itself, which are among its calls
/// @param children in no promised order; two of the same name count as one
public record CostNode(
        String name,
        double calls,
        double self,
        long samples,
        boolean tooShort,
        boolean untimed,
        double recursive,
        List<CostNode> children) {
    /// Copies the list.
    public CostNode {
        children = List.copyOf(children);
    }

    /// A node without recursive calls.
    public CostNode(
            String name,
            double calls,
            double self,
            long samples,
            boolean tooShort,
            boolean untimed,
            List<CostNode> children) {
        this(name, calls, self, samples, tooShort, untimed, 0, children);
    }

    /// A node whose calls are all timed, or not at all.
    public CostNode(
            String name,
            double calls,
            double self,
            long samples,
            boolean tooShort,
            List<CostNode> children) {
        this(name, calls, self, samples, tooShort, false, children);
    }

    /// Whether there are calls below it, as in trees of calls and not of samples.
    boolean isCounted() {
        return calls > 0 || children.stream().anyMatch(CostNode::isCounted);
    }

    /// This with all costs times `factor`.
    CostNode scaled(double factor) {
        return new CostNode(
                name,
                calls,
                self * factor,
                samples,
                tooShort,
                untimed,
                recursive,
                children.stream().map(child -> child.scaled(factor)).toList());
    }

    /// The cost of the whole subtree.
    public double total() {
        double sum = self;
        for (CostNode child : children) {
            sum += child.total();
        }
        return sum;
    }
}
