package dev.oriel.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Finds methods whose exact number of calls per operation changed, and the callers responsible. A method that is
/// called as often per call of its caller as before is not reported, however often the caller is called. If only its
/// direct calls of itself are more or less, the method is its own caller. Confined to one thread.
final class CallCounts {
    /// Relative difference below which numbers of calls per call of the caller are the same.
    private static final double INHERITED = 0.01;

    private final Pairs pairs;
    private final AlignedNode root;
    private final Family family;
    private final double edge;
    private final Map<AlignedMethod, Integer> judged = new LinkedHashMap<>();

    /// @param root of the tree of exact calls
    /// @param family tests of numbers of calls
    CallCounts(Pairs pairs, AlignedNode root, Iterable<AlignedMethod> methods, Family family) {
        this.pairs = pairs;
        this.root = root;
        this.family = family;
        edge = edge(pairs);
        for (AlignedMethod method : methods) {
            Series series = series(method);
            if (differs(series.meanA(), series.meanB())) {
                judged.put(method, family.add(series));
            }
        }
    }

    /// The error of a number of calls, as a share. If the operations are calls, a recording begins and ends within
    /// one.
    private static double edge(Pairs pairs) {
        double least = Double.POSITIVE_INFINITY;
        for (ForkCosts run : pairs.all()) {
            least = Math.min(least, run.operations());
        }
        return pairs.byCalls() ? 2 / least : 0;
    }

    private boolean differs(double a, double b) {
        return Math.abs(b - a) > edge * Math.max(a, b) && Math.max(a, b) > edge;
    }

    private Series series(AlignedMethod method) {
        return pairs.series(method.calls, new double[0]);
    }

    /// The changes, in falling order of time.
    List<CallChange> changes() {
        List<CallChange> changes = new ArrayList<>();
        judged.forEach((method, number) -> {
            Change change = family.change(number);
            Interval ratio = change.ratio();
            boolean oneSided = change.verdict() == Verdict.NEW || change.verdict() == Verdict.GONE;
            boolean apart = ratio.low() > 1 + edge || ratio.high() < 1 - edge;
            if (family.isSignificant(number) && (oneSided || (ratio.closed() && apart))) {
                add(method, changes);
            }
        });
        changes.sort(
                Comparator.comparingDouble((CallChange change) -> Math.abs(change.nanos()))
                        .thenComparingDouble(change -> Math.abs(change.callsB() - change.callsA()))
                        .reversed());
        return changes;
    }

    private void add(AlignedMethod method, List<CallChange> changes) {
        Found found = new Found();
        look(method.name, root, List.of(), found);
        if (found.path.isEmpty()) {
            return;
        }
        Series calls = series(method);
        Series total = pairs.series(method.total, new double[0]);
        double count = calls.meanA() + calls.meanB();
        double each = count == 0 ? 0 : (total.meanA() + total.meanB()) / count;
        changes.add(
                new CallChange(
                        method.name,
                        found.path,
                        calls.meanA(),
                        calls.meanB(),
                        each * calls.delta()));
    }

    /// The path whose number of calls changed most by itself.
    private static final class Found {
        private double most;
        private List<String> path = List.of();
    }

    private void look(String name, AlignedNode caller, List<String> path, Found found) {
        for (AlignedNode node : caller.children.values()) {
            List<String> deeper = new ArrayList<>(path);
            deeper.add(node.name);
            double a = meanA(node.calls);
            double b = meanB(node.calls);
            if (node.name.equals(name)
                    && !caller.name.equals(name)
                    && Math.abs(b - a) > found.most
                    && !isInherited(caller, a, b)) {
                found.most = Math.abs(b - a);
                found.path = new ArrayList<>(deeper);
                if (isRecursion(caller, node)) {
                    found.path.add(name);
                }
            }
            look(name, node, deeper, found);
        }
    }

    /// Whether the caller calls the method as often as before, so that the further calls are its own.
    private boolean isRecursion(AlignedNode caller, AlignedNode node) {
        double a = meanA(node.calls) - meanA(node.recursive);
        double b = meanB(node.calls) - meanB(node.recursive);
        boolean same = Math.abs(b - a) <= Math.max(edge, INHERITED) * Math.max(a, b);
        return caller == root ? same : isInherited(caller, a, b);
    }

    private boolean isInherited(AlignedNode caller, double a, double b) {
        double callerA = meanA(caller.calls);
        double callerB = meanB(caller.calls);
        if (caller == root || callerA + callerB == 0) {
            return false;
        }
        if (callerA == 0 || callerB == 0) {
            return true; // the caller itself is new, or gone
        }
        double eachA = a / callerA;
        double eachB = b / callerB;
        return Math.abs(eachB - eachA) <= Math.max(edge, INHERITED) * Math.max(eachA, eachB);
    }

    private double meanA(double[] calls) {
        return Arrays.stream(calls, 0, pairs.a().size()).average().orElse(0);
    }

    private double meanB(double[] calls) {
        int from = pairs.a().size();
        return Arrays.stream(calls, from, from + pairs.b().size()).average().orElse(0);
    }
}
