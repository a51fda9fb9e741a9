package dev.oriel.profiler;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Everything a result holds, as JSON (RFC 8259). Times are nanoseconds. A sample refers to its stack by number,
/// and a stack is an array of frames `class.method:line`, innermost first. The methods are the nodes of the tree,
/// added up by name.
public record JsonReport() implements Report {
    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        JsonWriter json = new JsonWriter(out);
        json.open('{');
        json.name("startedAt").value(result.startedAt().toString());
        json.name("wallNanos").value(result.wallNanos());
        json.name("totalNanos").value(result.totalNanos());
        json.name("calls").value(result.calls());
        json.name("openCalls").value(result.openCalls());
        json.name("probePairNanos").value(result.probePairNanos());
        json.line().name("notes").open('[');
        for (String note : result.notes()) {
            json.value(note);
        }
        json.close(']');
        json.line().name("tree").open('[');
        tree(json, result, result.roots());
        json.close(']');
        json.line().name("methods").open('[');
        for (MethodCost method : result.methods()) {
            method(json, result, method);
        }
        json.close(']');
        samples(json, result.samples());
        json.close('}');
        out.append('\n');
    }

    private static void tree(JsonWriter json, ProfileResult result, List<CallNode> nodes)
            throws IOException {
        for (CallNode node : nodes) {
            json.line().open('{').name("name").value(node.name());
            json.name("calls").value(node.calls());
            json.name("totalNanos").value(node.totalNanos());
            json.name("selfNanos").value(node.selfNanos());
            json.name("minNanos").value(node.minNanos());
            json.name("maxNanos").value(node.maxNanos());
            json.name("tooShort").value(result.tooShort(node.calls(), node.meanNanos()));
            json.name("children").open('[');
            tree(json, result, node.children());
            json.close(']').close('}');
        }
    }

    private static void method(JsonWriter json, ProfileResult result, MethodCost method)
            throws IOException {
        json.line().open('{').name("name").value(method.name());
        json.name("calls").value(method.calls());
        json.name("selfNanos").value(method.selfNanos());
        json.name("totalNanos").value(method.totalNanos());
        json.name("minNanos").value(method.minNanos());
        json.name("maxNanos").value(method.maxNanos());
        json.name("tooShort").value(result.tooShort(method.calls(), method.meanNanos()));
        json.close('}');
    }

    private static void samples(JsonWriter json, List<Sample> samples) throws IOException {
        Map<List<Sample.StackFrame>, Integer> stacks = new HashMap<>();
        json.line().name("stacks").open('[');
        for (Sample sample : samples) {
            if (stacks.putIfAbsent(sample.stack(), stacks.size()) == null) {
                json.line().open('[');
                for (Sample.StackFrame frame : sample.stack()) {
                    json.value(frame.toString());
                }
                json.close(']');
            }
        }
        json.close(']').line().name("samples").open('[');
        for (Sample sample : samples) {
            json.line().open('{').name("kind").value(sample.kind().name());
            json.name("atNanos").value(sample.atNanos());
            json.name("thread").value(sample.thread());
            json.name("stack").value(stacks.getOrDefault(sample.stack(), 0));
            json.name("weight").value(sample.weight()).close('}');
        }
        json.close(']');
    }
}
