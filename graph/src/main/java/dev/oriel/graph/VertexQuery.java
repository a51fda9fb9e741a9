package dev.oriel.graph;

import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.VertexRange;
import dev.oriel.graph.range.Conditions;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.range.IndexedProperty;
import dev.oriel.graph.range.TraversalDeadline;
import dev.oriel.graph.traversal.Settings;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/// The vertices of a label that satisfy conditions, without a traversal. It is equivalent to Gremlin's
/// `g.V().hasLabel(label).has(key, condition)`: the same results, indexes and settings ([OrielGraph#UNINDEXED],
/// [OrielGraph#TIMEOUT_MILLIS]).
///
/// ```java
/// for (OrielVertex person : graph.find("person").has("city", "Ulm")) { ... }
/// long grown = graph.find("person").has("city", "Ulm").has("age", P.gte(18)).count();
/// ```
/// Immutable: each condition makes a new query. It reads in the transaction of the calling thread.
public final class VertexQuery implements Iterable<OrielVertex> {
    private final OrielGraph graph;
    private final String label;
    private final List<HasContainer> conditions;

    VertexQuery(OrielGraph graph, String label, List<HasContainer> conditions) {
        this.graph = graph;
        this.label = label;
        this.conditions = conditions;
    }

    /// Adds the condition that `key` has this value; if `value` is a predicate [P], that a value of `key` satisfies it.
    public VertexQuery has(String key, Object value) {
        return has(key, value instanceof P<?> condition ? condition : P.eq(value));
    }

    /// Adds the condition that a value of `key` satisfies `condition`.
    public VertexQuery has(String key, P<?> condition) {
        List<HasContainer> more = new ArrayList<>(conditions);
        more.add(new HasContainer(key, condition));
        return new VertexQuery(graph, label, more);
    }

    /// The range of vertices to read; null if the label does not exist or contradicts a condition.
    private @Nullable VertexRange range() {
        VertexLabel known = graph.catalog().vertexLabels().byName().get(label);
        if (known == null || !Conditions.pass(conditions, label)) {
            return null;
        }
        IndexChoice choice =
                IndexChoice.best(
                        known.table(),
                        known.table().indexes(),
                        IndexedProperty.of(known.table(), graph.catalog().keys()),
                        conditions,
                        null);
        List<HasContainer> met = choice == null ? List.of() : choice.met();
        List<HasContainer> rest = Conditions.rest(conditions, met);
        if (choice == null && Conditions.mayBeMet(rest, known.rules())) {
            Settings.unindexed(graph.configuration()).act(rest, label, "vertices", this);
        }
        return new VertexRange(graph, known, choice, rest);
    }

    private TraversalDeadline limit() {
        return new TraversalDeadline(Settings.timeoutMillis(graph.configuration()));
    }

    /// Number of vertices. If an index range answers it, it is the size of the range; otherwise rows are counted
    /// without making objects.
    ///
    /// @throws IllegalArgumentException if no index serves, and the graph refuses such queries
    /// @throws dev.oriel.store.LimitException if it takes longer than the graph allows
    public long count() {
        VertexRange range = range();
        return range == null ? 0 : range.count(limit());
    }

    /// The vertices with their properties, read lazily in batches. Vertices added meanwhile are not among them.
    ///
    /// @throws IllegalArgumentException if no index serves, and the graph refuses such queries
    @Override
    @SuppressWarnings("unchecked") // all vertices of the graph are OrielVertex
    public Iterator<OrielVertex> iterator() {
        VertexRange range = range();
        if (range == null) {
            return List.<OrielVertex>of().iterator();
        }
        TraversalDeadline limit = limit();
        Iterator<Vertex> found = limit.of(range.vertices(true, limit));
        return (Iterator<OrielVertex>) (Iterator<?>) found;
    }

    @Override
    public String toString() {
        return label + conditions;
    }
}
