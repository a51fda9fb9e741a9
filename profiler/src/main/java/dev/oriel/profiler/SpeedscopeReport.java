package dev.oriel.profiler;

import dev.oriel.profiler.Sample.StackFrame;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The file format of speedscope, with a profile for the exact tree, weighed in nanoseconds of self
/// time, and one for each kind of samples.
public record SpeedscopeReport() implements Report {
    /// A frame of the shared table.
    private record Frame(String name, int line) {}

    /// Stacks with their weights, outermost frame first, as indexes of the shared table.
    private record Weighed(String name, String unit, List<int[]> stacks, List<Long> weights) {}

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        Map<Frame, Integer> frames = new LinkedHashMap<>();
        List<Weighed> profiles = new ArrayList<>();
        if (!result.roots().isEmpty()) {
            Weighed exact = profile("Exact call tree", "nanoseconds");
            tree(result.roots(), new ArrayList<>(), frames, exact);
            profiles.add(exact);
        }
        for (SampleKind kind : SampleKind.values()) {
            Weighed sampled = profile(kind.title(), unit(kind));
            Map<List<StackFrame>, Integer> known = new HashMap<>();
            for (Sample sample : result.samples(kind)) {
                Integer at = known.putIfAbsent(sample.stack(), sampled.stacks.size());
                if (at == null) {
                    sampled.stacks.add(stack(sample.stack(), frames));
                    sampled.weights.add(sample.weight());
                } else {
                    sampled.weights.set(at, sampled.weights.get(at) + sample.weight());
                }
            }
            if (!sampled.stacks.isEmpty()) {
                profiles.add(sampled);
            }
        }
        write(result, frames, profiles, out);
    }

    private static void write(
            ProfileResult result,
            Map<Frame, Integer> frames,
            List<Weighed> profiles,
            Appendable out)
            throws IOException {
        JsonWriter json = new JsonWriter(out).open('{');
        json.name("$schema").value("https://www.speedscope.app/file-format-schema.json");
        json.name("name").value(result.facts().getOrDefault("title", "Oriel profile"));
        json.name("exporter").value("oriel-profiler").name("activeProfileIndex").value(0);
        json.line().name("shared").open('{').name("frames").open('[');
        for (Frame frame : frames.keySet()) {
            json.line().open('{').name("name").value(frame.name);
            if (frame.line > 0) {
                json.name("line").value(frame.line);
            }
            json.close('}');
        }
        json.close(']').close('}').line().name("profiles").open('[');
        for (Weighed profile : profiles) {
            json.line().open('{').name("type").value("sampled").name("name").value(profile.name);
            json.name("unit").value(profile.unit).name("startValue").value(0);
            long end = 0;
            json.name("samples").open('[');
            for (int[] stack : profile.stacks) {
                json.open('[');
                for (int frame : stack) {
                    json.value(frame);
                }
                json.close(']');
            }
            json.close(']').name("weights").open('[');
            for (long weight : profile.weights) {
                end = Math.addExact(end, weight);
                json.value(weight);
            }
            json.close(']').name("endValue").value(end).close('}');
        }
        json.close(']').close('}');
        out.append('\n');
    }

    private static Weighed profile(String name, String unit) {
        return new Weighed(name, unit, new ArrayList<>(), new ArrayList<>());
    }

    private static void tree(
            List<CallNode> nodes, List<Integer> path, Map<Frame, Integer> frames, Weighed into) {
        for (CallNode node : nodes) {
            path.addLast(index(new Frame(node.name(), 0), frames));
            if (node.selfNanos() > 0) {
                into.stacks.add(path.stream().mapToInt(Integer::intValue).toArray());
                into.weights.add(node.selfNanos());
            }
            tree(node.children(), path, frames, into);
            path.removeLast();
        }
    }

    private static int[] stack(List<StackFrame> stack, Map<Frame, Integer> frames) {
        int[] indexes = new int[stack.size()];
        for (int i = 0; i < indexes.length; i++) {
            StackFrame frame = stack.get(indexes.length - 1 - i);
            indexes[i] = index(new Frame(frame.name(), frame.line()), frames);
        }
        return indexes;
    }

    private static int index(Frame frame, Map<Frame, Integer> frames) {
        return frames.computeIfAbsent(frame, key -> frames.size());
    }

    private static String unit(SampleKind kind) {
        return switch (kind.unit()) {
            case "ns" -> "nanoseconds";
            case "bytes" -> "bytes";
            default -> "none";
        };
    }
}
