package dev.oriel.compare;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Makes costs of what the JVMs of one run handed over. Confined to one thread.
final class RunCosts {
    /// Recording itself is no cost of the program.
    private static final String OWN = "dev.oriel.profiler.Probe";

    private final List<ProfileResult> files;

    RunCosts(List<ProfileResult> files) {
        this.files = files;
    }

    /// How often the method was called, without what such a call makes of itself, however deep: an overload
    /// that calls another has the same name.
    double calls(String method) {
        double sum = 0;
        for (CallNode call : outermost(method)) {
            sum += call.calls() - call.detail().recursiveCalls();
        }
        return sum;
    }

    /// The time within its calls, without what recording them cost; -1 where they were too short or too
    /// many to be timed.
    double nanos(String method) {
        double sum = 0;
        for (ProfileResult file : files) {
            for (CallNode call : outermost(file.roots(), method, new ArrayList<>())) {
                CostNode node = node(call, Measure.TIME, file);
                if (Timing.of(node) != Timing.TIMED) {
                    return -1;
                }
                sum += node.total();
            }
        }
        return sum;
    }

    private List<CallNode> outermost(String method) {
        List<CallNode> found = new ArrayList<>();
        files.forEach(file -> outermost(file.roots(), method, found));
        return found;
    }

    private static List<CallNode> outermost(
            List<CallNode> calls, String method, List<CallNode> found) {
        for (CallNode call : calls) {
            if (call.name().equals(method)) {
                found.add(call);
            } else {
                outermost(call.children(), method, found);
            }
        }
        return found;
    }

    /// The names of what was called, the most called first.
    List<String> names() {
        Map<String, Long> calls = new HashMap<>();
        for (ProfileResult file : files) {
            file.methods().forEach(method -> calls.merge(method.name(), method.calls(), Long::sum));
        }
        return calls.entrySet().stream()
                .sorted(
                        Map.Entry.<String, Long>comparingByValue()
                                .reversed()
                                .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    /// The costs of the process.
    Map<Measure, Double> wholes() {
        Map<Measure, Double> wholes = new EnumMap<>(Measure.class);
        wholes.put(
                Measure.WALL,
                (double) files.stream().mapToLong(ProfileResult::wallNanos).max().orElse(0));
        if (files.stream().allMatch(file -> file.totals().cpuNanos() >= 0)) {
            wholes.put(Measure.CPU, (double) cpu());
        }
        if (files.stream().allMatch(file -> file.totals().allocatedBytes() >= 0)) {
            wholes.put(Measure.BYTES, (double) bytes());
        }
        return wholes;
    }

    private long cpu() {
        return files.stream().mapToLong(file -> file.totals().cpuNanos()).sum();
    }

    private long bytes() {
        return files.stream().mapToLong(file -> file.totals().allocatedBytes()).sum();
    }

    /// The costs by method.
    ///
    /// @param exact whether calls were recorded
    /// @param sampled whether samples were taken
    /// @param clock which of them tell where processors were
    Map<Measure, CostNode> trees(boolean exact, boolean sampled, SampleKind clock) {
        Map<Measure, CostNode> trees = new EnumMap<>(Measure.class);
        boolean exactBytes = files.stream().anyMatch(file -> allocates(file.roots()));
        if (exact) {
            trees.put(Measure.TIME, root(Measure.TIME));
        }
        if (exact && exactBytes) {
            trees.put(Measure.BYTES, root(Measure.BYTES));
        }
        Map<Measure, Double> wholes = wholes();
        if (sampled && wholes.containsKey(Measure.CPU)) {
            trees.put(Measure.CPU, sampled(clock, (double) cpu()));
        }
        if (sampled && !exactBytes && wholes.containsKey(Measure.BYTES)) {
            trees.put(Measure.BYTES, sampled(SampleKind.ALLOCATION, (double) bytes()));
        }
        return trees;
    }

    private static boolean allocates(List<CallNode> calls) {
        return calls.stream()
                .anyMatch(call -> call.detail().allocatedBytes() > 0 || allocates(call.children()));
    }

    private CostNode root(Measure measure) {
        List<CostNode> roots = new ArrayList<>();
        for (ProfileResult file : files) {
            file.roots().forEach(call -> roots.add(node(call, measure, file)));
        }
        return new CostNode("", 0, 0, 0, false, roots);
    }

    private static CostNode node(CallNode call, Measure measure, ProfileResult of) {
        boolean time = measure == Measure.TIME;
        boolean untimed = call.detail().untimedCalls() > 0;
        return new CostNode(
                call.name(),
                (double) call.calls(),
                time ? call.netNanos(of.cost()) : call.detail().allocatedBytes(),
                0,
                time && of.tooShort(call.calls(), call.meanNanos()),
                time && untimed,
                call.children().stream().map(child -> node(child, measure, of)).toList());
    }

    /// Samples tell the shares, the process tells what they are shares of.
    CostNode sampled(SampleKind kind, double whole) {
        StackNode root = new StackNode();
        long weights = 0;
        for (ProfileResult file : files) {
            for (Sample sample : file.samples(kind)) {
                List<Sample.StackFrame> stack = sample.stack();
                if (stack.isEmpty() || !stack.getFirst().owner().equals(OWN)) {
                    root.add(sample);
                    weights += sample.weight();
                }
            }
        }
        return root.node("", weights == 0 ? 0 : whole / weights);
    }

    /// A tree of stacks, from the outermost method inwards.
    private static final class StackNode {
        private final Map<String, StackNode> children = new HashMap<>();
        private long samples;
        private long weight;

        void add(Sample sample) {
            StackNode at = this;
            for (Sample.StackFrame frame : sample.stack().reversed()) {
                at = at.children.computeIfAbsent(frame.name(), key -> new StackNode());
            }
            at.samples += sample.count();
            at.weight += sample.weight();
        }

        CostNode node(String name, double scale) {
            List<CostNode> below = new ArrayList<>();
            children.forEach((method, child) -> below.add(child.node(method, scale)));
            return new CostNode(name, 0, weight * scale, samples, false, below);
        }
    }
}
