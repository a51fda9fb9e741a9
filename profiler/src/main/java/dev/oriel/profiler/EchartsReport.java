package dev.oriel.profiler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The exact tree as an option of ECharts, in valid JSON: nothing in it is a function, and it works
/// with ECharts 5 and 6. Values are milliseconds.
///
/// Rings are nested pies, one series for each level of the tree, as HugeGraph's profiler draws them. A slice `~`
/// is the self time of the call inside it, which keeps the rings aligned. The sunburst is a single series of type
/// `sunburst`.
///
/// @param style rings or sunburst
/// @param levelsMax rings that are drawn at most
public record EchartsReport(Style style, int levelsMax) implements Report {
    private static final String SELF = "~";
    private static final double LABEL_PERCENT_MIN = 3;

    /// Shape of the chart.
    public enum Style {
        /// A pie for each level.
        RINGS,
        /// A series of the type `sunburst`.
        SUNBURST
    }

    /// Up to eight rings.
    public EchartsReport(Style style) {
        this(style, 8);
    }

    /// A slice of a ring: a call, or null for self time and its continuation outwards.
    private record Slice(
            String name, String id, long nanos, List<CallNode> children, @Nullable CallNode node) {}

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        JsonWriter json = new JsonWriter(out).open('{');
        json.name("title").open('{').name("text").value("Exact call tree");
        json.name("subtext")
                .value(
                        "total "
                                + Figures.time(result.totalNanos())
                                + ", calls "
                                + Figures.count(result.calls()));
        json.close('}').name("tooltip").open('{').name("trigger").value("item");
        json.name("formatter").value("{b}: {c} ms").close('}');
        json.line().name("series").open('[');
        if (style == Style.SUNBURST) {
            sunburst(json, result);
        } else {
            rings(json, result);
        }
        json.close(']').close('}');
        out.append('\n');
    }

    private void sunburst(JsonWriter json, ProfileResult result) throws IOException {
        json.line().open('{').name("type").value("sunburst");
        json.name("radius").open('[').value("0%").value("95%").close(']');
        json.name("sort").value("desc").name("nodeClick").value("rootToNode");
        json.name("label").open('{').name("minAngle").value(8).close('}');
        json.name("emphasis").open('{').name("focus").value("ancestor").close('}');
        json.name("data").open('[');
        burst(json, result.roots(), 1);
        json.close(']').close('}');
    }

    private void burst(JsonWriter json, List<CallNode> nodes, int level) throws IOException {
        for (CallNode node : nodes) {
            json.line().open('{').name("name").value(node.name());
            json.name("value").value(millis(node.totalNanos()));
            json.name("calls").value(node.calls()).name("selfNanos").value(node.selfNanos());
            if (level < levelsMax && !node.children().isEmpty()) {
                json.name("children").open('[');
                burst(json, node.children(), level + 1);
                json.close(']');
            }
            json.close('}');
        }
    }

    private void rings(JsonWriter json, ProfileResult result) throws IOException {
        List<Slice> ring = new ArrayList<>();
        for (CallNode root : result.roots()) {
            ring.add(slice(root, ""));
        }
        int levels = Math.min(levelsMax, Math.max(1, depth(result.roots())));
        long whole = result.totalNanos();
        for (int level = 0; level < levels && !ring.isEmpty(); level++) {
            json.line().open('{').name("type").value("pie").name("name").value("level " + level);
            json.name("radius").open('[').value(percent(level, levels));
            json.value(percent(level + 0.95, levels)).close(']');
            json.name("sort").value("none");
            json.name("label").open('{').name("position").value("inside").close('}');
            json.name("labelLine").open('{').name("show").value(false).close('}');
            json.name("data").open('[');
            List<Slice> next = new ArrayList<>();
            for (Slice slice : ring) {
                slice(json, slice, whole);
                long rest = slice.nanos;
                for (CallNode child : slice.children) {
                    next.add(slice(child, slice.id + "/"));
                    rest -= child.totalNanos();
                }
                if (rest > 0) {
                    next.add(new Slice(SELF, slice.id + "/" + SELF, rest, List.of(), null));
                }
            }
            json.close(']').close('}');
            ring = next;
        }
    }

    private static Slice slice(CallNode node, String parent) {
        String id = parent + node.name();
        return new Slice(node.name(), id, node.totalNanos(), node.children(), node);
    }

    private static void slice(JsonWriter json, Slice slice, long whole) throws IOException {
        CallNode node = slice.node;
        json.line().open('{').name("id").value(slice.id).name("name").value(slice.name);
        json.name("value")
                .value(millis(slice.nanos))
                .name("times")
                .value(node == null ? 0 : node.calls());
        json.name("minCost").value(node == null ? 0 : node.minNanos());
        json.name("maxCost").value(node == null ? 0 : node.maxNanos());
        boolean shown =
                !slice.name.equals(SELF) && 100.0 * slice.nanos >= LABEL_PERCENT_MIN * whole;
        json.name("label").open('{').name("show").value(shown).close('}');
        if (slice.name.equals(SELF)) {
            json.name("itemStyle").open('{').name("opacity").value(0.12).close('}');
        }
        json.close('}');
    }

    private static int depth(List<CallNode> nodes) {
        int depth = 0;
        for (CallNode node : nodes) {
            depth = Math.max(depth, 1 + depth(node.children()));
        }
        return depth;
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    private static String percent(double level, int levels) {
        return Math.round(92 * level / levels) + "%";
    }
}
