package dev.oriel.sql.watch;

import dev.oriel.profiler.CallNode;
import dev.oriel.profiler.MethodCost;
import dev.oriel.profiler.Sample;
import dev.oriel.profiler.SampleKind;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Costs of methods in a run, by clock. `exact` is the call tree, in nanoseconds. Every kind of sample is a clock
/// of its own, in the unit of the kind. Figures of different clocks are never added.
public final class ProfileFrames {
    static final String EXACT = "exact";
    private static final double HALF = 0.5;

    /// Number of standard errors on each side of a 95 % interval.
    private static final double ERRORS = 1.96;

    private ProfileFrames() {}

    /// The cost of one method by one clock.
    ///
    /// @param calls 0 if the clock counts none
    /// @param self in the unit of the clock
    public record Frame(
            String clock, String unit, String name, long calls, long self, long total) {}

    /// A frame in two runs, per statement.
    ///
    /// @param low and `high`: the 95 % confidence interval of the ratio, for the sampling error alone;
    ///     not a number if the clock is exact
    public record Change(
            String clock,
            String unit,
            String name,
            double before,
            double after,
            double ratio,
            double callsRatio,
            double timeRatio,
            double low,
            double high,
            String verdict) {}

    public static String clock(SampleKind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }

    public static List<Frame> of(ProfileRuns.Run run) {
        List<Frame> frames = new ArrayList<>();
        for (MethodCost method : run.result().methods()) {
            frames.add(
                    new Frame(
                            EXACT,
                            "ns",
                            method.name(),
                            method.calls(),
                            method.selfNanos(),
                            method.totalNanos()));
        }
        Map<SampleKind, Map<String, long[]>> sampled = new TreeMap<>();
        for (ProfileRuns.Joined joined : run.samples()) {
            Sample sample = joined.sample();
            Map<String, long[]> sums =
                    sampled.computeIfAbsent(sample.kind(), kind -> new LinkedHashMap<>());
            Set<String> met = new HashSet<>();
            for (int i = 0; i < sample.stack().size(); i++) {
                String name = sample.stack().get(i).name();
                long[] sum = sums.computeIfAbsent(name, any -> new long[2]);
                sum[0] += i == 0 ? sample.weight() : 0;
                sum[1] += met.add(name) ? sample.weight() : 0;
            }
        }
        sampled.forEach((kind, sums) ->
                sums.forEach((name, sum) ->
                        frames.add(new Frame(clock(kind), kind.unit(), name, 0, sum[0], sum[1]))));
        return frames;
    }

    /// Stacks with their own weights, outermost frame first. They come from samples of running code or else of
    /// processor time; without samples, from the exact tree.
    ///
    /// @param statement the kind of statement to include; null for all
    public static Map<String, Long> flame(ProfileRuns.Run run, @Nullable String statement) {
        Map<String, Long> stacks = new TreeMap<>();
        SampleKind kind =
                run.result().weight(SampleKind.CPU_TIME) > 0 ? SampleKind.CPU_TIME : SampleKind.CPU;
        boolean sampled = false;
        for (ProfileRuns.Joined joined : run.samples()) {
            if (joined.sample().kind() != kind) {
                continue;
            }
            sampled = true;
            StatementEntry entry = joined.statement();
            if (statement == null || (entry != null && entry.name().equals(statement))) {
                stacks.merge(stack(joined.sample()), joined.sample().weight(), Long::sum);
            }
        }
        if (!sampled && statement == null) {
            run.result().roots().forEach(root -> flame(root, "", stacks));
        }
        return stacks;
    }

    private static void flame(CallNode node, String above, Map<String, Long> into) {
        String stack = above.isEmpty() ? node.name() : above + ";" + node.name();
        if (node.selfNanos() > 0) {
            into.merge(stack, node.selfNanos(), Long::sum);
        }
        node.children().forEach(child -> flame(child, stack, into));
    }

    /// The frames separated by `;`, outermost first.
    public static String stack(Sample sample) {
        StringBuilder stack = new StringBuilder();
        for (Sample.StackFrame frame : sample.stack().reversed()) {
            stack.append(stack.isEmpty() ? "" : ";").append(frame.name());
        }
        return stack.toString();
    }

    /// The operators whose calls a sample is in, outermost first: `Limit > Sort > Scan`; null if there are none.
    public static @Nullable String operators(Sample sample) {
        StringBuilder path = new StringBuilder();
        String last = "";
        for (Sample.StackFrame frame : sample.stack().reversed()) {
            String name = frame.owner();
            boolean operator = name.startsWith(FollowedPlan.OPERATORS) && name.endsWith("Operator");
            if (operator && !name.equals(last) && !name.endsWith(".MeasuredOperator")) {
                last = name;
                path.append(path.isEmpty() ? "" : " > ");
                path.append(
                        name, FollowedPlan.OPERATORS.length(), name.length() - "Operator".length());
            }
        }
        return path.isEmpty() ? null : path.toString();
    }

    /// The changes from one run to another, frame by frame and per statement.
    public static List<Change> compare(ProfileRuns.Run a, ProfileRuns.Run b) {
        Map<String, Frame> before = byName(of(a));
        Map<String, Frame> after = byName(of(b));
        Set<String> keys = new HashSet<>(before.keySet());
        keys.addAll(after.keySet());
        List<Change> changes = new ArrayList<>();
        for (String key : keys) {
            Frame from = before.get(key);
            Frame to = after.get(key);
            Frame any = from == null ? to : from;
            if (any != null && (any.self() > 0 || (to != null && to.self() > 0))) {
                changes.add(change(any, from, to, a.operations(), b.operations()));
            }
        }
        changes.sort((x, y) ->
                Double.compare(Math.abs(y.after - y.before), Math.abs(x.after - x.before)));
        return changes;
    }

    private static Map<String, Frame> byName(List<Frame> frames) {
        Map<String, Frame> byName = new LinkedHashMap<>();
        frames.forEach(frame -> byName.put(frame.clock() + " " + frame.name(), frame));
        return byName;
    }

    private static Change change(
            Frame any, @Nullable Frame from, @Nullable Frame to, double opsA, double opsB) {
        double a = from == null ? 0 : from.self() / opsA;
        double b = to == null ? 0 : to.self() / opsB;
        double calls = Double.NaN;
        double time = Double.NaN;
        double low = Double.NaN;
        double high = Double.NaN;
        String verdict;
        double ratio = a == 0 ? Double.NaN : b / a;
        if (from == null || to == null) {
            verdict = from == null ? "new" : "gone";
        } else if (any.unit().equals("samples")) {
            double ln = Math.log((to.self() + HALF) / opsB / ((from.self() + HALF) / opsA));
            double error = ERRORS * Math.sqrt(1 / (from.self() + HALF) + 1 / (to.self() + HALF));
            low = Math.exp(ln - error);
            high = Math.exp(ln + error);
            verdict =
                    low > 1 || high < 1
                            ? "beyond the error of sampling, 1 run each"
                            : "within the error of sampling";
        } else {
            verdict = "no interval: 1 run each";
        }
        if (from != null && to != null && from.calls() > 0 && to.calls() > 0) {
            calls = (to.calls() / opsB) / (from.calls() / opsA);
            time = ((double) to.self() / to.calls()) / ((double) from.self() / from.calls());
        }
        return new Change(
                any.clock(), any.unit(), any.name(), a, b, ratio, calls, time, low, high, verdict);
    }
}
