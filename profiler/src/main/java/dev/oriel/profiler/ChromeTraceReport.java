package dev.oriel.profiler;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The trace event format that Chrome and Perfetto show on a time line, a row for each thread. It holds every
/// sample with its time, and the duration of waits. The exact tree has no times of single calls. It is drawn in a
/// process of its own, with all calls of a node as one, side by side in the order of their totals.
public record ChromeTraceReport() implements Report {
    private static final int SAMPLES = 1;
    private static final int TREE = 2;

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        JsonWriter json = new JsonWriter(out).open('{');
        json.name("displayTimeUnit").value("ns").name("traceEvents").open('[');
        process(json, SAMPLES, "Samples");
        Map<String, Integer> threads = new HashMap<>();
        for (Sample sample : result.samples()) {
            Integer thread = threads.get(sample.thread());
            if (thread == null) {
                thread = threads.size() + 1;
                threads.put(sample.thread(), thread);
                json.line().open('{').name("ph").value("M").name("name").value("thread_name");
                json.name("pid").value(SAMPLES).name("tid").value(thread);
                json.name("args").open('{').name("name").value(sample.thread());
                json.close('}').close('}');
            }
            sample(json, sample, thread);
        }
        if (!result.roots().isEmpty()) {
            process(json, TREE, "Exact call tree, added up");
            tree(json, result.roots(), 0);
        }
        json.close(']').close('}');
        out.append('\n');
    }

    private static void process(JsonWriter json, int id, String name) throws IOException {
        json.line().open('{').name("ph").value("M").name("name").value("process_name");
        json.name("pid").value(id).name("tid").value(0).name("args").open('{');
        json.name("name").value(name).close('}').close('}');
    }

    private static void sample(JsonWriter json, Sample sample, int thread) throws IOException {
        boolean lasts =
                sample.kind().unit().equals("ns")
                        && sample.kind() != SampleKind.CPU_TIME
                        && sample.kind() != SampleKind.WALL;
        String top = sample.stack().isEmpty() ? "" : sample.stack().getFirst().name();
        json.line().open('{').name("ph").value(lasts ? "X" : "i");
        json.name("name").value(lasts || top.isEmpty() ? sample.kind().title() : top);
        json.name("cat").value(sample.kind().name()).name("pid").value(SAMPLES);
        json.name("tid").value(thread).name("ts").value(sample.atNanos() / 1e3);
        if (lasts) {
            json.name("dur").value(sample.weight() / 1e3);
        } else {
            json.name("s").value("t");
        }
        json.name("args").open('{').name("weight").value(sample.weight());
        if (!sample.detail().isEmpty()) {
            json.name("detail").value(sample.detail());
        }
        json.name("stack").open('[');
        for (Sample.StackFrame frame : sample.stack()) {
            json.value(frame.toString());
        }
        json.close(']').close('}').close('}');
    }

    private static void tree(JsonWriter json, List<CallNode> nodes, long begin) throws IOException {
        long at = begin;
        for (CallNode node : nodes) {
            json.line().open('{').name("ph").value("X").name("name").value(node.name());
            json.name("cat").value("tree").name("pid").value(TREE).name("tid").value(1);
            json.name("ts").value(at / 1e3).name("dur").value(node.totalNanos() / 1e3);
            json.name("args").open('{').name("calls").value(node.calls());
            json.name("selfNanos").value(node.selfNanos()).close('}').close('}');
            tree(json, node.children(), at);
            at += node.totalNanos();
        }
    }
}
