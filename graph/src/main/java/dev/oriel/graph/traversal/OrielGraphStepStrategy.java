package dev.oriel.graph.traversal;

import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.tables.RowGraph;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy.ProviderOptimizationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.ValueTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ElementMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.OrderGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertiesStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertyMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.javatuples.Pair;

/// Folds the conditions after `V()` and `E()` into them, so that only matching rows are read. Labels become
/// tables, ids become lookups, conditions become index ranges. The first few in an order become the beginning of
/// an index, and a count becomes the sizes of ranges.
public final class OrielGraphStepStrategy
        extends AbstractTraversalStrategy<ProviderOptimizationStrategy>
        implements ProviderOptimizationStrategy {
    private static final long serialVersionUID = 1L;
    static final OrielGraphStepStrategy INSTANCE = new OrielGraphStepStrategy();

    private OrielGraphStepStrategy() {}

    @Override
    public void apply(Traversal.Admin<?, ?> traversal) {
        if (!OrielStrategies.folds(traversal)) {
            return;
        }
        for (GraphStep<?, ?> step : TraversalHelper.getStepsOfClass(GraphStep.class, traversal)) {
            fold(step, traversal);
        }
    }

    private static <S, E extends Element> void fold(
            GraphStep<S, E> original, Traversal.Admin<?, ?> traversal) {
        FoldedGraphStep<S, E> folded =
                traversal.getGraph().orElse(null) instanceof RowGraph
                        ? new TableGraphStep<>(original)
                        : new OrielGraphStep<>(original);
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
        if (next instanceof PropertiesStep
                || next instanceof PropertyMapStep
                || next instanceof ElementMapStep
                || next instanceof OrderGlobalStep) {
            folded.wantProperties();
        }
        if (next instanceof OrderGlobalStep<?, ?> order) {
            order(folded, order);
        } else if (next instanceof CountGlobalStep<?>) {
            count(folded, next, traversal);
        }
    }

    /// `order().by(key).limit(n)`: the sort step stays, but gets fewer elements.
    private static void order(FoldedGraphStep<?, ?> folded, OrderGlobalStep<?, ?> order) {
        if (!(order.getNextStep() instanceof RangeGlobalStep<?> range)
                || range.getHighRange() < 0
                || order.getComparators().size() != 1) {
            return;
        }
        Pair<?, ?> by = List.copyOf(order.getComparators()).getFirst();
        if (by.getValue0() instanceof ValueTraversal<?, ?> value
                && value.getBypassTraversal() == null
                && (by.getValue1() == Order.asc || by.getValue1() == Order.desc)) {
            boolean descending = by.getValue1() == Order.desc;
            folded.order(
                    new IndexChoice.Order(value.getPropertyKey(), descending),
                    range.getHighRange());
        }
    }

    /// A `count()` directly after the first step of a traversal.
    @SuppressWarnings("ReferenceEquality") // compared by identity
    private static void count(
            FoldedGraphStep<?, ?> folded, Step<?, ?> count, Traversal.Admin<?, ?> traversal) {
        boolean alone =
                traversal.isRoot()
                        && folded.isStartStep()
                        && traversal.getStartStep() == folded
                        && folded.getLabels().isEmpty();
        if (alone) {
            OrielCountStep<?> counting = new OrielCountStep<>(traversal, folded);
            OrielStrategies.replace(List.of(folded, count), counting, traversal);
        }
    }
}
