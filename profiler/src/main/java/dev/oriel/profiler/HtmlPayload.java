package dev.oriel.profiler;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// What the script of an [HtmlReport] draws, as compact JSON:
///
/// ```
/// names    [text]
/// tree     [[name, calls, total, self, min, max, children]]   name: index of names
/// methods  [[name, calls, total, self, min, max]]
/// samples  [{title, unit, note, tree: [[name, total, self, children]]}]
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
            json.value(method.minNanos()).value(method.maxNanos()).close(']');
        }
        json.close(']').line().name("samples").open('[');
        for (SampleKind kind : SampleKind.values()) {
            List<Sample> samples = result.samples(kind);
            if (!samples.isEmpty()) {
                json.line().open('{').name("title").value(kind.title());
                json.name("unit").value(kind.unit());
                json.name("note").value(note(kind)).name("tree");
                samples(json, SampleTree.of(samples).children());
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
            json.close(']');
        }
        json.close(']');
    }

    private void samples(JsonWriter json, List<SampleTree> nodes) throws IOException {
        json.open('[');
        for (SampleTree node : nodes) {
            json.open('[').value(index(node.name)).value(node.total()).value(node.self());
            samples(json, node.children());
            json.close(']');
        }
        json.close(']');
    }

    private int index(String name) {
        return names.computeIfAbsent(name, key -> names.size());
    }

    private static String note(SampleKind kind) {
        return switch (kind) {
            case CPU -> "Threads seen running Java code: shares, not seconds.";
            case NATIVE -> "Threads in native code, running or waiting.";
            case ALLOCATION -> "Bytes allocated, estimated from samples.";
            case FILE_FORCE -> "Time of every force of a file to the disk.";
            case FILE_WRITE -> "Time of file writes of a millisecond or more.";
            case FILE_READ -> "Time of file reads of a millisecond or more.";
            case MONITOR -> "Time of waits for a monitor of a millisecond or more.";
        };
    }
}
