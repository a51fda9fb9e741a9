package dev.oriel.profiler;

import java.io.IOException;
import java.util.List;

/// The exact call tree as indented text, one line a node, or the tree upside down. There a line gives the self
/// time of the method at the top that was reached through the line's method.
///
/// @param inverted whether callees stand above their callers
/// @param leastPercent nodes with a smaller share of the whole are left out, with their subtrees
public record TreeReport(boolean inverted, double leastPercent) implements Report {
    /// The tree from callers to callees, all of it.
    public TreeReport() {
        this(false, 0);
    }

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        TextHeading.write(
                inverted
                        ? "Exact call tree, from methods to their callers"
                        : "Exact call tree (wall-clock time, summed over threads)",
                result,
                out);
        boolean anyTooShort = false;
        TextTable table;
        if (inverted) {
            table = new TextTable("self", "%", "calls", "method and its callers");
            addInverted(result.inverted(), 0, result.totalNanos(), table);
        } else {
            table =
                    new TextTable(
                            "total", "%", "self", "%", "net", "calls", "mean", "min", "max",
                            "method");
            anyTooShort = add(result.roots(), 0, result, table);
        }
        table.write(out);
        TextHeading.legend(anyTooShort, result, out);
    }

    private boolean add(List<CallNode> nodes, int depth, ProfileResult result, TextTable table) {
        boolean anyTooShort = false;
        long whole = result.totalNanos();
        for (CallNode node : nodes) {
            if (left(node, whole)) {
                continue;
            }
            boolean tooShort = result.tooShort(node.calls(), node.meanNanos());
            table.add(
                    Figures.time(node.totalNanos()),
                    Figures.percent(node.totalNanos(), whole),
                    Figures.time(node.selfNanos()),
                    Figures.percent(node.selfNanos(), whole),
                    Figures.time(node.netNanos(result.cost())),
                    Figures.count(node.calls()),
                    MethodReport.mean(tooShort, node.calls(), node.detail(), node.meanNanos()),
                    Figures.time(node.minNanos()),
                    Figures.time(node.maxNanos()),
                    "  ".repeat(depth) + node.name() + remarks(node));
            anyTooShort |= tooShort;
            anyTooShort |= add(node.children(), depth + 1, result, table);
        }
        return anyTooShort;
    }

    private static String remarks(CallNode node) {
        CallDetail detail = node.detail();
        return (detail.errors() > 0 ? "  [errors " + Figures.count(detail.errors()) + "]" : "")
                + (detail.recursiveCalls() > 0
                        ? "  [recursive " + Figures.count(detail.recursiveCalls()) + "]"
                        : "")
                + (detail.allocatedBytes() > 0
                        ? "  [allocated " + Figures.bytes(detail.allocatedBytes()) + "]"
                        : "");
    }

    private void addInverted(List<CallNode> nodes, int depth, long whole, TextTable table) {
        for (CallNode node : nodes) {
            if (!left(node, whole)) {
                table.add(
                        Figures.time(node.totalNanos()),
                        Figures.percent(node.totalNanos(), whole),
                        Figures.count(node.calls()),
                        "  ".repeat(depth) + node.name());
                addInverted(node.children(), depth + 1, whole, table);
            }
        }
    }

    private boolean left(CallNode node, long whole) {
        return 100.0 * node.totalNanos() < leastPercent * whole;
    }
}
