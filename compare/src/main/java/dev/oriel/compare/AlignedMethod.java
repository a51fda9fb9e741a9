package dev.oriel.compare;

import java.util.Arrays;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/// The cost of a method over all paths in each run, per operation. Confined to one thread.
final class AlignedMethod {
    final String name;
    final double[] calls;
    final double[] self;
    final double[] selfSamples;
    final double[] total;
    final double[] totalSamples;
    final Timing[] timings;

    /// Indexes of its series in the family; -1 if it is not tested.
    int judgedTotal = -1;

    int judgedSelf = -1;
    private int open;

    private AlignedMethod(String name, int runs) {
        this.name = name;
        calls = new double[runs];
        self = new double[runs];
        selfSamples = new double[runs];
        total = new double[runs];
        totalSamples = new double[runs];
        timings = new Timing[runs];
        Arrays.fill(timings, Timing.ABSENT);
    }

    /// The methods below `root`.
    static Collection<AlignedMethod> of(AlignedNode root) {
        Map<String, AlignedMethod> methods = new LinkedHashMap<>();
        root.children.values().forEach(node -> add(node, methods));
        return methods.values();
    }

    private static void add(AlignedNode node, Map<String, AlignedMethod> methods) {
        AlignedMethod method =
                methods.computeIfAbsent(
                        node.name, key -> new AlignedMethod(key, node.calls.length));
        AlignedNode.addTo(method.calls, node.calls);
        AlignedNode.addTo(method.self, node.self);
        AlignedNode.addTo(method.selfSamples, node.samples);
        if (method.open == 0) {
            AlignedNode.addTo(method.total, node.total);
            AlignedNode.addTo(method.totalSamples, node.totalSamples);
        }
        for (int run = 0; run < node.timings.length; run++) {
            method.timings[run] = method.timings[run].and(node.timings[run]);
        }
        method.open++;
        node.children.values().forEach(child -> add(child, methods));
        method.open--;
    }
}
