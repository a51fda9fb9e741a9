package dev.oriel.compare;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The result of comparing runs of A and B: the whole operation by each measure, the methods, and the causes of
/// differences. Immutable.
///
/// The cost of an operation is compared by the logarithms of ratios of runs that took turns. So a drift of the
/// machine cancels out. An interval is Student's t over them, at 95 %. The measures of the operation are tested
/// against one false discovery rate of 5 %. The methods and paths with half a percent of it or more are tested
/// against another: however many methods differ, they do not make the operation differ more easily. A cost differs
/// if its whole interval lies outside of +-2 %.
///
/// @param pairs number of pairs of runs
/// @param inTurns whether they took turns
/// @param byCalls whether the time in calls is the operation's time, as if a method's calls are the
///     operations; otherwise wall time comes first
/// @param noisy whether A against itself differed more than it should, so that intervals are wider
/// @param operation the whole operation, by measure
/// @param methods methods with half a percent of the operation or more, by measure
/// @param causes the deepest methods that explain the differences, the greatest difference first
/// @param calls methods whose exact number of calls per operation changed, in falling order of time
/// @param trees the paths, by measure, for a flame graph
public record Comparison(
        int pairs,
        boolean inTurns,
        boolean byCalls,
        boolean noisy,
        Map<Measure, Difference> operation,
        Map<Measure, List<MethodChange>> methods,
        List<Cause> causes,
        List<CallChange> calls,
        Map<Measure, CallDifference> trees) {
    /// Width of an interval, as a share, at which there is no more to find out.
    private static final double NARROW = 0.05;

    /// Copies lists and maps.
    public Comparison {
        operation = copy(operation);
        methods = copy(methods);
        causes = List.copyOf(causes);
        calls = List.copyOf(calls);
        trees = copy(trees);
    }

    /// Compares.
    ///
    /// @throws IllegalArgumentException if there is no run of a side, or the runs were not
    ///     measured alike
    public static Comparison of(Pairs pairs) {
        return all(List.of(pairs)).getFirst();
    }

    /// Compares several things at once, such as the benchmarks of two files: a difference has to stand out among
    /// all of them.
    ///
    /// @throws IllegalArgumentException as [#of(Pairs)] does
    public static List<Comparison> all(List<Pairs> everything) {
        Family operations = new Family();
        Family methods = new Family();
        Family calls = new Family();
        List<OperationComparison> parts =
                everything.stream()
                        .map(pairs -> new OperationComparison(pairs, operations, methods, calls))
                        .toList();
        operations.settle();
        methods.settle();
        calls.settle();
        return parts.stream().map(OperationComparison::comparison).toList();
    }

    /// The verdict on the operation, by the first measure with a significant difference. Closing lines and exit codes
    /// follow it. A method inside that costs more decides nothing.
    public Verdict verdict() {
        Measure decides = decidedBy();
        if (decides != null) {
            return whole(decides).delta() > 0 ? Verdict.SLOWER : Verdict.FASTER;
        }
        Measure first = leading();
        boolean same = first != null && whole(first).change().verdict() == Verdict.SAME;
        return same && pairs > 1 ? Verdict.SAME : Verdict.UNKNOWN;
    }

    /// The measure that decides; null if none tells A and B apart.
    public @Nullable Measure decidedBy() {
        for (Measure measure : order()) {
            Difference whole = whole(measure);
            boolean less = measure == Measure.BYTES && whole.delta() < 0;
            if (whole.matters() && !(less && mayBeSlower())) {
                return measure;
            }
        }
        return null;
    }

    /// Whether a time of the operation is unknown, and seems to be more. Then less allocation decides nothing: memory
    /// is often saved at the cost of time.
    private boolean mayBeSlower() {
        for (Measure measure : order()) {
            Change change = whole(measure).change();
            boolean more = change.ratio().value() > 1 + Change.ZONE;
            if (measure != Measure.BYTES && change.verdict() == Verdict.UNKNOWN && more) {
                return true;
            }
        }
        return false;
    }

    /// The measure that matters most; null if only methods were measured.
    public @Nullable Measure leading() {
        List<Measure> order = order();
        return order.isEmpty() ? null : order.getFirst();
    }

    /// The measures of the operation, the one that matters most first.
    List<Measure> order() {
        List<Measure> order = new ArrayList<>(byCalls ? Measure.OF_CALLS : Measure.OF_RUNS);
        order.retainAll(operation.keySet());
        return order;
    }

    private Difference whole(Measure measure) {
        return Objects.requireNonNull(operation.get(measure));
    }

    /// Whether an operation of B costs more.
    public boolean worse() {
        return verdict() == Verdict.SLOWER;
    }

    /// Whether an operation of B costs less.
    public boolean better() {
        return verdict() == Verdict.FASTER;
    }

    /// Whether any difference was found, be it in a method's cost or in its number of calls.
    public boolean differs() {
        return !causes.isEmpty()
                || !calls.isEmpty()
                || operation.values().stream().anyMatch(Difference::matters);
    }

    /// Whether it is unknown if an operation costs more or less.
    public boolean unknown() {
        return verdict() == Verdict.UNKNOWN;
    }

    /// Whether the time of an untimed callee was found by itself.
    private static boolean explains(Cause callee, Cause cause) {
        return callee.method().measure().unit().equals("ns")
                && callee.worse() == cause.worse()
                && cause.untimed().contains(callee.method().name());
    }

    /// Whether a measure is of the time in calls that were timed.
    static boolean isOfCalls(Measure measure) {
        return measure == Measure.TIME || measure == Measure.WORK;
    }

    /// The greatest cause by time in calls, if neither samples nor numbers of calls tell which of its callees it comes
    /// from; else null.
    @Nullable Cause unexplained() {
        Measure decides = decidedBy();
        if (decides == null || decides == Measure.BYTES) {
            return null;
        }
        for (Cause cause : causes) {
            if (isOfCalls(cause.method().measure()) && !cause.moved()) {
                String name = cause.method().name();
                boolean told =
                        cause.inner() != null
                                || calls.stream().anyMatch(call -> call.path().contains(name))
                                || causes.stream().anyMatch(other -> explains(other, cause));
                return told ? null : cause;
            }
        }
        return null;
    }

    /// Number of further pairs to tell whether the operation costs more or less by the measure that matters most.
    /// They would tell with a probability of 80 %, if the ratio and the spread seen so far are true; 0 if it is
    /// already told.
    public int morePairs() {
        Measure first = leading();
        return first == null ? 0 : whole(first).morePairs();
    }

    /// Number of further pairs to know the cost of the operation within 5 %, by the measure that decided or
    /// matters most, at the spread seen so far; 0 if it is known.
    public int morePairsForPrecision() {
        Measure decides = decidedBy();
        Measure measure = decides == null ? leading() : decides;
        return measure == null ? 0 : whole(measure).change().morePairs(NARROW);
    }

    private static <V> Map<Measure, V> copy(Map<Measure, V> map) {
        return map.isEmpty() ? Map.of() : Collections.unmodifiableMap(new EnumMap<>(map));
    }
}
