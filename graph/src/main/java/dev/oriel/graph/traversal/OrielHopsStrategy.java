package dev.oriel.graph.traversal;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy.ProviderOptimizationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.Barrier;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DedupGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.EmptyStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.jspecify.annotations.Nullable;

/// Merges consecutive hops into one step, with a following count if there is one. TinkerPop has already unrolled
/// `repeat(out()).times(n)` into consecutive hops.
public final class OrielHopsStrategy extends AbstractTraversalStrategy<ProviderOptimizationStrategy>
        implements ProviderOptimizationStrategy {
    private static final long serialVersionUID = 1L;
    static final OrielHopsStrategy INSTANCE = new OrielHopsStrategy();

    /// Requirements that depend on the path of each traverser, and so forbid merging.
    private static final Set<TraverserRequirement> WAYS =
            EnumSet.of(
                    TraverserRequirement.PATH,
                    TraverserRequirement.LABELED_PATH,
                    TraverserRequirement.SACK,
                    TraverserRequirement.ONE_BULK,
                    TraverserRequirement.SINGLE_LOOP,
                    TraverserRequirement.NESTED_LOOP);

    private OrielHopsStrategy() {}

    @Override
    @SuppressWarnings("rawtypes") // as TinkerPop gives them
    public void apply(Traversal.Admin<?, ?> traversal) {
        if (!OrielStrategies.folds(traversal)) {
            return;
        }
        List<VertexStep> hops = TraversalHelper.getStepsOfClass(VertexStep.class, traversal);
        if (hops.isEmpty()) {
            return;
        }
        for (VertexStep<?> step : hops) {
            OrielEdgesStep.fold(step, traversal);
        }
        boolean mayMeet = mayMeet(traversal);
        Step<?, ?> step = traversal.getStartStep();
        while (!isEnd(step)) {
            Row row = row(step, mayMeet);
            step = row == null ? step.getNextStep() : replace(row, traversal);
        }
        Traversal.Admin<?, ?> root = TraversalHelper.getRootTraversal(traversal);
        boolean profiled =
                !TraversalHelper.getStepsOfClass(ProfileSideEffectStep.class, root).isEmpty();
        for (VertexStep<?> left : TraversalHelper.getStepsOfClass(VertexStep.class, traversal)) {
            if (profiled || !UnindexedHops.of(traversal, List.of(Hop.of(left))).isEmpty()) {
                OrielVertexStep.replace(left, traversal);
            }
        }
    }

    private static boolean isEnd(Step<?, ?> step) {
        return step instanceof EmptyStep;
    }

    /// Whether traversers on the same vertex may be merged, regardless of their paths.
    private static boolean mayMeet(Traversal.Admin<?, ?> traversal) {
        Set<TraverserRequirement> asked =
                TraversalHelper.getRootTraversal(traversal).getTraverserRequirements();
        for (TraverserRequirement each : asked) {
            if (WAYS.contains(each)) {
                return false;
            }
        }
        return true;
    }

    /// Steps to be merged into one.
    ///
    /// @param distinct whether each reached vertex counts once
    /// @param counted whether a count follows them
    private record Row(List<Step<?, ?>> steps, List<Hop> hops, boolean distinct, boolean counted) {}

    /// The longest row that begins with `first`, or null. Uncounted hops are merged only if TinkerPop has a
    /// barrier among them or directly after: it has then decided that gathering is allowed.
    private static @Nullable Row row(Step<?, ?> first, boolean mayMeet) {
        List<Step<?, ?>> steps = new ArrayList<>();
        List<Hop> hops = new ArrayList<>();
        Step<?, ?> step = first;
        int used = 0;
        boolean gathers = false;
        while (step.getClass() == VertexStep.class) {
            VertexStep<?> hop = (VertexStep<?>) step;
            steps.add(hop);
            boolean bare = hop.getLabels().isEmpty();
            if (bare && hop.getNextStep() instanceof CountGlobalStep<?> count) {
                hops.add(Hop.of(hop));
                steps.add(count);
                return new Row(steps, hops, false, true);
            }
            if (!hop.returnsVertex() || !mayMeet) {
                break;
            }
            hops.add(Hop.of(hop));
            used = steps.size();
            step = hop.getNextStep();
            if (bare && step instanceof NoOpBarrierStep) {
                steps.add(step);
                gathers = true;
                used = steps.size();
                bare = step.getLabels().isEmpty();
                step = step.getNextStep();
            }
            if (!bare) {
                break;
            }
        }
        if (!hops.isEmpty() && used == steps.size() && bare(steps) && isPlain(step)) {
            steps.add(step);
            boolean counted =
                    step.getLabels().isEmpty()
                            && step.getNextStep() instanceof CountGlobalStep<?> count
                            && steps.add(count);
            return new Row(steps, hops, true, counted);
        }
        gathers |= step instanceof Barrier;
        return hops.size() < 2 || !gathers
                ? null
                : new Row(steps.subList(0, used), hops, false, false);
    }

    private static boolean bare(List<Step<?, ?>> steps) {
        return steps.getLast().getLabels().isEmpty();
    }

    /// Whether `step` is a `dedup()` of whole vertices, without a key or scope.
    private static boolean isPlain(Step<?, ?> step) {
        return step instanceof DedupGlobalStep<?> dedup
                && dedup.getLocalChildren().isEmpty()
                && dedup.getScopeKeys().isEmpty();
    }

    /// Replaces `row` by one step, and returns the step after it.
    private static Step<?, ?> replace(Row row, Traversal.Admin<?, ?> traversal) {
        List<Step<?, ?>> steps = List.copyOf(row.steps());
        Step<?, ?> made =
                row.counted()
                        ? new OrielHopCountStep(traversal, List.copyOf(row.hops()), row.distinct())
                        : new OrielHopsStep(traversal, List.copyOf(row.hops()), row.distinct());
        OrielStrategies.replace(steps, made, traversal);
        return made.getNextStep();
    }
}
