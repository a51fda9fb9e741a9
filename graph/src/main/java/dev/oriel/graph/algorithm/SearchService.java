package dev.oriel.graph.algorithm;

import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.value.Words;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;

/// Full-text search for Gremlin clients that cannot name [Words]: `g.call('oriel.search', [label: 'article',
/// property: 'text', words: 'graph database'])`.
@SuppressWarnings("rawtypes") // as the interfaces have it
final class SearchService
        implements Service<Object, Vertex>, Service.ServiceFactory<Object, Vertex> {
    private static final Map<String, String> MEANINGS = new LinkedHashMap<>();

    static {
        MEANINGS.put("label", "of the vertices");
        MEANINGS.put("property", "whose text is looked at");
        MEANINGS.put("words", "all of which it must have, in whatever order and case");
    }

    private final StoredGraph graph;

    SearchService(StoredGraph graph) {
        this.graph = graph;
    }

    @Override
    public String getName() {
        return "oriel.search";
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
    public Map describeParams() {
        return MEANINGS;
    }

    @Override
    public Service<Object, Vertex> createService(boolean isStart, Map params) {
        if (!isStart) {
            throw new UnsupportedOperationException(Exceptions.cannotUseMidTraversal);
        }
        return this;
    }

    @Override
    public CloseableIterator<Vertex> execute(ServiceCallContext context, Map params) {
        GraphTraversal<Vertex, Vertex> found =
                graph.traversal()
                        .V()
                        .has(
                                given(params, "label"),
                                given(params, "property"),
                                Words.containing(given(params, "words")));
        return CloseableIterator.of(found);
    }

    private static String given(Map<?, ?> params, String name) {
        if (params.get(name) instanceof String value) {
            return value;
        }
        throw new IllegalArgumentException(
                "oriel.search needs the parameter %s, a text: %s"
                        .formatted(name, MEANINGS.get(name)));
    }

    @Override
    public void close() {
        // The service holds nothing.
    }
}
