package dev.oriel.profiler;

/// How the exact call tree is recorded.
///
/// @param depthMax levels of the tree; deeper calls are counted in one node `(other)`. Between 1 and
///     1,024, because trees are walked recursively
/// @param nodesMax nodes of a recorder's tree; calls on further paths are counted in `(other)`
/// @param histograms whether the distribution of each node's times is kept
/// @param allocation whether the bytes allocated by each node are measured: some 30 ns more a call,
///     and only on platform threads
/// @param cpu whether the processor time of nodes is measured whose calls last 20 us or more: some 500
///     ns more for each such call, and only on platform threads
/// @param expandRecursion whether a call that calls itself directly becomes a node of its own
/// @param autoTune whether nodes that are called more than a million times a second and end within
///     200 ns are, from then on, counted without a time. The result's notes name them
/// @param budget the share of a thread's time in calls that recording may take, between 0 and 1. Beyond
///     it the most called and shortest nodes are counted without a time from then on; 1 is no bound
/// @param leaveOut whether methods whose calls cost too much even without a time are left out from then
///     on: their calls are not counted either, and their probes are taken out. The result's notes name
///     them
public record TreeOptions(
        int depthMax,
        int nodesMax,
        boolean histograms,
        boolean allocation,
        boolean cpu,
        boolean expandRecursion,
        boolean autoTune,
        double budget,
        boolean leaveOut) {

    /// Defaults: 512 levels, a million nodes, with histograms, auto-tuning and a budget of a fifth.
    public static final TreeOptions USUAL =
            new TreeOptions(512, 1 << 20, true, false, false, false, true, 0.2, false);

    /// Checks the ranges.
    public TreeOptions {
        if (depthMax < 1 || depthMax > 1024) {
            throw new IllegalArgumentException("depthMax is not in 1..1024");
        }
        if (!(budget > 0 && budget <= 1)) {
            throw new IllegalArgumentException("budget is not in 0..1: " + budget);
        }
        if (nodesMax < 1) {
            throw new IllegalArgumentException("nodesMax is below 1");
        }
    }

    /// These options with other bounds.
    public TreeOptions withBounds(int depth, int nodes) {
        return new TreeOptions(
                depth,
                nodes,
                histograms,
                allocation,
                cpu,
                expandRecursion,
                autoTune,
                budget,
                leaveOut);
    }

    /// These options with or without measuring allocation.
    public TreeOptions withAllocation(boolean measured) {
        return new TreeOptions(
                depthMax,
                nodesMax,
                histograms,
                measured,
                cpu,
                expandRecursion,
                autoTune,
                budget,
                leaveOut);
    }

    /// These options with or without measuring processor time.
    public TreeOptions withCpu(boolean measured) {
        return new TreeOptions(
                depthMax,
                nodesMax,
                histograms,
                allocation,
                measured,
                expandRecursion,
                autoTune,
                budget,
                leaveOut);
    }

    /// These options with or without a node for each level of a recursion.
    public TreeOptions withExpandRecursion(boolean expanded) {
        return new TreeOptions(
                depthMax,
                nodesMax,
                histograms,
                allocation,
                cpu,
                expanded,
                autoTune,
                budget,
                leaveOut);
    }

    /// These options with or without auto-tuning.
    public TreeOptions withAutoTune(boolean tuned) {
        return new TreeOptions(
                depthMax,
                nodesMax,
                histograms,
                allocation,
                cpu,
                expandRecursion,
                tuned,
                budget,
                leaveOut);
    }

    /// These options with another budget for recording.
    public TreeOptions withBudget(double share) {
        return new TreeOptions(
                depthMax,
                nodesMax,
                histograms,
                allocation,
                cpu,
                expandRecursion,
                autoTune,
                share,
                leaveOut);
    }

    /// These options with or without leaving methods out past the budget.
    public TreeOptions withLeaveOut(boolean wanted) {
        return new TreeOptions(
                depthMax,
                nodesMax,
                histograms,
                allocation,
                cpu,
                expandRecursion,
                autoTune,
                budget,
                wanted);
    }
}
