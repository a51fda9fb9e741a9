package dev.oriel.graph.traversal;

import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.range.ReadCounts;
import dev.oriel.graph.tables.RowGraph;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jspecify.annotations.Nullable;

/// The strategies by which the graph optimizes traversals before they run.
public final class OrielStrategies {
    private OrielStrategies() {}

    public static TraversalStrategies of(Class<? extends Graph> usual) {
        return TraversalStrategies.GlobalCache.getStrategies(usual)
                .clone()
                .addStrategies(
                        OrielGraphStepStrategy.INSTANCE,
                        OrielHopsStrategy.INSTANCE,
                        OrielLimitStrategy.INSTANCE);
    }

    /// A source of hops in the graph of `traversal`.
    static HopSource hops(Traversal.Admin<?, ?> traversal) {
        return switch (traversal.getGraph().orElseThrow()) {
            case StoredGraph graph -> new OrielHops(graph);
            case RowGraph graph -> new TableHops(graph);
            case Graph other -> throw new IllegalStateException("no hops in " + other);
        };
    }

    /// The read counts of the transaction of `traversal`; null if its graph is not in a database.
    static @Nullable ReadCounts reads(Traversal.Admin<?, ?> traversal) {
        return switch (traversal.getGraph().orElse(null)) {
            case StoredGraph graph -> graph.work().reads();
            case RowGraph graph -> graph.work();
            case null, default -> null;
        };
    }

    /// Whether steps of `traversal` are folded: it runs on a graph in a database, but not on a graph computer.
    static boolean folds(Traversal.Admin<?, ?> traversal) {
        return isOwn(traversal) && !TraversalHelper.onGraphComputer(traversal);
    }

    /// Whether the graph of `traversal` is in a database.
    static boolean isOwn(Traversal.Admin<?, ?> traversal) {
        Graph graph = traversal.getGraph().orElse(null);
        return graph instanceof StoredGraph || graph instanceof RowGraph;
    }

    /// Replaces the consecutive `steps` by `made`, which takes over the labels of the last one.
    @SuppressWarnings({"unchecked", "rawtypes"}) // the types between steps do not matter
    static void replace(List<Step<?, ?>> steps, Step<?, ?> made, Traversal.Admin<?, ?> traversal) {
        TraversalHelper.copyLabels(steps.getLast(), made, false);
        TraversalHelper.insertBeforeStep((Step) made, (Step) steps.getFirst(), traversal);
        steps.forEach(traversal::removeStep);
    }
}
