package dev.oriel.graph;

import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.structure.Graph;

/// What the graph makes of traversals before they run.
final class OrielStrategies {
    private OrielStrategies() {}

    static TraversalStrategies of(Class<? extends Graph> usual) {
        return TraversalStrategies.GlobalCache.getStrategies(usual)
                .clone()
                .addStrategies(OrielGraphStepStrategy.INSTANCE);
    }
}
