package dev.oriel.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.jspecify.annotations.Nullable;

/// `V()` or `E()` with the conditions that follow: reads the tables of the labels that they leave, each
/// by an index where one serves. `explain()` and `profile()` show which.
public final class OrielGraphStep<S, E extends Element> extends GraphStep<S, E>
        implements HasContainerHolder<S, E> {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // traversals are not kept by serialization
    private final List<HasContainer> conditions = new ArrayList<>();

    private long limit = Long.MAX_VALUE;

    @SuppressWarnings("unchecked") // the iterator is of the class that is returned
    OrielGraphStep(GraphStepContract<S, E> original) {
        super(
                original.getTraversal(),
                original.getReturnClass(),
                original.isStartStep(),
                original.getIds());
        original.getLabels().forEach(this::addLabel);
        setIteratorSupplier(() -> (Iterator<E>) elements());
    }

    /// No more than so many are asked for.
    void limit(long most) {
        limit = Math.min(limit, most);
    }

    @Override
    public List<HasContainer> getHasContainers() {
        return conditions;
    }

    @Override
    public void addHasContainer(HasContainer condition) {
        conditions.add(condition);
    }

    private OrielGraph graph() {
        return (OrielGraph) getTraversal().getGraph().orElseThrow();
    }

    private Iterator<? extends Element> elements() {
        if (ids == null) {
            return List.<E>of().iterator();
        }
        if (ids.length > 0) {
            return returnsVertex()
                    ? filtered(graph().vertices(ids), conditions)
                    : filtered(graph().edges(ids), conditions);
        }
        return returnsVertex() ? vertices() : edges();
    }

    private static <X extends Element> Iterator<X> filtered(
            Iterator<X> all, List<HasContainer> conditions) {
        return conditions.isEmpty()
                ? all
                : IteratorUtils.filter(all, each -> HasContainer.testAll(each, conditions));
    }

    /// Whether a condition lets a label pass; conditions on other things do.
    private static boolean passes(List<HasContainer> conditions, String label) {
        for (HasContainer condition : conditions) {
            if (isOfLabel(condition) && !passes(condition, label)) {
                return false;
            }
        }
        return true;
    }

    @SuppressWarnings("unchecked") // the predicate of a condition on labels is of labels
    private static boolean passes(HasContainer condition, String label) {
        return ((java.util.function.Predicate<Object>) (Object) condition.getPredicate())
                .test(label);
    }

    private static boolean isOfLabel(HasContainer condition) {
        return T.label.getAccessor().equals(condition.getKey())
                && (condition.getBiPredicate() == Compare.eq
                        || condition.getBiPredicate() instanceof Contains);
    }

    /// The conditions that are met by none of `met`, and are not of labels alone.
    private List<HasContainer> rest(Collection<HasContainer> met) {
        List<HasContainer> rest = new ArrayList<>();
        for (HasContainer condition : conditions) {
            if (!isOfLabel(condition) && !met.contains(condition)) {
                rest.add(condition);
            }
        }
        return rest;
    }

    private Iterator<Vertex> vertices() {
        OrielGraph graph = graph();
        List<VertexLabel> scanned = new ArrayList<>();
        List<Iterator<Vertex>> parts = new ArrayList<>();
        for (VertexLabel label : graph.catalog().vertexLabels().byName().values()) {
            if (!passes(conditions, label.name())) {
                continue;
            }
            IndexChoice choice = choice(label);
            if (choice == null) {
                scanned.add(label);
            } else {
                List<HasContainer> rest = rest(choice.met());
                long most = rest.isEmpty() ? limit : Long.MAX_VALUE;
                long[] found = graph.work().find(label, choice, most);
                parts.add(filtered(new FoundVertices(graph, found), rest));
            }
        }
        if (!scanned.isEmpty()) {
            parts.add(filtered(new VertexIterator(graph, scanned), rest(List.of())));
        }
        return parts.size() == 1 ? parts.getFirst() : concat(parts);
    }

    private @Nullable IndexChoice choice(VertexLabel label) {
        return IndexChoice.best(
                label.table(), label.columns(), graph().catalog().keys(), conditions);
    }

    private Iterator<Edge> edges() {
        OrielGraph graph = graph();
        List<EdgeLabel> labels = new ArrayList<>();
        List<Iterator<Edge>> parts = new ArrayList<>();
        for (EdgeLabel label : graph.catalog().edgeLabels().byName().values()) {
            if (!passes(conditions, label.name())) {
                continue;
            }
            IndexChoice choice =
                    IndexChoice.best(
                            label.table(), label.columns(), graph.catalog().keys(), conditions);
            if (choice == null) {
                labels.add(label);
            } else {
                List<Edge> found = graph.work().find(graph, label, choice);
                parts.add(filtered(found.iterator(), rest(choice.met())));
            }
        }
        if (!labels.isEmpty()) {
            parts.add(filtered(EdgeIterator.all(graph, labels), rest(List.of())));
        }
        return parts.size() == 1 ? parts.getFirst() : concat(parts);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types
    private static <X> Iterator<X> concat(List<Iterator<X>> parts) {
        return IteratorUtils.concat(parts.toArray(new Iterator[0]));
    }

    /// The indexes that serve, by label.
    private List<String> indexes() {
        List<String> names = new ArrayList<>();
        if (ids != null
                && ids.length == 0
                && getTraversal().getGraph().orElse(null) instanceof OrielGraph graph) {
            for (VertexLabel label : graph.catalog().vertexLabels().byName().values()) {
                IndexChoice choice =
                        returnsVertex() && passes(conditions, label.name()) ? choice(label) : null;
                if (choice != null) {
                    names.add("index " + choice.index().name());
                }
            }
        }
        return names;
    }

    @Override
    public String toString() {
        List<Object> shown = new ArrayList<>(conditions);
        shown.addAll(indexes());
        String name = returnsVertex() ? "vertex" : "edge";
        return StringFactory.stepString(this, name, ids == null ? List.of() : List.of(ids), shown);
    }

    @Override
    public int hashCode() {
        return super.hashCode() ^ conditions.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }
}
