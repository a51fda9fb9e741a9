package dev.oriel.graph.traversal;

import dev.oriel.graph.range.TraversalDeadline;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy.ProviderOptimizationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/// Enforces the time limit of the graph or the traversal. The deadline is checked in each round of a loop and at
/// each vertex or edge that is reached. A traversal without a limit stays as it is.
final class OrielLimitStrategy extends AbstractTraversalStrategy<ProviderOptimizationStrategy>
        implements ProviderOptimizationStrategy {
    private static final long serialVersionUID = 1L;
    static final OrielLimitStrategy INSTANCE = new OrielLimitStrategy();

    private OrielLimitStrategy() {}

    @Override
    public Set<Class<? extends ProviderOptimizationStrategy>> applyPrior() {
        return Set.of(OrielGraphStepStrategy.class, OrielHopsStrategy.class);
    }

    @Override
    public void apply(Traversal.Admin<?, ?> traversal) {
        if (!traversal.isRoot() || !OrielStrategies.folds(traversal)) {
            return;
        }
        long millis = Settings.timeoutMillis(traversal);
        if (millis > 0) {
            limit(traversal, new TraversalDeadline(millis));
        }
    }

    /// Recursion is as deep as traversals are nested.
    @SuppressWarnings("unchecked") // a step that passes all fits behind any
    private static void limit(Traversal.Admin<?, ?> traversal, TraversalDeadline limit) {
        for (Step<?, ?> step : List.copyOf(traversal.getSteps())) {
            if (step instanceof Cancellable limited) {
                limited.limit(limit);
            }
            if (step instanceof VertexStep<?>) {
                TraversalHelper.insertAfterStep(
                        new OrielLimitStep<Object>(traversal, limit),
                        (Step<?, Object>) step,
                        traversal);
            }
            if (step instanceof RepeatStep<?> repeat) {
                Traversal.Admin<?, ?> body = repeat.getRepeatTraversal();
                body.addStep(0, new OrielLimitStep<Object>(body, limit));
            }
            if (step instanceof TraversalParent parent) {
                parent.getLocalChildren().forEach(child -> limit(child, limit));
                parent.getGlobalChildren().forEach(child -> limit(child, limit));
            }
        }
    }
}
