package dev.oriel.graph;

import dev.oriel.graph.computer.OrielGraphComputer;
import org.apache.tinkerpop.gremlin.GraphProvider;
import org.apache.tinkerpop.gremlin.process.computer.Computer;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;

/// Hands TinkerPop's suites graphs whose traversals run on the graph computer.
final class ComputerProviders {
    private ComputerProviders() {}

    private static GraphTraversalSource source(Graph graph) {
        return graph.traversal().withComputer(Computer.compute(OrielGraphComputer.class));
    }

    /// In memory, without a schema.
    @GraphProvider.Descriptor(computer = OrielGraphComputer.class)
    public static class InMemory extends MemoryProvider {
        @Override
        public GraphTraversalSource traversal(Graph graph) {
            return source(graph);
        }

        @Override
        @SuppressWarnings("rawtypes") // as the interface has it
        public GraphTraversalSource traversal(Graph graph, TraversalStrategy... strategies) {
            return source(graph).withStrategies(strategies);
        }
    }

    /// In memory, over declared and indexed keys.
    @GraphProvider.Descriptor(computer = OrielGraphComputer.class)
    public static class WithSchema extends SchemaProvider {
        @Override
        public GraphTraversalSource traversal(Graph graph) {
            return source(graph);
        }

        @Override
        @SuppressWarnings("rawtypes") // as the interface has it
        public GraphTraversalSource traversal(Graph graph, TraversalStrategy... strategies) {
            return source(graph).withStrategies(strategies);
        }
    }

    /// On the disk.
    @GraphProvider.Descriptor(computer = OrielGraphComputer.class)
    public static class OnDisk extends DiskProvider {
        @Override
        public GraphTraversalSource traversal(Graph graph) {
            return source(graph);
        }

        @Override
        @SuppressWarnings("rawtypes") // as the interface has it
        public GraphTraversalSource traversal(Graph graph, TraversalStrategy... strategies) {
            return source(graph).withStrategies(strategies);
        }
    }

    /// On the disk, over declared and indexed keys.
    @GraphProvider.Descriptor(computer = OrielGraphComputer.class)
    public static class WithSchemaOnDisk extends SchemaDiskProvider {
        @Override
        public GraphTraversalSource traversal(Graph graph) {
            return source(graph);
        }

        @Override
        @SuppressWarnings("rawtypes") // as the interface has it
        public GraphTraversalSource traversal(Graph graph, TraversalStrategy... strategies) {
            return source(graph).withStrategies(strategies);
        }
    }
}
