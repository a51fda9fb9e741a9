package dev.oriel.graph.traversal;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.element.EdgeIterator;
import dev.oriel.graph.element.OrielVertex;
import dev.oriel.graph.element.StoredGraph;
import dev.oriel.graph.range.Conditions;
import dev.oriel.graph.range.SortRange;
import dev.oriel.graph.range.TraversalDeadline;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FlatMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// `outE(label)` and the following conditions, if they bound sort keys of the label: a range of the edges of each
/// vertex.
public final class OrielEdgesStep extends FlatMapStep<Vertex, Edge>
        implements Profiling, Cancellable {
    private static final long serialVersionUID = 1L;

    private final transient Hop hop;

    @SuppressWarnings("serial") // traversals are not kept by serialization
    private final List<HasContainer> conditions;

    private transient ReadFigures figures = new ReadFigures();
    private transient TraversalDeadline limit = TraversalDeadline.INTERRUPT;

    private OrielEdgesStep(
            Traversal.Admin<?, ?> traversal, Hop hop, List<HasContainer> conditions) {
        super(traversal);
        this.hop = hop;
        this.conditions = conditions;
    }

    /// Replaces `step` and the conditions after it, if they bound sort keys.
    static void fold(VertexStep<?> step, Traversal.Admin<?, ?> traversal) {
        boolean fits =
                step.getClass() == VertexStep.class
                        && step.returnsEdge()
                        && step.getEdgeLabels().length == 1
                        && step.getLabels().isEmpty();
        if (!fits || !(traversal.getGraph().orElse(null) instanceof StoredGraph graph)) {
            return;
        }
        List<HasContainer> conditions = new ArrayList<>();
        List<Step<?, ?>> behind = new ArrayList<>();
        Step<?, ?> next = step.getNextStep();
        while (next instanceof HasStep<?> has) {
            conditions.addAll(has.getHasContainers());
            behind.add(has);
            next = has.getLabels().isEmpty() ? has.getNextStep() : step;
        }
        if (sorts(graph, step.getEdgeLabels()[0], conditions) == null) {
            return;
        }
        OrielEdgesStep folded = new OrielEdgesStep(traversal, Hop.of(step), conditions);
        behind.addFirst(step);
        OrielStrategies.replace(behind, folded, traversal);
    }

    private static @Nullable SortRange sorts(
            StoredGraph graph, String name, List<HasContainer> conditions) {
        EdgeLabel label = graph.catalog().edgeLabels().byName().get(name);
        return label == null ? null : SortRange.of(label, graph.catalog().keys(), conditions);
    }

    @Override
    public void setMetrics(MutableMetrics metrics) {
        figures.to(metrics);
    }

    @Override
    public void limit(TraversalDeadline wanted) {
        limit = wanted;
    }

    @Override
    protected Iterator<Edge> flatMap(Traverser.Admin<Vertex> traverser) {
        figures.by(getTraversal(), List.of(hop));
        return figures.of(limit.of(edges(traverser)), getTraversal());
    }

    private Iterator<Edge> edges(Traverser.Admin<Vertex> traverser) {
        Vertex vertex = traverser.get();
        StoredGraph graph = (StoredGraph) getTraversal().getGraph().orElseThrow();
        SortRange sorts =
                ForeignVertices.isOwn(vertex, graph)
                        ? sorts(graph, hop.labels().getFirst(), conditions)
                        : null;
        if (sorts == null || !(vertex instanceof OrielVertex own) || own.isRemoved()) {
            Iterator<Edge> all = vertex.edges(hop.direction(), hop.names());
            return Conditions.filtered(all, conditions, limit);
        }
        List<HasContainer> rest = new ArrayList<>(conditions);
        rest.removeAll(sorts.met());
        Iterator<Edge> inRange = EdgeIterator.around(graph, own.number(), hop.direction(), sorts);
        return Conditions.filtered(inRange, rest, limit);
    }

    @Override
    public Set<TraverserRequirement> getRequirements() {
        return EnumSet.of(TraverserRequirement.OBJECT);
    }

    @Override
    public OrielEdgesStep clone() {
        OrielEdgesStep clone = (OrielEdgesStep) super.clone();
        clone.figures = new ReadFigures();
        clone.limit = limit.anew();
        return clone;
    }

    @Override
    public String toString() {
        return StringFactory.stepString(this, hop, conditions);
    }

    @Override
    public int hashCode() {
        return super.hashCode() ^ hop.hashCode() ^ conditions.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }
}
