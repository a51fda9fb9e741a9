package dev.oriel.profiler;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// The data of a profile, recorded or read by a [ProfileReader]: the exact call tree, summed over threads, and
/// samples. The two have different clocks, which are never added. Every report takes this value. Immutable.
///
/// @param startedAt when recording began
/// @param wallNanos duration of the recording; 0 if the source does not tell
/// @param cost cost of recording one call, measured when the profile ran
/// @param openCalls calls that had begun and not ended when the profile stopped
/// @param roots the calls without recorded caller, in falling order of total
/// @param samples in order of time
/// @param totals measurements of the whole process
/// @param facts origin of the result, as words: `java`, `os`, `source`, `title` and others that a source
///     knows
/// @param notes notes for the reader: samples that could not be taken, and why
public record ProfileResult(
        Instant startedAt,
        long wallNanos,
        ProbeCost cost,
        long openCalls,
        List<CallNode> roots,
        List<Sample> samples,
        Totals totals,
        Map<String, String> facts,
        List<String> notes) {

    /// Factor to the cost of recording: a call with a shorter mean is too short to time.
    public static final int SHORTEST_TIMED_PAIRS = 3;

    /// Copies the collections.
    public ProfileResult {
        roots = List.copyOf(roots);
        samples = List.copyOf(samples);
        facts = Collections.unmodifiableMap(new TreeMap<>(facts));
        notes = List.copyOf(notes);
    }

    /// A result with trees and samples alone.
    public ProfileResult(
            Instant startedAt,
            long wallNanos,
            long probePairNanos,
            long openCalls,
            List<CallNode> roots,
            List<Sample> samples,
            List<String> notes) {
        this(
                startedAt,
                wallNanos,
                new ProbeCost(probePairNanos / 2, probePairNanos - probePairNanos / 2),
                openCalls,
                roots,
                samples,
                Totals.UNKNOWN,
                Map.of(),
                notes);
    }

    /// Cost of recording one call.
    public long probePairNanos() {
        return cost.pairNanos();
    }

    /// Time in calls in which the program computed, in nanoseconds: the cost of recording is a share of it, not of
    /// waits.
    public long computingNanos() {
        long total = totalNanos();
        long cpu = totals().cpuNanos();
        return cpu > 0 ? Math.min(cpu, total) : total;
    }

    /// Cost of recording all calls, including the calls counted without a time.
    public long recordingNanos() {
        long timed = 0;
        long counted = 0;
        for (MethodCost method : methods()) {
            counted += method.detail().untimedCalls();
            timed += method.calls() - method.detail().untimedCalls();
        }
        return timed * probePairNanos() + counted * cost.countedNanos();
    }

    /// This result with other totals.
    public ProfileResult withTotals(Totals other) {
        return new ProfileResult(
                startedAt, wallNanos, cost, openCalls, roots, samples, other, facts, notes);
    }

    /// This result with the number of operations done: statements, gets, rows.
    public ProfileResult withOperations(long operations) {
        return withTotals(totals.withOperations(operations));
    }

    /// This result with one more fact, or another value for one.
    public ProfileResult withFact(String name, String value) {
        Map<String, String> more = new TreeMap<>(facts);
        more.put(name, value);
        return new ProfileResult(
                startedAt, wallNanos, cost, openCalls, roots, samples, totals, more, notes);
    }

    /// Whether there is no call and no sample.
    public boolean isEmpty() {
        return roots.isEmpty() && samples.isEmpty();
    }

    /// The total of all roots, which is the sum of all self times.
    ///
    /// @throws ArithmeticException if it is more than 292 years; a reader refuses such a file
    public long totalNanos() {
        long sum = 0;
        for (CallNode root : roots) {
            sum = Math.addExact(sum, root.totalNanos());
        }
        return sum;
    }

    /// The number of recorded calls.
    ///
    /// @throws ArithmeticException if it exceeds a `long`
    public long calls() {
        return calls(roots);
    }

    /// Whether calls of this mean are too short to time: their count is exact, but their time is mostly the cost
    /// of recording them.
    public boolean tooShort(long calls, long meanNanos) {
        return calls > 0 && meanNanos < SHORTEST_TIMED_PAIRS * probePairNanos();
    }

    /// The methods of the call tree, in falling order of self time.
    public List<MethodCost> methods() {
        return MethodCosts.of(roots, cost);
    }

    /// The tree upside down: each method, with its callers below it. The total of a node is the self time of the
    /// method at the top that was reached through the node. Its calls are the calls of that method by this path.
    /// So the totals of the roots add up to the whole here, too.
    public List<CallNode> inverted() {
        return MethodCosts.inverted(roots);
    }

    /// The samples of one kind.
    public List<Sample> samples(SampleKind kind) {
        return samples.stream().filter(sample -> sample.kind() == kind).toList();
    }

    /// The weight of all samples of one kind, in its unit.
    ///
    /// @throws ArithmeticException if it exceeds a `long`
    public long weight(SampleKind kind) {
        long sum = 0;
        for (Sample sample : samples) {
            if (sample.kind() == kind) {
                sum = Math.addExact(sum, sample.weight());
            }
        }
        return sum;
    }

    private static long calls(List<CallNode> nodes) {
        long sum = 0;
        for (CallNode node : nodes) {
            sum = Math.addExact(sum, Math.addExact(node.calls(), calls(node.children())));
        }
        return sum;
    }
}
