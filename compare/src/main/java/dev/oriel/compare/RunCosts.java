package dev.oriel.compare;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.ProbeCost;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import dev.oriel.profiler.WaitKind;
import dev.oriel.profiler.Waits;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// Computes costs from the recordings of one run's JVMs. Confined to one thread.
final class RunCosts {
    /// Recording itself is no cost of the program.
    private static final String OWN = "dev.oriel.profiler.Probe";

    /// Shorter delays are no different from none.
    private static final long DELAY_NANOS_MIN = 1_000;

    /// Greatest share of a call's time that is subtracted as the cost of recording. So the rest cannot collapse if
    /// that cost was measured in a bad moment.
    private static final double RECORDING_MAX = 0.5;

    /// Share of the calls used to estimate processor time if it was not measured. Such calls are taken to compute
    /// as long as they last, except for the longest, in which the thread had lost the processor.
    private static final double UNDISTURBED = 0.99;

    /// Mean time of calls from which on their processor time is measured.
    private static final long MEASURED_NANOS = 20_000;

    private final List<ProfileResult> files;
    private final ProbeCost cost;

    /// Costs of runs by themselves, with the cost of recording that they measured.
    RunCosts(List<ProfileResult> files) {
        this(files, leastCost(files));
    }

    /// @param cost cost of recording a call, the same for all runs that are compared
    RunCosts(List<ProfileResult> files, ProbeCost cost) {
        this.files = files;
        this.cost = cost;
    }

    /// The least cost of recording in any of them: a busy machine makes it seem more, never less.
    static ProbeCost leastCost(List<ProfileResult> files) {
        ProbeCost least = ProbeCost.NONE;
        for (ProfileResult file : files) {
            boolean first = least.equals(ProbeCost.NONE);
            boolean less = file.cost().pairNanos() < least.pairNanos();
            least = file.cost().pairNanos() > 0 && (first || less) ? file.cost() : least;
        }
        return least;
    }

    /// Number of calls of the method, without its recursive calls, however deep: an overload that calls another
    /// has the same name.
    double calls(String method) {
        double sum = 0;
        for (CallNode call : outermost(method)) {
            sum += call.calls() - call.detail().recursiveCalls();
        }
        return sum;
    }

    /// The time within its calls, without the cost of recording them; -1 if they were too short or too many to be
    /// timed.
    double nanos(String method) {
        double sum = 0;
        for (CallNode call : outermost(method)) {
            CostNode node = node(call, Measure.TIME);
            if (Timing.of(node) != Timing.TIMED) {
                return -1;
            }
            sum += node.total();
        }
        return sum;
    }

    /// The processor time within its calls; -1 if it was not measured.
    double workNanos(String method) {
        double sum = 0;
        for (CallNode call : outermost(method)) {
            if (!isMeasured(call)) {
                return -1;
            }
            sum += work(call).total();
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

    /// The names of the called methods, the most called first.
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
        if (files.stream().allMatch(file -> file.totals().jvm().isKnown())) {
            long delay = files.stream().mapToLong(file -> file.totals().jvm().delayNanos()).sum();
            wholes.put(Measure.RUN_QUEUE, (double) Math.max(DELAY_NANOS_MIN, delay));
        }
        return wholes;
    }

    private long cpu() {
        // Without the profiler's own threads and the JVM's housekeeping.
        return files.stream()
                .mapToLong(file ->
                        Math.max(
                                1,
                                file.totals().cpuNanos()
                                        - Math.max(0, file.totals().jvm().otherNanos())))
                .sum();
    }

    private long bytes() {
        return files.stream().mapToLong(file -> file.totals().allocatedBytes()).sum();
    }

    /// The costs by method.
    ///
    /// @param exact whether calls were recorded
    /// @param sampled whether samples were taken
    /// @param clock kind of samples that shows the use of processors
    Map<Measure, CostNode> trees(boolean exact, boolean sampled, SampleKind clock) {
        Map<Measure, CostNode> trees = new EnumMap<>(Measure.class);
        boolean exactBytes = files.stream().anyMatch(file -> allocates(file.roots()));
        if (exact) {
            trees.put(Measure.TIME, root(call -> node(call, Measure.TIME)));
        }
        if (exact && files.stream().anyMatch(file -> file.roots().stream().anyMatch(this::works))) {
            trees.put(Measure.WORK, root(this::work));
        }
        if (exact && exactBytes) {
            trees.put(Measure.BYTES, root(call -> node(call, Measure.BYTES)));
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

    /// Waits of threads in methods of the program, with their callees in the JDK, in nanoseconds.
    ///
    /// @param kinds of waits
    CostNode waits(Set<WaitKind> kinds) {
        StackNode root = new StackNode();
        for (ProfileResult file : files) {
            Waits waits = Waits.of(file);
            for (Sample sample : file.samples()) {
                List<Sample.StackFrame> stack =
                        sample.stack().stream()
                                .filter(frame -> !WaitKind.isOfTheJdk(frame))
                                .toList();
                if (kinds.contains(waits.of(sample)) && !stack.isEmpty()) {
                    root.add(stack, sample);
                }
            }
        }
        return root.exact("");
    }

    private CostNode root(Function<CallNode, CostNode> each) {
        List<CostNode> roots = new ArrayList<>();
        files.forEach(file -> file.roots().forEach(call -> roots.add(each.apply(call))));
        return new CostNode("", 0, 0, 0, false, roots);
    }

    private CostNode node(CallNode call, Measure measure) {
        boolean time = measure == Measure.TIME;
        boolean untimed = call.detail().untimedCalls() > 0;
        return new CostNode(
                call.name(),
                (double) call.calls(),
                time ? net(call, (double) call.selfNanos()) : call.detail().allocatedBytes(),
                0,
                time && isTooShort(call),
                time && untimed,
                call.detail().recursiveCalls(),
                call.children().stream().map(child -> node(child, measure)).toList());
    }

    private boolean isTooShort(CallNode call) {
        return call.calls() > 0
                && call.meanNanos() < ProfileResult.SHORTEST_TIMED_PAIRS * cost.pairNanos();
    }

    /// `self` without the cost of recording the calls that were made.
    private double net(CallNode call, double self) {
        long recording = call.selfNanos() - call.netNanos(cost);
        return self - Math.min((double) recording, RECORDING_MAX * self);
    }

    private boolean works(CallNode call) {
        return call.detail().cpuCalls() > 0 || call.children().stream().anyMatch(this::works);
    }

    /// Whether processor time was measured of all its calls, except for one that has not ended.
    private static boolean isMeasured(CallNode call) {
        long measured = call.detail().cpuCalls();
        return measured > 0 && measured + 1 >= call.calls();
    }

    /// Whether the processor time of `call` is unknown: its calls are long, ran on virtual threads, and none was
    /// measured. They may have waited.
    private static boolean isUnknown(CallNode call) {
        return call.detail().cpuCalls() == 0 && call.meanNanos() >= MEASURED_NANOS;
    }

    /// Processor time: measured for long calls. For shorter ones it is the time of most of them, which is
    /// subtracted from the caller's.
    private CostNode work(CallNode call) {
        List<CostNode> below = call.children().stream().map(this::work).toList();
        boolean measured = isMeasured(call);
        double unmeasured = 0;
        for (int i = 0; i < below.size(); i++) {
            unmeasured +=
                    isMeasured(call.children().get(i)) ? 0 : unmeasured(call.children().get(i));
        }
        double self;
        if (measured) {
            double all = net(call, (double) call.detail().cpuNanos());
            double fits = unmeasured > all ? all / unmeasured : 1;
            self = all - fits * unmeasured;
            below = fits < 1 ? scaled(call, below, fits) : below;
        } else {
            self = estimate(call);
        }
        return new CostNode(
                call.name(),
                (double) call.calls(),
                self,
                0,
                !measured && isTooShort(call),
                !measured && (call.detail().untimedCalls() > 0 || isUnknown(call)),
                below);
    }

    /// The sum of the estimates of a call and its descendants without a measurement.
    private double unmeasured(CallNode call) {
        double sum = estimate(call);
        for (CallNode child : call.children()) {
            sum += isMeasured(child) ? 0 : unmeasured(child);
        }
        return sum;
    }

    private double estimate(CallNode call) {
        if (isUnknown(call)) {
            return 0;
        }
        return net(call, (double) call.selfNanos())
                * call.detail().latencies().timeBelow(UNDISTURBED);
    }

    private static List<CostNode> scaled(CallNode caller, List<CostNode> nodes, double factor) {
        List<CostNode> scaled = new ArrayList<>();
        for (int i = 0; i < nodes.size(); i++) {
            CallNode call = caller.children().get(i);
            CostNode node = nodes.get(i);
            scaled.add(
                    isMeasured(call)
                            ? node
                            : new CostNode(
                                    node.name(),
                                    node.calls(),
                                    node.self() * factor,
                                    0,
                                    node.tooShort(),
                                    node.untimed(),
                                    scaled(call, node.children(), factor)));
        }
        return scaled;
    }

    /// Cost tree of the samples, scaled to `whole`, the total reported by the process.
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
            add(sample.stack(), sample);
        }

        void add(List<Sample.StackFrame> stack, Sample sample) {
            StackNode at = this;
            for (Sample.StackFrame frame : stack.reversed()) {
                at = at.children.computeIfAbsent(frame.name(), key -> new StackNode());
            }
            at.samples += sample.count();
            at.weight += sample.weight();
        }

        CostNode exact(String name) {
            List<CostNode> below = new ArrayList<>();
            children.forEach((method, child) -> below.add(child.exact(method)));
            return new CostNode(name, 0, weight, 0, false, below);
        }

        CostNode node(String name, double scale) {
            List<CostNode> below = new ArrayList<>();
            children.forEach((method, child) -> below.add(child.node(method, scale)));
            return new CostNode(name, 0, weight * scale, samples, false, below);
        }
    }
}
