package dev.oriel.compare;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Looks for the callee in which a method spends its difference, by samples of processor time. It serves for callees
/// that were not timed, because they are too short or were not recorded.
///
/// The method's own processor time is known exactly. A callee's share of the samples within the method divides that
/// time, so the error of the estimate is the error of the share alone. A callee's sampled time in the whole process
/// varies more, since it varies with the run. From the method the search goes down to the callee that has most of the
/// difference, as long as that is beyond chance. Confined to one thread.
///
/// Some code has no samples: the JVM's own, such as that of filling in an exception, and copies of memory. If one side
/// has fewer samples for its time than the other, beyond chance, the rest of its time is that of no callee.
final class InnerSearch {
    /// Share of the difference that a callee must have to be named in place of its caller.
    private static final double MOST = 0.6;

    /// Number of samples within the method, on each side, below which nothing is said.
    private static final int SAMPLES_MIN = 200;

    private final int ofA;
    private final int ofB;
    private final AlignedNode samples;

    /// Number of operations of each run.
    private final double[] operations;

    /// @param samples the sampled tree of processor time
    InnerSearch(Pairs pairs, AlignedNode samples) {
        operations = pairs.all().stream().mapToDouble(ForkCosts::operations).toArray();
        ofA = pairs.a().size();
        ofB = pairs.b().size();
        this.samples = samples;
    }

    /// Finds it.
    ///
    /// @param costs processor time of the method per operation, in each run
    /// @return null if the difference is the method's own, or samples do not tell
    @Nullable Inner find(String method, double[] costs) {
        Callee top = new Callee(method, ofA + ofB);
        collect(samples, method, top);
        double fewest = Math.min(sum(top.counts, 0, ofA), sum(top.counts, ofA, ofA + ofB));
        if (fewest < SAMPLES_MIN) {
            return null;
        }
        Sampled all = sampled(top, costs);
        double costA = all.costA;
        double costB = all.costB;
        List<String> path = new ArrayList<>(List.of(method));
        Inner found = null;
        Callee at = top;
        while (at != null) {
            Callee next = null;
            for (Callee callee : at.callees.values()) {
                Share a = Share.of(callee.counts, top.counts, 0, ofA);
                Share b = Share.of(callee.counts, top.counts, ofA, ofA + ofB);
                double delta = b.value() * costB - a.value() * costA;
                double error = Math.hypot(b.error() * costB, a.error() * costA);
                error = Math.hypot(error, all.error * Math.max(a.value(), b.value()));
                boolean most = delta / all.delta >= MOST;
                if (most
                        && Math.abs(delta) > Share.SIGMAS * error
                        && !a.movesAgainst(b, all.delta)) {
                    next = callee;
                    path.add(callee.name);
                    found = Inner.sampled(callee.name, a.value() * costA, b.value() * costB, path);
                    break; // no second one has most of it, unless others gained as much
                }
            }
            at = next;
        }
        return found;
    }

    /// Processor time of the method that has samples, per operation.
    ///
    /// @param delta difference with the time that has none
    /// @param error standard error of the difference of the two costs
    private record Sampled(double costA, double costB, double delta, double error) {}

    private Sampled sampled(Callee top, double[] costs) {
        double costA = sum(costs, 0, ofA) / ofA;
        double costB = sum(costs, ofA, ofA + ofB) / ofB;
        double delta = costB - costA;
        double[] times = new double[ofA + ofB];
        Arrays.setAll(times, run -> costs[run] * operations[run]);
        Share a = Share.rate(top.counts, times, 0, ofA);
        Share b = Share.rate(top.counts, times, ofA, ofA + ofB);
        double ratio = b.value() / a.value();
        double error = ratio * Math.hypot(a.error() / a.value(), b.error() / b.value());
        if (!(Math.abs(ratio - 1) > Share.SIGMAS * error)) { // also if a time is unknown
            return new Sampled(costA, costB, delta, 0);
        }
        return ratio < 1
                ? new Sampled(costA, costB * ratio, delta, costB * error)
                : new Sampled(costA / ratio, costB, delta, costA * error / ratio / ratio);
    }

    /// Adds the samples of all calls of `method` below `node` to `top`.
    private void collect(AlignedNode node, String method, Callee top) {
        for (AlignedNode child : node.children.values()) {
            if (child.name.equals(method)) {
                add(child, List.of(), top);
            } else {
                collect(child, method, top);
            }
        }
    }

    /// Adds the samples of a node and of all below it to `at` and the callees between the top and `at`. A method of
    /// the JDK is part of its caller. One that calls itself again is the same callee.
    private void add(AlignedNode node, List<Callee> above, Callee at) {
        at.add(node.samples);
        above.forEach(callee -> callee.add(node.samples));
        for (AlignedNode child : node.children.values()) {
            if (TreeComparison.isOfItsCaller(child.name) || child.name.equals(at.name)) {
                add(child, above, at);
                continue;
            }
            int open = 0;
            while (open < above.size() && !above.get(open).name.equals(child.name)) {
                open++;
            }
            if (open < above.size()) {
                add(child, above.subList(0, open), above.get(open));
                continue;
            }
            List<Callee> deeper = new ArrayList<>(above);
            deeper.add(at);
            add(child, deeper, at.callee(child.name));
        }
    }

    /// A callee below the method, along one path.
    private static final class Callee {
        private final String name;
        private final double[] counts;
        private final Map<String, Callee> callees = new LinkedHashMap<>();

        Callee(String name, int runs) {
            this.name = name;
            counts = new double[runs];
        }

        void add(double[] samples) {
            for (int run = 0; run < counts.length; run++) {
                counts[run] += samples[run];
            }
        }

        Callee callee(String called) {
            return callees.computeIfAbsent(called, key -> new Callee(key, counts.length));
        }
    }

    private static double sum(double[] counts, int from, int to) {
        return Share.sum(counts, from, to);
    }
}
