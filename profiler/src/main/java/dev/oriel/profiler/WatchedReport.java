package dev.oriel.profiler;

import java.io.IOException;
import java.util.List;

/// The exact tree in the JSON that HugeGraph's `@Watched` profiler writes (`PerfUtil.toJson`): one flat object,
/// whose names are paths `a/b/c`. Times are nanoseconds. `total_self_wasted` is the cost of recording the node's
/// own calls. `total_children_wasted` and `total_children_times` are the cost and the number of all calls below
/// it. Names of nodes are `class.method`, in which a slash becomes a dot.
public record WatchedReport() implements Report {
    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        JsonWriter json = new JsonWriter(out).open('{');
        nodes(json, result.roots(), "", result.cost());
        json.close('}');
        out.append('\n');
    }

    private static void nodes(JsonWriter json, List<CallNode> nodes, String parent, ProbeCost cost)
            throws IOException {
        for (CallNode node : nodes) {
            String name = node.name().replace('/', '.');
            String path = parent.isEmpty() ? name : parent + "/" + name;
            long below = callsBelow(node);
            json.line().name(path).open('{').name("parent").value(parent);
            json.name("name").value(name).name("times").value(node.calls());
            json.name("total_cost").value(node.totalNanos());
            json.name("min_cost").value(node.minNanos()).name("max_cost").value(node.maxNanos());
            json.name("total_self_wasted").value(node.timedCalls() * cost.pairNanos());
            json.name("total_children_wasted").value(timedBelow(node) * cost.pairNanos());
            json.name("total_children_times").value(below).close('}');
            nodes(json, node.children(), path, cost);
        }
    }

    private static long timedBelow(CallNode node) {
        long calls = 0;
        for (CallNode child : node.children()) {
            calls += child.timedCalls() + timedBelow(child);
        }
        return calls;
    }

    private static long callsBelow(CallNode node) {
        long calls = 0;
        for (CallNode child : node.children()) {
            calls += child.calls() + callsBelow(child);
        }
        return calls;
    }
}
