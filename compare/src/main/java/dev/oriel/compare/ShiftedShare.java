package dev.oriel.compare;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Finds the method whose share of the samples of processor time shifted, if the time of the process varies too much to
/// tell A and B apart. Other work on the machine slows all methods of a run alike, so shares vary less than times.
///
/// If one method costs more, the shares of all others fall in proportion. So a method is found under three conditions.
/// Its share shifted further than any does between halves of the runs of A. It shifted by three standard errors. Among
/// the rest no other method lost half of what it gained: else samples moved between the two, as by inlining, or the
/// other one changed. Confined to one thread.
final class ShiftedShare {
    /// Share of the method's shift by which another may shift the other way.
    private static final double OPPOSITE_MAX = 0.5;

    private final TreeComparison tree;
    private final int ofA;
    private final int end;

    private ShiftedShare(TreeComparison tree) {
        this.tree = tree;
        ofA = tree.pairs().a().size();
        end = ofA + tree.pairs().b().size();
    }

    /// Finds it.
    ///
    /// @param worse whether its share is to be greater in B
    /// @return null if no method stands out
    static @Nullable Cause find(Pairs pairs, boolean worse) {
        Pairs shares = pairs.shares();
        Family family = new Family();
        TreeComparison tree = new TreeComparison(Measure.CPU_SHARE, shares, new Family(), family);
        family.settle();
        SampleSplits splits = new SampleSplits(shares, tree.methods());
        ShiftedShare search = new ShiftedShare(tree);
        for (Cause cause : tree.causes(tree.changes())) {
            AlignedMethod method = tree.method(cause.name());
            if (method != null
                    && cause.worse() == worse
                    && splits.isBeyond(method)
                    && search.isAlone(method)) {
                return cause.unmoved();
            }
        }
        return null;
    }

    private boolean isAlone(AlignedMethod method) {
        double shift = shift(method.totalSamples, tree.root().totalSamples);
        if (shift == 0) {
            return false;
        }
        Map<String, double[]> others = new HashMap<>();
        double[] rest = new double[tree.root().totalSamples.length];
        addOthers(tree.root(), "", method.name, others, rest);
        for (double[] other : others.values()) {
            double opposite = shift(other, rest);
            if (opposite * shift < 0 && Math.abs(opposite) > OPPOSITE_MAX * Math.abs(shift)) {
                return false;
            }
        }
        return true;
    }

    /// Shift of a share from A to B; 0 if it may be chance.
    private double shift(double[] parts, double[] wholes) {
        Share a = Share.of(parts, wholes, 0, ofA);
        Share b = Share.of(parts, wholes, ofA, end);
        double shift = b.value() - a.value();
        return Math.abs(shift) > Share.SIGMAS * Math.hypot(a.error(), b.error()) ? shift : 0;
    }

    /// Adds the samples outside of a method. A method of the JDK is part of its caller.
    private void addOthers(
            AlignedNode node,
            String owner,
            String method,
            Map<String, double[]> others,
            double[] rest) {
        AlignedNode.addTo(
                others.computeIfAbsent(owner, key -> new double[rest.length]), node.samples);
        AlignedNode.addTo(rest, node.samples);
        for (AlignedNode child : node.children.values()) {
            if (!child.name.equals(method)) {
                String of = TreeComparison.isOfItsCaller(child.name) ? owner : child.name;
                addOthers(child, of, method, others, rest);
            }
        }
    }
}
