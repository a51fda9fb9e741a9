package dev.oriel.profiler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The exact call tree as a table, a row for each node after its caller's: part of a [RunFile]. Totals are not
/// written: they are sums. Confined to one thread.
final class RunTree {
    private static final List<String> COLUMNS =
            List.of(
                    "node",
                    "parent",
                    "name",
                    "calls",
                    "self_ns",
                    "min_ns",
                    "max_ns",
                    "untimed",
                    "recursive",
                    "errors",
                    "allocated_bytes",
                    "growth",
                    "latencies",
                    "cpu_ns",
                    "cpu_calls");
    private static final String NO_PARENT = "";

    /// Column of the processor time; rows of older releases end before it.
    private static final int CPU_AT = 13;

    private final Appendable out;
    private long next;

    private RunTree(Appendable out) {
        this.out = out;
    }

    static void write(List<CallNode> roots, Appendable out) throws IOException {
        CsvText.row(out, COLUMNS);
        new RunTree(out).write(roots, NO_PARENT);
    }

    private void write(List<CallNode> nodes, String parent) throws IOException {
        for (CallNode node : nodes) {
            String id = String.valueOf(next++);
            CallDetail detail = node.detail();
            CsvText.row(
                    out,
                    List.of(
                            id,
                            parent,
                            node.name(),
                            String.valueOf(node.calls()),
                            String.valueOf(node.selfNanos()),
                            String.valueOf(node.minNanos()),
                            String.valueOf(node.maxNanos()),
                            String.valueOf(detail.untimedCalls()),
                            String.valueOf(detail.recursiveCalls()),
                            String.valueOf(detail.errors()),
                            String.valueOf(detail.allocatedBytes()),
                            String.valueOf(detail.growth()),
                            buckets(detail.latencies()),
                            String.valueOf(detail.cpuNanos()),
                            String.valueOf(detail.cpuCalls())));
            write(node.children(), id);
        }
    }

    /// The trees of the given rows.
    static List<CallNode> read(List<List<String>> rows) throws ProfileFormatException {
        TreeMerge root = new TreeMerge();
        Map<String, TreeMerge> known = new HashMap<>();
        known.put(NO_PARENT, root);
        for (List<String> row : rows) {
            TreeMerge parent = known.get(row.get(1));
            if (parent == null) {
                throw new ProfileFormatException(
                        "Node " + row.get(0) + " stands before its parent " + row.get(1));
            }
            TreeMerge node = parent.child(row.get(2));
            long calls = Long.parseLong(row.get(3));
            node.add(
                    calls,
                    Long.parseLong(row.get(4)),
                    Long.parseLong(row.get(5)),
                    Long.parseLong(row.get(6)));
            node.add(
                    new CallDetail(
                            Long.parseLong(row.get(7)),
                            Long.parseLong(row.get(8)),
                            Long.parseLong(row.get(9)),
                            Long.parseLong(row.get(10)),
                            row.size() > CPU_AT ? Long.parseLong(row.get(CPU_AT)) : 0,
                            row.size() > CPU_AT ? Long.parseLong(row.get(CPU_AT + 1)) : 0,
                            Double.parseDouble(row.get(11)),
                            latencies(row.get(12))),
                    calls);
            known.put(row.get(0), node);
        }
        return root.nodes();
    }

    /// `floor:count` for each bucket with a count, separated by blanks.
    private static String buckets(Histogram latencies) {
        long[] counts = latencies.counts();
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                text.append(text.isEmpty() ? "" : " ");
                text.append(Histogram.floor(i)).append(':').append(counts[i]);
            }
        }
        return text.toString();
    }

    private static Histogram latencies(String text) {
        long[] counts = new long[Histogram.BUCKETS];
        for (String pair :
                text.isEmpty() ? new ArrayList<String>() : Arrays.asList(text.split(" "))) {
            int colon = pair.indexOf(':');
            int bucket = Histogram.bucket(Long.parseLong(pair.substring(0, colon)));
            counts[bucket] += Long.parseLong(pair.substring(colon + 1));
        }
        return Histogram.of(counts);
    }
}
