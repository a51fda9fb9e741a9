package dev.oriel.profiler;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Samples of one kind as a tree from the outermost frame inwards. Frames are methods; the line of the innermost
/// one is a child of it. Confined to one thread.
final class SampleTree {
    private static final String NO_STACK = "(no stack)";

    final String name;
    private final Map<String, SampleTree> children = new HashMap<>();
    private long total;
    private long self;

    private SampleTree(String name) {
        this.name = name;
    }

    static SampleTree of(List<Sample> samples) {
        SampleTree root = new SampleTree("");
        for (Sample sample : samples) {
            root.add(sample);
        }
        return root;
    }

    /// The weight at this node and below it.
    long total() {
        return total;
    }

    /// The weight of the stacks that end here.
    long self() {
        return self;
    }

    /// The children, in falling order of total, then by name.
    List<SampleTree> children() {
        List<SampleTree> sorted = new ArrayList<>(children.values());
        sorted.sort(
                Comparator.comparingLong(SampleTree::total)
                        .reversed()
                        .thenComparing(node -> node.name));
        return sorted;
    }

    private void add(Sample sample) {
        SampleTree at = this;
        at.total += sample.weight();
        for (Sample.StackFrame frame : sample.stack().reversed()) {
            at = at.step(frame.name(), sample.weight());
        }
        if (sample.stack().isEmpty()) {
            at = at.step(NO_STACK, sample.weight());
        } else if (sample.stack().getFirst().line() > 0) {
            at = at.step(sample.stack().getFirst().toString(), sample.weight());
        }
        at.self += sample.weight();
    }

    private SampleTree step(String name, long weight) {
        SampleTree child = children.computeIfAbsent(name, SampleTree::new);
        child.total += weight;
        return child;
    }
}
