package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy.ProviderOptimizationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Element;

/// Gives `V()` and `E()` the conditions that follow them, so that the tables are asked for what is wanted
/// alone: labels become tables, ids lookups, conditions ranges of indexes, and a limit ends the reading.
final class OrielGraphStepStrategy extends AbstractTraversalStrategy<ProviderOptimizationStrategy>
        implements ProviderOptimizationStrategy {
    private static final long serialVersionUID = 1L;
    static final OrielGraphStepStrategy INSTANCE = new OrielGraphStepStrategy();

    private OrielGraphStepStrategy() {}

    @Override
    public void apply(Traversal.Admin<?, ?> traversal) {
        if (TraversalHelper.onGraphComputer(traversal)
                || !(traversal.getGraph().orElse(null) instanceof OrielGraph)) {
            return;
        }
        for (GraphStep<?, ?> step : TraversalHelper.getStepsOfClass(GraphStep.class, traversal)) {
            fold(step, traversal);
        }
    }

    private static <S, E extends Element> void fold(
            GraphStep<S, E> original, Traversal.Admin<?, ?> traversal) {
        OrielGraphStep<S, E> folded = new OrielGraphStep<>(original);
        TraversalHelper.replaceStep(original, folded, traversal);
        Step<?, ?> next = folded.getNextStep();
        while (next instanceof HasStep || next instanceof NoOpBarrierStep) {
            Step<?, ?> after = next.getNextStep();
            if (next instanceof HasStep<?> has) {
                for (HasContainer condition : has.getHasContainers()) {
                    if (!GraphStep.processHasContainerIds(folded, condition)) {
                        folded.addHasContainer(condition);
                    }
                }
                TraversalHelper.copyLabels(has, has.getPreviousStep(), false);
                traversal.removeStep(has);
            }
            next = after;
        }
        if (next instanceof RangeGlobalStep<?> range && range.getHighRange() >= 0) {
            folded.limit(range.getHighRange());
        }
    }
}
