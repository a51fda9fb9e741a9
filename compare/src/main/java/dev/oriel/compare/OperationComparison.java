package dev.oriel.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// One operation on its way to a [Comparison]. Its series join the families of all comparisons, and when the
/// families are settled, the comparison is made. Confined to one thread.
final class OperationComparison {
    /// The share of a method's difference in time that must be its own work.
    private static final double USED_MIN = 0.5;

    /// The share of a method's difference that must be processor time for samples of that to tell where it is.
    private static final double COMPUTED_MIN = 0.8;

    /// The share of the operation's difference below which a method's in the same direction is not named.
    private static final double PART_MIN = 0.01;

    /// Weight of a difference in time that is a wait rather than work. It is a choice: a wait ranks like work of half
    /// its time.
    private static final double WAITING_WEIGHT = 0.5;

    /// Weight of one that was blocked. It is a choice: half of a wait's, since a wait may hold the lock.
    private static final double BLOCKED_WEIGHT = 0.25;

    /// The least number of bytes of an object: less for an operation is the JVM's own warming up.
    private static final double OBJECT_BYTES = 16;

    private final Pairs pairs;
    private final Family operations;
    private final Family methods;

    /// Of its own, because it is no test of the operation.
    private final Family runQueue = new Family();

    private final Map<Measure, Whole> wholes = new EnumMap<>(Measure.class);
    private final Map<Measure, TreeComparison> trees = new EnumMap<>(Measure.class);
    private final Map<TreeComparison, SampleSplits> splits = new HashMap<>();

    /// The tree of all calls.
    private @Nullable TreeComparison exact;

    private @Nullable CallCounts counts;

    private record Whole(Series costs, int judged) {}

    /// @param operations tests of operations
    /// @param methods tests of methods and paths
    /// @param calls tests of numbers of calls
    OperationComparison(Pairs pairs, Family operations, Family methods, Family calls) {
        if (pairs.count() == 0) {
            throw new IllegalArgumentException("Nothing to compare: a side has no run");
        }
        this.pairs = pairs;
        this.operations = operations;
        this.methods = methods;
        checkMeasures(pairs);
        Set<Measure> common = EnumSet.allOf(Measure.class);
        pairs.all().forEach(run -> common.retainAll(run.wholes().keySet()));
        for (Measure measure : common) {
            Series series = pairs.series(wholes(pairs.all(), measure), new double[0]);
            wholes.put(measure, new Whole(series, family(measure).add(series)));
        }
        runQueue.settle();
        Set<Measure> recorded = EnumSet.allOf(Measure.class);
        pairs.all().forEach(run -> recorded.retainAll(run.trees().keySet()));
        Pairs counted = pairs.counted();
        for (Measure measure : recorded) {
            Pairs of = measure == Measure.BYTES ? counted : pairs;
            trees.put(measure, new TreeComparison(measure, of, operations, methods));
        }
        TreeComparison timed = trees.get(Measure.TIME);
        if (timed != null) {
            boolean all = counted == pairs;
            exact = all ? timed : TreeComparison.apart(Measure.TIME, counted);
            counts = new CallCounts(counted, exact.root(), exact.methods(), calls);
        }
    }

    private Family family(Measure measure) {
        return measure == Measure.RUN_QUEUE ? runQueue : operations;
    }

    Comparison comparison() {
        Map<Measure, Difference> operation = new EnumMap<>(Measure.class);
        wholes.forEach((measure, whole) -> {
            Series costs = whole.costs;
            double share = Math.abs(costs.delta()) / costs.meanA();
            Change change = family(measure).change(whole.judged);
            int more = family(measure).morePairs(whole.judged);
            operation.put(
                    measure, new Difference(costs.meanA(), costs.meanB(), share, change, more));
        });
        Map<Measure, List<MethodChange>> changed = new EnumMap<>(Measure.class);
        Map<Measure, CallDifference> calls = new EnumMap<>(Measure.class);
        List<Cause> causes = new ArrayList<>();
        trees.forEach((measure, tree) -> {
            boolean ofRuns = measure == Measure.WORK && !pairs.byCalls();
            if ((measure == Measure.TIME || ofRuns) && tree.isTimed()) {
                operation.putIfAbsent(measure, tree.operation());
            }
            List<MethodChange> changes = tree.changes();
            changed.put(measure, changes);
            tree.causes(changes).stream()
                    .filter(cause -> isToBeNamed(cause, tree, operation))
                    .sorted(Comparator.comparingDouble(this::rank).reversed())
                    .map(this::searched)
                    .forEach(causes::add);
            calls.put(measure, tree.tree());
        });
        Cause shifted = shifted(operation, causes);
        if (shifted != null) {
            causes.add(shifted);
        }
        List<CallChange> counted = counts == null ? List.of() : counts.changes();
        causes.removeIf(cause -> counted.stream().anyMatch(call -> explains(call, cause)));
        return new Comparison(
                pairs.count(),
                !pairs.unpaired(),
                pairs.byCalls(),
                operations.noisy() || methods.noisy(),
                operation,
                changed,
                causes,
                counted,
                calls);
    }

    /// Whether a method costs more or less only since one above it is called more or less often.
    private static boolean explains(CallChange call, Cause cause) {
        return call.more() == cause.worse()
                && !cause.isChanged(call)
                && !cause.name().equals(call.name())
                && cause.wholePaths().stream().allMatch(path -> path.contains(call.name()));
    }

    /// The method that the shares of samples show, if times tell neither A and B nor any method apart.
    private @Nullable Cause shifted(Map<Measure, Difference> operation, List<Cause> causes) {
        TreeComparison sampled = trees.get(Measure.CPU);
        Difference whole = operation.get(Measure.CPU);
        if (sampled == null
                || !sampled.isSampled()
                || whole == null
                || whole.change().verdict() != Verdict.UNKNOWN) {
            return null;
        }
        boolean timed =
                causes.stream().anyMatch(cause -> cause.method().measure().unit().equals("ns"));
        return timed ? null : ShiftedShare.find(pairs, whole.delta() > 0);
    }

    /// Whether no other measure casts doubt on the cause that one measure shows.
    private boolean isToBeNamed(
            Cause cause, TreeComparison tree, Map<Measure, Difference> operation) {
        MethodChange change = cause.method();
        Difference whole = operation.get(change.measure());
        if (whole != null && isTrifle(change.total(), whole)) {
            return false;
        }
        if (tree.isSampled()) {
            boolean fits = whole == null || (whole.matters() && whole.delta() > 0 == cause.worse());
            AlignedMethod method = tree.method(change.name());
            return fits
                    && method != null
                    && splits(tree).isBeyond(method)
                    && (change.measure() != Measure.CPU || !movesAgainst(method, tree, cause));
        }
        return switch (change.measure()) {
            case TIME -> isUsed(change);
            case BYTES -> Math.abs(change.total().delta()) >= OBJECT_BYTES;
            case WORK, CPU, BLOCKED, WAITING, RUN_QUEUE, WALL, CPU_SHARE, BYTES_SHARE -> true;
        };
    }

    /// Whether a difference is hardly any of the operation's, as if a program that lasts longer warms up differently.
    private static boolean isTrifle(Difference difference, Difference whole) {
        double part = difference.delta() / whole.delta();
        return whole.matters() && part > 0 && part < PART_MIN;
    }

    /// Whether samples of a method became a lesser part of all though it seems to cost more, or the reverse.
    private boolean movesAgainst(AlignedMethod method, TreeComparison tree, Cause cause) {
        int ofA = pairs.a().size();
        int end = ofA + pairs.b().size();
        double[] all = tree.root().totalSamples;
        Share a = Share.of(method.totalSamples, all, 0, ofA);
        Share b = Share.of(method.totalSamples, all, ofA, end);
        return a.movesAgainst(b, cause.method().total().delta());
    }

    /// The callees of a method that were left out of the runs that were timed, the most called first.
    private List<String> leftOut(String method) {
        TreeComparison all = exact;
        TreeComparison timed = trees.get(Measure.TIME);
        if (all == null || timed == null || all == timed) {
            return List.of();
        }
        Map<String, Double> calls = new HashMap<>();
        addLeftOut(all.root(), method, false, timed, calls);
        return calls.entrySet().stream()
                .sorted(
                        Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                                .thenComparing(Map.Entry.comparingByKey()))
                .map(Map.Entry::getKey)
                .toList();
    }

    private static void addLeftOut(
            AlignedNode node,
            String method,
            boolean within,
            TreeComparison timed,
            Map<String, Double> calls) {
        for (AlignedNode child : node.children.values()) {
            if (within && timed.method(child.name) == null) {
                calls.merge(child.name, Arrays.stream(child.calls).sum(), Double::sum);
            }
            addLeftOut(child, method, within || child.name.equals(method), timed, calls);
        }
    }

    /// The cause, with the callee that samples show if it computes more or less in callees that were not timed.
    private Cause searched(Cause found) {
        MethodChange change = found.method();
        Cause cause =
                change.measure() == Measure.BYTES
                        ? found
                        : found.withUntimed(leftOut(change.name()));
        Inner callee = sampled(cause);
        Pairs alone = pairs.shortCalls();
        return callee == null && alone != null && Comparison.isOfCalls(change.measure())
                ? cause.with(ShortCalls.find(alone, change.name(), change.total().delta()))
                : cause.with(callee);
    }

    /// The callee that samples show.
    private @Nullable Inner sampled(Cause cause) {
        MethodChange change = cause.method();
        TreeComparison work = trees.get(Measure.WORK);
        TreeComparison sampled = trees.get(Measure.CPU);
        boolean timed = change.measure() == Measure.TIME || change.measure() == Measure.WORK;
        if (!timed || work == null || sampled == null || !sampled.isSampled()) {
            return null;
        }
        AlignedMethod method = work.method(change.name());
        if (method == null || work.isTooShort(method)) {
            return null;
        }
        Series costs = pairs.series(method.total, new double[0]);
        return costs.delta() / change.total().delta() < COMPUTED_MIN
                ? null
                : new InnerSearch(pairs, sampled.root()).find(change.name(), method.total);
    }

    /// The difference of a cause, less of it if the method only waits longer. One thread's work makes others wait, and
    /// a wait that holds a lock blocks others; the reverse does not happen.
    private double rank(Cause cause) {
        MethodChange change = cause.method();
        double delta = Math.abs(change.total().delta());
        TreeComparison work = trees.get(Measure.WORK);
        if (change.measure() != Measure.TIME || work == null) {
            return delta;
        }
        double computed = delta(change.name(), work);
        double waited = delta(change.name(), trees.get(Measure.WAITING));
        double blocked = delta(change.name(), trees.get(Measure.BLOCKED));
        boolean more = cause.worse();
        double most = Math.max(more ? waited : -waited, more ? blocked : -blocked);
        if ((more ? computed : -computed) >= most) {
            return delta;
        }
        boolean waits = waited == most || -waited == most;
        return delta * (waits ? WAITING_WEIGHT : BLOCKED_WEIGHT);
    }

    private double delta(String method, @Nullable TreeComparison tree) {
        AlignedMethod found = tree == null ? null : tree.method(method);
        return found == null ? 0 : delta(found);
    }

    private SampleSplits splits(TreeComparison tree) {
        return splits.computeIfAbsent(tree, key -> new SampleSplits(tree.pairs(), tree.methods()));
    }

    /// Whether a method's time differs by its own work, be it computation or waits for others, and not by waiting
    /// for a processor. True if that was not measured.
    private boolean isUsed(MethodChange change) {
        TreeComparison work = trees.get(Measure.WORK);
        AlignedMethod method = work == null ? null : work.method(change.name());
        if (work == null || method == null || work.isTooShort(method)) {
            return true;
        }
        double used =
                delta(method)
                        + delta(change.name(), trees.get(Measure.BLOCKED))
                        + delta(change.name(), trees.get(Measure.WAITING));
        return used / change.total().delta() >= USED_MIN;
    }

    private double delta(AlignedMethod method) {
        return pairs.series(method.total, new double[0]).delta();
    }

    private static double[] wholes(List<ForkCosts> runs, Measure measure) {
        return runs.stream()
                .mapToDouble(run -> run.wholes().getOrDefault(measure, 0.0) / run.operations())
                .toArray();
    }

    /// The time of operations is missing in runs whose calls were too short to be timed.
    private static void checkMeasures(Pairs pairs) {
        Set<Set<Measure>> kinds = new LinkedHashSet<>();
        for (ForkCosts run : pairs.all()) {
            Set<Measure> kind = new LinkedHashSet<>(run.wholes().keySet());
            kind.remove(Measure.TIME);
            kind.remove(Measure.RUN_QUEUE);
            kind.addAll(run.trees().keySet());
            kind.remove(Measure.WORK);
            kinds.add(kind);
        }
        if (kinds.size() > 1) {
            throw new IllegalArgumentException(
                    "The runs cannot be compared, because they were measured by different clocks: "
                            + kinds);
        }
    }
}
