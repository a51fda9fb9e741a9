package dev.oriel.compare;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.ProbeCost;
import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Totals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Tells which methods are called so often that recording their calls would be compared rather than the program.
final class CostlyCalls {
    /// Share of the program's processor time that recording may take.
    private static final double SHARE_MAX = 0.1;

    private CostlyCalls() {}

    /// The names of the methods to leave out so that the rest of recording is cheap, the most called first. Empty if
    /// all of it is cheap.
    ///
    /// @param files recordings of both programs with all methods
    /// @param kept name of a method that must be recorded, or its end; empty for none
    static Set<String> of(List<ProfileResult> files, String kept) {
        Map<String, Double> nanos = recording(files);
        double used = used(files);
        double recording = nanos.values().stream().mapToDouble(Double::doubleValue).sum();
        if (used <= 0) {
            return Set.of(); // the JVM does not tell its processor time
        }
        double allowed = SHARE_MAX * Math.max(0, used - recording);
        List<Map.Entry<String, Double>> most = new ArrayList<>(nanos.entrySet());
        most.sort(
                Map.Entry.<String, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()));
        Set<String> left = new LinkedHashSet<>();
        for (Map.Entry<String, Double> each : most) {
            if (recording > allowed && !isKept(each.getKey(), kept)) {
                left.add(each.getKey());
                recording -= each.getValue();
            }
        }
        return left;
    }

    /// Whether recording takes more than the program does itself, so that its runs take more than twice as long.
    static boolean doubleTheTime(List<ProfileResult> files) {
        double recording =
                recording(files).values().stream().mapToDouble(Double::doubleValue).sum();
        return recording > used(files) - recording;
    }

    /// Processor time of the program and of recording.
    private static double used(List<ProfileResult> files) {
        double used = 0;
        for (ProfileResult file : files) {
            Totals totals = file.totals();
            used += (double) totals.cpuNanos() - Math.max(0, totals.jvm().otherNanos());
        }
        return used;
    }

    /// Time that recording took, by methods.
    private static Map<String, Double> recording(List<ProfileResult> files) {
        ProbeCost cost = RunCosts.leastCost(files);
        Map<String, Double> nanos = new HashMap<>();
        double each = cost.pairNanos();
        files.forEach(file -> file.roots().forEach(root -> add(root, each, nanos)));
        return nanos;
    }

    private static boolean isKept(String name, String kept) {
        return !kept.isEmpty() && (name.equals(kept) || name.endsWith("." + kept));
    }

    private static void add(CallNode call, double each, Map<String, Double> nanos) {
        nanos.merge(call.name(), each * call.calls(), Double::sum);
        call.children().forEach(child -> add(child, each, nanos));
    }
}
