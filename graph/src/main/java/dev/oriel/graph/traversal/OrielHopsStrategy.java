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

/// Makes one step of hops in a row, and of hops and the count behind them. TinkerPop itself has made hops
/// in a row of `repeat(out()).times(n)` by then.
public final class OrielHopsStrategy extends AbstractTraversalStrategy<ProviderOptimizationStrategy>
        implements ProviderOptimizationStrategy {
    private static final long serialVersionUID = 1L;
    static final OrielHopsStrategy INSTANCE = new OrielHopsStrategy();

    /// Whoever asks for one of these wants to know how each traverser came to be.
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

    /// Whether traversers on the same vertex may become one, whichever way they came.
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

    /// Steps that become one.
    ///
    /// @param distinct whether each vertex that is reached counts once
    /// @param counted whether a count is behind them
    private record Row(List<Step<?, ?>> steps, List<Hop> hops, boolean distinct, boolean counted) {}

    /// The longest row that begins with `first`, or null. Hops that nobody counts go together where
    /// TinkerPop would gather traversers among them or right behind: it has decided then that this may be.
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

    /// Whether `step` lets each vertex pass once, whatever else there is to know of it.
    private static boolean isPlain(Step<?, ?> step) {
        return step instanceof DedupGlobalStep<?> dedup
                && dedup.getLocalChildren().isEmpty()
                && dedup.getScopeKeys().isEmpty();
    }

    /// Puts one step in place of `row`, and returns the one behind it.
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
