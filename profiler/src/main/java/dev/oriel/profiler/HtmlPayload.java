package dev.oriel.profiler;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The data that the script of an [HtmlReport] draws, as compact JSON:
///
/// ```
/// names    [text]
/// tree     [[name, calls, total, self, min, max, children, more]]   name: index of names
/// methods  [[name, calls, total, self, min, max, more]]
/// more     [net, p99, errors, allocated, untimed]
/// samples  [{title, unit, note, objects,
///            columnNanos, cells,                                    the scale of time; 0 if there is none
///            threads: [text], details: [text], holders: [text],
///            places: [above, name, ...],                            above: index of a place, or -1
///            events: [place, cell, thread, detail, holder, weight, ...]}]
/// ```
/// Confined to one thread.
final class HtmlPayload {
    private final ProfileResult result;
    private final Map<String, Integer> names = new LinkedHashMap<>();

    HtmlPayload(ProfileResult result) {
        this.result = result;
    }

    void write(Appendable out) throws IOException {
        JsonWriter json = new JsonWriter(out);
        json.open('{').name("pairNanos").value(result.probePairNanos());
        json.line().name("tree");
        tree(json, result.roots());
        json.line().name("methods").open('[');
        for (MethodCost method : result.methods()) {
            json.open('[').value(index(method.name())).value(method.calls());
            json.value(method.totalNanos()).value(method.selfNanos());
            json.value(method.minNanos()).value(method.maxNanos());
            more(json, method.netNanos(), method.maxNanos(), method.detail());
            json.close(']');
        }
        json.close(']').line().name("samples").open('[');
        HeatScale scale = HeatScale.of(result.samples());
        for (SampleKind kind : SampleKind.values()) {
            List<Sample> samples = result.samples(kind);
            if (!samples.isEmpty()) {
                json.line().open('{').name("title").value(kind.title());
                json.name("unit").value(kind.unit());
                json.name("note").value(kind.note()).name("objects").value(kind.objects());
                new SampleEvents(samples, scale, this::index).write(json);
                json.close('}');
            }
        }
        json.close(']').line().name("names").open('[');
        for (String name : names.keySet()) {
            json.value(name);
        }
        json.close(']').close('}');
    }

    private void tree(JsonWriter json, List<CallNode> nodes) throws IOException {
        json.open('[');
        for (CallNode node : nodes) {
            json.open('[').value(index(node.name())).value(node.calls());
            json.value(node.totalNanos()).value(node.selfNanos());
            json.value(node.minNanos()).value(node.maxNanos());
            tree(json, node.children());
            more(json, node.netNanos(result.cost()), node.maxNanos(), node.detail());
            json.close(']');
        }
        json.close(']');
    }

    private static void more(JsonWriter json, long net, long max, CallDetail detail)
            throws IOException {
        json.open('[').value(net).value(Math.min(max, detail.latencies().percentile(0.99)));
        json.value(detail.errors()).value(detail.allocatedBytes());
        json.value(detail.untimedCalls()).close(']');
    }

    private int index(String name) {
        return names.computeIfAbsent(name, key -> names.size());
    }
}
