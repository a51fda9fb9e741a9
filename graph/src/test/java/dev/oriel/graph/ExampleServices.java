package dev.oriel.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/// The two services that TinkerPop's features call: a text search in properties, and the number of edges of a
/// vertex. TinkerGraph's own tests register them too. They go through our registry like any user's service.
@SuppressWarnings("rawtypes") // as the interfaces have it
final class ExampleServices {
    private ExampleServices() {}

    static void register(Graph graph) {
        graph.getServiceRegistry().registerService(new Search(graph));
        graph.getServiceRegistry().registerService(new Degree());
    }

    private static final class Search
            implements Service<Object, Property<?>>, Service.ServiceFactory<Object, Property<?>> {
        private final Graph graph;

        Search(Graph graph) {
            this.graph = graph;
        }

        @Override
        public String getName() {
            return "tinker.search";
        }

        @Override
        public Type getType() {
            return Type.Start;
        }

        @Override
        public Set<Type> getSupportedTypes() {
            return Set.of(Type.Start);
        }

        @Override
        public Service<Object, Property<?>> createService(boolean isStart, Map params) {
            if (!isStart) {
                throw new UnsupportedOperationException(Exceptions.cannotUseMidTraversal);
            }
            return this;
        }

        @Override
        public CloseableIterator<Property<?>> execute(ServiceCallContext context, Map params) {
            String text = String.valueOf(params.get("search"));
            List<Property<?>> found = new ArrayList<>();
            for (Element element : elements(String.valueOf(params.get("type")))) {
                element.properties()
                        .forEachRemaining(property -> {
                            if (property.value() instanceof String value && value.contains(text)) {
                                found.add(property);
                            }
                        });
            }
            return CloseableIterator.of(found.iterator());
        }

        private Collection<Element> elements(String type) {
            List<Element> all = new ArrayList<>();
            switch (type) {
                case "Edge" -> graph.edges().forEachRemaining(all::add);
                case "VertexProperty" ->
                        graph.vertices()
                                .forEachRemaining(
                                        vertex -> vertex.properties().forEachRemaining(all::add));
                default -> graph.vertices().forEachRemaining(all::add);
            }
            return all;
        }

        @Override
        public void close() {}
    }

    private static final class Degree
            implements Service<Vertex, Long>, Service.ServiceFactory<Vertex, Long> {
        @Override
        public String getName() {
            return "tinker.degree.centrality";
        }

        @Override
        public Type getType() {
            return Type.Streaming;
        }

        @Override
        public Set<Type> getSupportedTypes() {
            return Set.of(Type.Streaming);
        }

        @Override
        public Service<Vertex, Long> createService(boolean isStart, Map params) {
            if (isStart) {
                throw new UnsupportedOperationException(Exceptions.cannotStartTraversal);
            }
            return this;
        }

        @Override
        public CloseableIterator<Long> execute(
                ServiceCallContext context, Traverser.Admin<Vertex> in, Map params) {
            Object wanted = params.get("direction");
            Direction direction = wanted == null ? Direction.IN : (Direction) wanted;
            long degree = 0;
            Iterator<Edge> edges = in.get().edges(direction);
            while (edges.hasNext()) {
                edges.next();
                degree++;
            }
            return CloseableIterator.of(List.of(degree).iterator());
        }

        @Override
        public void close() {}
    }
}
