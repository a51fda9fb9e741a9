package dev.oriel.compare;

import dev.oriel.profiler.Sample.StackFrame;
import dev.oriel.profiler.WaitKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The call trees of one measure, run by run laid over each other. First every method and path that can matter
/// joins the family of tests. When the family is settled, methods, paths and causes are made of it. Confined to
/// one thread.
final class TreeComparison {
    /// Share of a difference above which callees explain it in place of their caller.
    private static final double EXPLAINED = 0.8;

    /// Gains and losses below one method cancel if no more than this share of them is left.
    private static final double CANCELS = 0.25;

    /// Minimum cost of a method's calls by another caller, as a share of the cost by the differing caller, that counts
    /// as evidence.
    private static final double USUAL_MIN = 0.05;

    private static final CostNode NONE = new CostNode("", 0, 0, 0, false, List.of());

    private final Measure measure;
    private final Pairs pairs;
    private final Family operations;
    private final Family family;
    private final AlignedNode root;
    private final Collection<AlignedMethod> methods;
    private final boolean sampled;
    private final double whole;
    private final int judgedWhole;

    TreeComparison(Measure measure, Pairs pairs, Family operations, Family family) {
        this.measure = measure;
        this.pairs = pairs;
        this.operations = operations;
        this.family = family;
        List<ForkCosts> runs = pairs.all();
        root = new AlignedNode("", runs.size());
        List<CostNode> trees = trees(runs);
        for (int run = 0; run < runs.size(); run++) {
            root.add(trees.get(run), run, runs.get(run).operations());
        }
        root.addUp();
        sampled = Arrays.stream(root.totalSamples).anyMatch(samples -> samples > 0);
        methods = AlignedMethod.of(root);
        Series all = series(root.total, root.totalSamples);
        double own = all.meanA() > 0 ? all.meanA() : all.meanB();
        whole = measure.isWait() ? Math.max(own, time(pairs)) : own;
        boolean exact = measure == Measure.TIME || measure == Measure.WORK;
        judgedWhole = exact ? operations.add(all) : -1;
        root.children.values().forEach(this::judge);
        methods.forEach(this::judge);
    }

    /// A tree that is laid out alone: nothing of it is tested.
    static TreeComparison apart(Measure measure, Pairs pairs) {
        return new TreeComparison(measure, pairs, new Family(), new Family());
    }

    /// The time of an operation of A, in calls or by the clock, whichever is more. A wait is a share of it: if an
    /// operation hardly waits, the same wait by chance is a large share of all its waits.
    private static double time(Pairs pairs) {
        double calls = 0;
        double wall = 0;
        for (ForkCosts run : pairs.a()) {
            calls += run.trees().getOrDefault(Measure.TIME, NONE).total() / run.operations();
            wall += run.wholes().getOrDefault(Measure.WALL, 0.0) / run.operations();
        }
        return Math.max(calls, wall) / pairs.a().size();
    }

    Pairs pairs() {
        return pairs;
    }

    /// The trees of the runs, comparable path by path. Samples know all callers, calls only those that were recorded.
    private List<CostNode> trees(List<ForkCosts> runs) {
        List<CostNode> trees = new ArrayList<>();
        for (ForkCosts run : runs) {
            trees.add(run.trees().getOrDefault(measure, NONE));
        }
        if (trees.stream().noneMatch(CostNode::isCounted)) {
            return trees;
        }
        int ofA = pairs.a().size();
        int ofB = pairs.b().size();
        Collections.rotate(trees.subList(ofA, trees.size()), -ofB); // the guards are runs of A
        List<CostNode> cut = new ArrayList<>(OpenCallers.removed(trees, trees.size() - ofB));
        Collections.rotate(cut.subList(ofA, cut.size()), ofB);
        return cut;
    }

    /// The whole operation, as far as the trees cover it.
    Difference operation() {
        return difference(series(root.total, root.totalSamples), judgedWhole, operations);
    }

    /// Whether any of the outermost calls have times.
    boolean isTimed() {
        return root.children.values().stream().anyMatch(node -> !tooShort(node.timings));
    }

    private void judge(AlignedNode node) {
        Series series = series(node.total, node.totalSamples, node.timings);
        if (!canMatter(series)) {
            return; // and so are all nodes below it
        }
        if (!tooShort(node.timings)) {
            node.judged = family.add(series);
        }
        node.children.values().forEach(this::judge);
    }

    private void judge(AlignedMethod method) {
        if (tooShort(method.timings)) {
            return;
        }
        Series total = series(method.total, method.totalSamples, method.timings);
        Series self = series(method.self, method.selfSamples, method.timings);
        method.judgedTotal = canMatter(total) ? family.add(total) : -1;
        method.judgedSelf = canMatter(self) ? family.add(self) : -1;
    }

    /// Whether times are useless: calls were counted without them in most runs, or are too short on both sides. If
    /// one side has long calls, the error of the other is at most the cost of recording.
    private boolean tooShort(Timing[] timings) {
        int ofB = pairs.a().size();
        int again = ofB + pairs.b().size();
        int left = pairs.count(run -> timings[run] == Timing.COUNTED);
        return left < Math.min(Compare.PAIRS_MIN, pairs.count())
                || 2 * left < pairs.count()
                || (!Timing.isTimed(timings, 0, ofB) && !Timing.isTimed(timings, ofB, again));
    }

    /// The runs in which calls were counted without a time.
    private static boolean[] counted(Timing[] timings) {
        boolean[] counted = new boolean[timings.length];
        for (int i = 0; i < timings.length; i++) {
            counted[i] = timings[i] == Timing.COUNTED;
        }
        return counted;
    }

    private boolean canMatter(Series series) {
        return series.isSeen()
                && Math.max(series.meanA(), series.meanB()) > 0
                && Math.max(series.meanA(), series.meanB()) >= Difference.SHARE_MIN * whole;
    }

    /// The methods that can matter, in falling order of the greater of their two costs.
    List<MethodChange> changes() {
        return methods.stream()
                .filter(method ->
                        canMatter(series(method.total, method.totalSamples, method.timings)))
                .map(this::change)
                .sorted(
                        Comparator.comparingDouble((MethodChange method) ->
                                        Math.max(method.self().costA(), method.self().costB()))
                                .reversed())
                .toList();
    }

    private MethodChange change(AlignedMethod method) {
        Series total = series(method.total, method.totalSamples, method.timings);
        Series calls = series(method.calls, new double[0]);
        boolean counted = calls.meanA() > 0 && calls.meanB() > 0;
        Interval callRatio = counted ? calls.change().ratio() : null;
        Interval perCall = counted ? perCall(method) : null;
        return new MethodChange(
                method.name,
                measure,
                difference(total, method.judgedTotal),
                difference(
                        series(method.self, method.selfSamples, method.timings), method.judgedSelf),
                calls.meanA(),
                calls.meanB(),
                callRatio,
                perCall,
                tooShort(method.timings));
    }

    private @Nullable Interval perCall(AlignedMethod method) {
        double[] each = new double[method.calls.length];
        for (int i = 0; i < each.length; i++) {
            if (method.calls[i] == 0 || method.total[i] == 0) {
                return null;
            }
            each[i] = method.total[i] / method.calls[i];
        }
        return series(each, new double[0], method.timings).change().ratio();
    }

    /// Whether costs come from samples.
    boolean isSampled() {
        return sampled;
    }

    AlignedNode root() {
        return root;
    }

    Collection<AlignedMethod> methods() {
        return methods;
    }

    /// The method of that name, whose arrays hold its costs; null if no run has it.
    @Nullable AlignedMethod method(String name) {
        for (AlignedMethod method : methods) {
            if (method.name.equals(name)) {
                return method;
            }
        }
        return null;
    }

    /// Whether the time of `method` is useless: too short, or not taken.
    boolean isTooShort(AlignedMethod method) {
        return tooShort(method.timings);
    }

    /// The deepest methods that explain the differences.
    List<Cause> causes(List<MethodChange> changes) {
        Map<String, Place> places = new LinkedHashMap<>();
        Causes found = new Causes(byName(root, new HashMap<>()), places);
        explain(new Step(root, null, List.of()), false, found);
        List<Cause> causes = new ArrayList<>();
        for (MethodChange change : changes) {
            Place place = places.get(change.name());
            if (place != null && change.total().matters()) {
                causes.add(
                        new Cause(
                                change,
                                place.paths,
                                place.moved,
                                place.callee,
                                List.copyOf(place.untimed),
                                null));
            }
        }
        causes.sort(
                Comparator.comparingDouble(
                                (Cause cause) -> Math.abs(cause.method().total().delta()))
                        .reversed());
        return causes;
    }

    /// A node on the way down, with its caller.
    private record Step(AlignedNode node, @Nullable Step caller, List<String> path) {}

    /// The paths on which a method was found to be a cause.
    private static final class Place {
        private final List<List<String>> paths = new ArrayList<>();
        private boolean moved = true;
        private final Set<String> untimed = new LinkedHashSet<>();
        private @Nullable String callee;
    }

    /// @param nodes all nodes of each method, each after its caller
    /// @param places causes by the name of their method
    private record Causes(Map<String, List<AlignedNode[]>> nodes, Map<String, Place> places) {
        Place place(String method) {
            return places.computeIfAbsent(method, key -> new Place());
        }
    }

    private static Map<String, List<AlignedNode[]>> byName(
            AlignedNode node, Map<String, List<AlignedNode[]>> all) {
        for (AlignedNode child : node.children.values()) {
            all.computeIfAbsent(child.name, key -> new ArrayList<>())
                    .add(new AlignedNode[] {node, child});
            byName(child, all);
        }
        return all;
    }

    private void explain(Step step, boolean cancels, Causes causes) {
        AlignedNode node = step.node;
        Difference own = difference(node);
        double gained = 0;
        double lost = 0;
        List<AlignedNode> children = new ArrayList<>();
        List<List<String>> between = new ArrayList<>();
        belongs(node, List.of(), children, between);
        for (AlignedNode child : children) {
            Difference difference = difference(child);
            if (difference.matters()) {
                gained += Math.min(0, difference.delta());
                lost += Math.max(0, difference.delta());
            }
        }
        double left = Math.abs(gained + lost);
        boolean both = Math.min(-gained, lost) > 0;
        boolean below = cancels || (both && left < CANCELS * Math.min(-gained, lost));
        for (int i = 0; i < children.size(); i++) {
            List<String> deeper = new ArrayList<>(step.path);
            deeper.addAll(between.get(i));
            deeper.add(children.get(i).name);
            explain(new Step(children.get(i), step, deeper), below, causes);
        }
        double explained = own.delta() > 0 ? lost : gained;
        if (node != root
                && own.matters()
                && Math.abs(explained) < EXPLAINED * Math.abs(own.delta())) {
            Step blamed = blamed(step, own, causes);
            Place place = causes.place(blamed.node.name);
            place.paths.add(blamed.path);
            place.moved &= cancels;
            if (blamed.path.equals(step.path)) {
                addUntimed(node, place.untimed);
            } else {
                place.callee = node.name;
            }
        }
    }

    private static double cost(Difference difference) {
        return Math.max(difference.costA(), difference.costB());
    }

    /// Adds the callees whose time is part of the method's, the most called first.
    private void addUntimed(AlignedNode node, Set<String> names) {
        node.children.values().stream()
                .filter(child -> calls(child) > 0 && tooShort(child.timings))
                .sorted(Comparator.comparingDouble(TreeComparison::calls).reversed())
                .forEach(child -> names.add(child.name));
    }

    /// Calls of a method in all runs: one of them may have none.
    private static double calls(AlignedNode node) {
        return Arrays.stream(node.calls).sum();
    }

    /// The caller of a method that costs its other callers no more than before; otherwise the method itself.
    private Step blamed(Step step, Difference own, Causes causes) {
        Step caller = step.caller;
        if (caller == null || caller.node == root || caller.node.name.equals(step.node.name)) {
            return step;
        }
        AlignedMethod above = method(caller.node.name);
        boolean differs = above != null && change(above).total().matters();
        double ratio = own.change().ratio().value();
        for (AlignedNode[] other : causes.nodes.getOrDefault(step.node.name, List.of())) {
            Difference difference = difference(other[1]);
            Interval usual = difference.change().ratio();
            if (differs
                    && other[0] != root
                    && !other[0].name.equals(caller.node.name)
                    && cost(difference) >= USUAL_MIN * cost(own)
                    && other[1].judged >= 0
                    && !difference.matters()
                    && usual.closed()
                    && (ratio < usual.low() || ratio > usual.high())) {
                return caller;
            }
        }
        return step;
    }

    /// The callees that a difference may come from. In sampled trees a method of the JDK is part of its caller:
    /// the compiler decides which of its methods a sample falls on.
    private void belongs(
            AlignedNode node,
            List<String> path,
            List<AlignedNode> children,
            List<List<String>> between) {
        for (AlignedNode child : node.children.values()) {
            if (!sampled || node == root || !isOfItsCaller(child.name)) {
                children.add(child);
                between.add(path);
            } else {
                List<String> deeper = new ArrayList<>(path);
                deeper.add(child.name);
                belongs(child, deeper, children, between);
            }
        }
    }

    /// Whether samples of a method are those of its caller, as in the JDK and in classes that the JVM makes for
    /// lambdas.
    static boolean isOfItsCaller(String name) {
        StackFrame frame = StackFrame.parse(name);
        return WaitKind.isOfTheJdk(frame) || frame.owner().endsWith(Candidates.HIDDEN);
    }

    /// The tree of the methods that can matter, for a differential flame graph.
    CallDifference tree() {
        return tree(root);
    }

    private CallDifference tree(AlignedNode node) {
        List<CallDifference> below = new ArrayList<>();
        for (AlignedNode child : node.children.values()) {
            if (canMatter(series(child.total, child.totalSamples, child.timings))) {
                below.add(tree(child));
            }
        }
        below.sort(
                Comparator.comparingDouble((CallDifference call) ->
                                Math.max(call.total().costA(), call.total().costB()))
                        .reversed());
        return new CallDifference(node.name, difference(node), below);
    }

    private Difference difference(AlignedNode node) {
        return node == root
                ? operation()
                : difference(series(node.total, node.totalSamples, node.timings), node.judged);
    }

    private Difference difference(Series series, int judged) {
        return difference(series, judged, family);
    }

    private Difference difference(Series series, int judged, Family family) {
        Change change =
                judged >= 0
                        ? family.change(judged)
                        : new Change(
                                new Interval(1, 0, Double.POSITIVE_INFINITY, pairs.count()),
                                1,
                                Verdict.UNKNOWN,
                                false);
        double share = whole > 0 ? Math.abs(series.delta()) / whole : 0;
        int more = judged >= 0 ? family.morePairs(judged) : 0;
        return new Difference(series.meanA(), series.meanB(), share, change, more);
    }

    /// The costs of the runs with times, if there are enough of them; else of all.
    private Series series(double[] costs, double[] samples, Timing[] timings) {
        return tooShort(timings)
                ? series(costs, samples)
                : pairs.series(costs, sampled ? samples : new double[0], counted(timings));
    }

    private Series series(double[] costs, double[] samples) {
        return pairs.series(costs, sampled ? samples : new double[0]);
    }
}
