package dev.oriel.compare;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/// The trees of many runs laid over each other: the cost of a method along one path in each run, per operation.
/// Confined to one thread; recursion is bounded by the depth of the trees.
final class AlignedNode {
    /// The number of a lambda in the source: one more lambda renames all after it.
    private static final Pattern LAMBDA = Pattern.compile("(lambda\\$\\w+)\\$\\d+$");

    final String name;
    final double[] calls;

    /// Direct calls by itself, which are among its calls.
    final double[] recursive;

    final double[] self;
    final double[] samples;
    final double[] total;
    final double[] totalSamples;
    final Map<String, AlignedNode> children = new LinkedHashMap<>();

    /// Timing of its calls in each run.
    final Timing[] timings;

    /// Index of its series in the family; -1 if it is not tested.
    int judged = -1;

    AlignedNode(String name, int runs) {
        this.name = name;
        calls = new double[runs];
        recursive = new double[runs];
        self = new double[runs];
        samples = new double[runs];
        total = new double[runs];
        totalSamples = new double[runs];
        timings = new Timing[runs];
        Arrays.fill(timings, Timing.ABSENT);
    }

    /// Lays one more run's tree over this.
    void add(CostNode node, int run, double operations) {
        calls[run] += node.calls() / operations;
        recursive[run] += node.recursive() / operations;
        self[run] += node.self() / operations;
        samples[run] += node.samples();
        timings[run] = timings[run].and(Timing.of(node));
        for (CostNode child : node.children()) {
            children.computeIfAbsent(plain(child.name()), key -> new AlignedNode(key, calls.length))
                    .add(child, run, operations);
        }
    }

    /// Computes totals over subtrees, after all runs were added.
    void addUp() {
        System.arraycopy(self, 0, total, 0, self.length);
        System.arraycopy(samples, 0, totalSamples, 0, samples.length);
        for (AlignedNode child : children.values()) {
            child.addUp();
            addTo(total, child.total);
            addTo(totalSamples, child.totalSamples);
        }
    }

    /// Adds the totals of another node, and the worse of the two timings.
    void addTotals(AlignedNode other) {
        addTo(total, other.total);
        Arrays.setAll(timings, run -> timings[run].and(other.timings[run]));
    }

    static void addTo(double[] sums, double[] more) {
        for (int i = 0; i < sums.length; i++) {
            sums[i] += more[i];
        }
    }

    /// The name without the number of a lambda.
    static String plain(String name) {
        return LAMBDA.matcher(name).replaceFirst("$1");
    }
}
