package dev.oriel.profiler;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Collapsed stacks, the format that flame graph tools read: a line is a path from the root,
/// separated by semicolons, a space and a weight. Lines are sorted.
///
/// @param kind the samples to write, weighed in their unit; null writes the exact tree, weighed in
///     nanoseconds of self time
public record CollapsedReport(@Nullable SampleKind kind) implements Report {
    /// The exact tree.
    public static CollapsedReport exact() {
        return new CollapsedReport(null);
    }

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        for (Map.Entry<String, Long> line : lines(result).entrySet()) {
            out.append(line.getKey()).append(' ').append(line.getValue().toString()).append('\n');
        }
    }

    /// Stacks and their weights.
    Map<String, Long> lines(ProfileResult result) {
        Map<String, Long> lines = new TreeMap<>();
        if (kind == null) {
            addTree(result.roots(), new ArrayDeque<>(), lines);
        } else {
            for (Sample sample : result.samples(kind)) {
                lines.merge(path(sample), sample.weight(), Math::addExact);
            }
        }
        return lines;
    }

    private static void addTree(List<CallNode> nodes, Deque<String> path, Map<String, Long> lines) {
        for (CallNode node : nodes) {
            path.addLast(plain(node.name()));
            if (node.selfNanos() > 0) {
                lines.merge(String.join(";", path), node.selfNanos(), Math::addExact);
            }
            addTree(node.children(), path, lines);
            path.removeLast();
        }
    }

    private static String path(Sample sample) {
        StringBuilder path = new StringBuilder();
        Iterator<Sample.StackFrame> outermostFirst = sample.stack().reversed().iterator();
        while (outermostFirst.hasNext()) {
            path.append(plain(outermostFirst.next().name()));
            if (outermostFirst.hasNext()) {
                path.append(';');
            }
        }
        return path.isEmpty() ? "(no stack)" : path.toString();
    }

    /// The name without characters that have a meaning in the format.
    private static String plain(String name) {
        return name.replace(';', ':').replace(' ', '_').replace('\n', '_').replace('\r', '_');
    }
}
