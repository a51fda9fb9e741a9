package dev.oriel.graph.traversal;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.catalog.LabelRules;
import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.element.EdgeIterator;
import dev.oriel.graph.element.FoundEdges;
import dev.oriel.graph.element.FoundVertices;
import dev.oriel.graph.element.RangeReads;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.element.VertexIterator;
import dev.oriel.graph.element.VertexRange;
import dev.oriel.graph.range.Conditions;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.range.IndexPlace;
import dev.oriel.graph.range.IndexedProperty;
import dev.oriel.graph.range.RowConditions;
import dev.oriel.table.definition.Table;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/// `V()` or `E()` with conditions over the tables of a [StoredGraph].
public final class OrielGraphStep<S, E extends Element> extends FoldedGraphStep<S, E> {
    private static final long serialVersionUID = 1L;

    OrielGraphStep(GraphStepContract<S, E> original) {
        super(original);
    }

    private StoredGraph graph() {
        return (StoredGraph) getTraversal().getGraph().orElseThrow();
    }

    @Override
    Iterator<? extends Element> withIds(Object... wanted) {
        return returnsVertex() ? graph().vertices(wanted) : graph().edges(wanted);
    }

    @Override
    Iterator<? extends Element> found() {
        return returnsVertex() ? vertices() : edges();
    }

    private List<VertexLabel> vertexLabels() {
        List<VertexLabel> passing = new ArrayList<>();
        for (VertexLabel label : graph().catalog().vertexLabels().byName().values()) {
            if (Conditions.pass(getHasContainers(), label.name())) {
                passing.add(label);
            }
        }
        return passing;
    }

    private List<EdgeLabel> edgeLabels() {
        List<EdgeLabel> passing = new ArrayList<>();
        for (EdgeLabel label : graph().catalog().edgeLabels().byName().values()) {
            if (Conditions.pass(getHasContainers(), label.name())) {
                passing.add(label);
            }
        }
        return passing;
    }

    private @Nullable IndexChoice choice(VertexLabel label) {
        return choice(label.table());
    }

    private @Nullable IndexChoice choice(EdgeLabel label) {
        return choice(label.table());
    }

    private @Nullable IndexChoice choice(Table table) {
        return IndexChoice.best(
                table,
                table.indexes(),
                IndexedProperty.of(table, graph().catalog().keys()),
                getHasContainers(),
                order());
    }

    private Iterator<Vertex> vertices() {
        StoredGraph graph = graph();
        List<VertexLabel> scanned = new ArrayList<>();
        List<Iterator<Vertex>> parts = new ArrayList<>();
        List<VertexLabel> labels = vertexLabels();
        for (VertexLabel label : labels) {
            IndexChoice choice = choice(label);
            if (choice == null) {
                checkIndexed(label.name(), label.rules());
                scanned.add(label);
            } else {
                List<HasContainer> rest = rest(choice);
                IndexPlace place = new IndexPlace(label.table(), choice);
                boolean wanted = wantsProperties() || !rest.isEmpty();
                FoundVertices found = new FoundVertices(graph, label, place, wanted);
                if (labels.size() > 1) {
                    found.begin();
                }
                parts.add(part(found, rest, choice));
            }
        }
        if (!scanned.isEmpty()) {
            List<HasContainer> rest = rest(null);
            boolean wanted = wantsProperties() || !rest.isEmpty();
            VertexIterator all = new VertexIterator(graph, scanned, wanted);
            parts.add(Conditions.filtered(all, rest, limit()));
        }
        return Conditions.concat(parts);
    }

    private Iterator<Edge> edges() {
        StoredGraph graph = graph();
        List<EdgeLabel> scanned = new ArrayList<>();
        List<Iterator<Edge>> parts = new ArrayList<>();
        List<EdgeLabel> labels = edgeLabels();
        for (EdgeLabel label : labels) {
            IndexChoice choice = choice(label);
            if (choice == null) {
                checkIndexed(label.name(), label.rules());
                scanned.add(label);
            } else {
                IndexPlace place = new IndexPlace(label.table(), choice);
                FoundEdges found = new FoundEdges(graph, label, place);
                if (labels.size() > 1) {
                    found.begin();
                }
                parts.add(part(found, rest(choice), choice));
            }
        }
        if (!scanned.isEmpty()) {
            Iterator<Edge> all = EdgeIterator.all(graph, scanned);
            parts.add(Conditions.filtered(all, rest(null), limit()));
        }
        return Conditions.concat(parts);
    }

    private void checkIndexed(String label, LabelRules rules) {
        List<HasContainer> rest = rest(null);
        if (Conditions.mayBeMet(rest, rules)) {
            checkIndexed(label, rest);
        }
    }

    @Override
    long countFound() {
        long count = 0;
        if (returnsVertex()) {
            for (VertexLabel label : vertexLabels()) {
                IndexChoice choice = choice(label);
                List<HasContainer> rest = rest(choice);
                if (choice == null) {
                    checkIndexed(label.name(), label.rules());
                }
                count += new VertexRange(graph(), label, choice, rest).count(limit());
            }
            return count;
        }
        for (EdgeLabel label : edgeLabels()) {
            IndexChoice choice = choice(label);
            List<HasContainer> rest = rest(choice);
            if (choice == null) {
                checkIndexed(label.name(), label.rules());
            }
            count += count(label, choice, rest);
        }
        return count;
    }

    private long count(EdgeLabel label, @Nullable IndexChoice choice, List<HasContainer> rest) {
        RangeReads reads = graph().work().reads();
        if (rest.isEmpty()) {
            return reads.count(label, choice);
        }
        RowConditions rows = RowConditions.of(rest, label.columns(), graph().catalog().keys());
        return rows == null
                ? Conditions.count(all(label, choice), rest, limit())
                : reads.count(label, choice, rows, limit());
    }

    private Iterator<Edge> all(EdgeLabel label, @Nullable IndexChoice choice) {
        return choice == null
                ? EdgeIterator.all(graph(), List.of(label))
                : new FoundEdges(graph(), label, new IndexPlace(label.table(), choice));
    }

    @Override
    List<String> plan() {
        List<String> words = new ArrayList<>();
        if (returnsVertex()) {
            vertexLabels().forEach(label -> tell(choice(label), words));
        } else {
            edgeLabels().forEach(label -> tell(choice(label), words));
        }
        return words;
    }

    private void tell(@Nullable IndexChoice choice, List<String> words) {
        if (choice != null) {
            words.add(Conditions.words(choice, first()));
        }
    }

    @Override
    public OrielGraphStep<S, E> clone() {
        return (OrielGraphStep<S, E>) super.clone();
    }
}
