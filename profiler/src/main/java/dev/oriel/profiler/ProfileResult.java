package dev.oriel.profiler;

import java.time.Instant;
import java.util.List;

/// What a profile recorded: the exact call tree, summed over threads, and samples. Two clocks that
/// are never added to each other. Immutable.
///
/// @param startedAt when recording began
/// @param wallNanos how long recording lasted
/// @param probePairNanos what recording one call costs here, measured when the profile started
/// @param openCalls calls that had begun and not ended when the profile stopped
/// @param roots the calls without recorded caller, in falling order of total
/// @param samples in order of time
/// @param notes what the reader should know: samples that could not be taken, and why
public record ProfileResult(
        Instant startedAt,
        long wallNanos,
        long probePairNanos,
        long openCalls,
        List<CallNode> roots,
        List<Sample> samples,
        List<String> notes) {

    /// A call whose mean is below this many times the cost of recording it is too short to time.
    public static final int SHORTEST_TIMED_PAIRS = 3;

    /// Copies the lists.
    public ProfileResult {
        roots = List.copyOf(roots);
        samples = List.copyOf(samples);
        notes = List.copyOf(notes);
    }

    /// The total of all roots, which is the sum of all self times.
    public long totalNanos() {
        long sum = 0;
        for (CallNode root : roots) {
            sum += root.totalNanos();
        }
        return sum;
    }

    /// The number of recorded calls.
    public long calls() {
        return calls(roots);
    }

    /// Whether calls of this mean are too short to time: their count is exact, their time is mostly
    /// that of recording them.
    public boolean tooShort(long calls, long meanNanos) {
        return calls > 0 && meanNanos < SHORTEST_TIMED_PAIRS * probePairNanos;
    }

    /// The methods of the call tree, in falling order of self time.
    public List<MethodCost> methods() {
        return MethodCosts.of(roots);
    }

    /// The tree upside down: each method, with its callers below it. The total of a node is the self
    /// time of the method at the top that was spent by way of the node, and its calls are those calls
    /// of that method; so here, too, the totals of the roots add up to the whole.
    public List<CallNode> inverted() {
        return MethodCosts.inverted(roots);
    }

    /// The samples of one kind.
    public List<Sample> samples(SampleKind kind) {
        return samples.stream().filter(sample -> sample.kind() == kind).toList();
    }

    private static long calls(List<CallNode> nodes) {
        long sum = 0;
        for (CallNode node : nodes) {
            sum += node.calls() + calls(node.children());
        }
        return sum;
    }
}
