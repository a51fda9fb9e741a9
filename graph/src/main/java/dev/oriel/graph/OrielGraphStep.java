package dev.oriel.graph;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.Contains;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.jspecify.annotations.Nullable;

/// `V()` or `E()` with the conditions that follow: reads the tables of the labels that they leave, each
/// by an index where one serves. `explain()` and `profile()` show which.
///
/// It may be asked for the first few in the order of a key: of each label that has an index in that order
/// it gives those alone, in that order; of others, all. A step that sorts stands behind it in any case.
public final class OrielGraphStep<S, E extends Element> extends GraphStep<S, E>
        implements HasContainerHolder<S, E>, Profiling {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // traversals are not kept by serialization
    private final List<HasContainer> conditions = new ArrayList<>();

    private transient IndexChoice.@Nullable Order order;
    private long first = Long.MAX_VALUE;
    private boolean properties;
    private transient ReadFigures figures = new ReadFigures();

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

    /// The first `most` in the order of `by` are asked for.
    void order(IndexChoice.Order by, long most) {
        order = by;
        first = most;
    }

    /// Properties will be asked for.
    void wantProperties() {
        properties = true;
    }

    @Override
    public List<HasContainer> getHasContainers() {
        return conditions;
    }

    @Override
    public void addHasContainer(HasContainer condition) {
        conditions.add(condition);
    }

    @Override
    public void setMetrics(MutableMetrics metrics) {
        figures.to(metrics);
    }

    @Override
    protected Traverser.Admin<E> processNextStart() {
        if (!figures.wanted()) {
            return super.processNextStart();
        }
        ReadFigures.Mark mark = figures.begin(graph());
        try {
            return super.processNextStart();
        } finally {
            figures.end(mark);
        }
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

    private List<HasContainer> rest(@Nullable IndexChoice choice) {
        return rest(choice == null ? List.of() : choice.met());
    }

    private List<VertexLabel> vertexLabels() {
        List<VertexLabel> passing = new ArrayList<>();
        for (VertexLabel label : graph().catalog().vertexLabels().byName().values()) {
            if (passes(conditions, label.name())) {
                passing.add(label);
            }
        }
        return passing;
    }

    private List<EdgeLabel> edgeLabels() {
        List<EdgeLabel> passing = new ArrayList<>();
        for (EdgeLabel label : graph().catalog().edgeLabels().byName().values()) {
            if (passes(conditions, label.name())) {
                passing.add(label);
            }
        }
        return passing;
    }

    private @Nullable IndexChoice choice(VertexLabel label) {
        PropertyKeys keys = graph().catalog().keys();
        return IndexChoice.best(label.table(), keys, conditions, order);
    }

    private @Nullable IndexChoice choice(EdgeLabel label) {
        PropertyKeys keys = graph().catalog().keys();
        return IndexChoice.best(label.table(), keys, conditions, order);
    }

    private Iterator<Vertex> vertices() {
        OrielGraph graph = graph();
        List<VertexLabel> scanned = new ArrayList<>();
        List<Iterator<Vertex>> parts = new ArrayList<>();
        for (VertexLabel label : vertexLabels()) {
            IndexChoice choice = choice(label);
            if (choice == null) {
                scanned.add(label);
            } else {
                List<HasContainer> rest = rest(choice);
                IndexPlace place = new IndexPlace(label.table(), choice);
                boolean wanted = properties || !rest.isEmpty();
                parts.add(part(new FoundVertices(graph, label, place, wanted), rest, choice));
            }
        }
        if (!scanned.isEmpty()) {
            List<HasContainer> rest = rest(List.of());
            boolean wanted = properties || !rest.isEmpty();
            parts.add(filtered(new VertexIterator(graph, scanned, wanted), rest));
        }
        return parts.size() == 1 ? parts.getFirst() : concat(parts);
    }

    private Iterator<Edge> edges() {
        OrielGraph graph = graph();
        List<EdgeLabel> scanned = new ArrayList<>();
        List<Iterator<Edge>> parts = new ArrayList<>();
        for (EdgeLabel label : edgeLabels()) {
            IndexChoice choice = choice(label);
            if (choice == null) {
                scanned.add(label);
            } else {
                IndexPlace place = new IndexPlace(label.table(), choice);
                parts.add(part(new FoundEdges(graph, label, place), rest(choice), choice));
            }
        }
        if (!scanned.isEmpty()) {
            parts.add(filtered(EdgeIterator.all(graph, scanned), rest(List.of())));
        }
        return parts.size() == 1 ? parts.getFirst() : concat(parts);
    }

    /// What an index finds, less what the other conditions leave out, and the first few alone where they
    /// are asked for and come first.
    private <X extends Element> Iterator<X> part(
            Iterator<X> found, List<HasContainer> rest, IndexChoice choice) {
        Iterator<X> all = filtered(found, rest);
        return choice.ordered() ? new FirstFew<>(all, first) : all;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // arrays of generic types
    private static <X> Iterator<X> concat(List<Iterator<X>> parts) {
        return IteratorUtils.concat(parts.toArray(new Iterator[0]));
    }

    /// How many elements it finds, from counts of ranges where they say it.
    long count() {
        if (ids == null) {
            return 0;
        }
        if (ids.length > 0) {
            return IteratorUtils.count(elements());
        }
        OrielGraph graph = graph();
        long count = 0;
        if (returnsVertex()) {
            for (VertexLabel label : vertexLabels()) {
                IndexChoice choice = choice(label);
                List<HasContainer> rest = rest(choice);
                if (rest.isEmpty()) {
                    count += graph.work().reads().count(label, choice);
                } else {
                    count += IteratorUtils.count(filtered(all(label, choice), rest));
                }
            }
            return count;
        }
        for (EdgeLabel label : edgeLabels()) {
            IndexChoice choice = choice(label);
            List<HasContainer> rest = rest(choice);
            if (rest.isEmpty()) {
                count += graph.work().reads().count(label, choice);
            } else {
                count += IteratorUtils.count(filtered(all(label, choice), rest));
            }
        }
        return count;
    }

    private Iterator<Vertex> all(VertexLabel label, @Nullable IndexChoice choice) {
        return choice == null
                ? new VertexIterator(graph(), List.of(label), true)
                : new FoundVertices(graph(), label, new IndexPlace(label.table(), choice), true);
    }

    private Iterator<Edge> all(EdgeLabel label, @Nullable IndexChoice choice) {
        return choice == null
                ? EdgeIterator.all(graph(), List.of(label))
                : new FoundEdges(graph(), label, new IndexPlace(label.table(), choice));
    }

    /// What it reads, in words: the indexes that serve, by label, and the order.
    List<String> plan() {
        List<String> words = new ArrayList<>();
        if (ids != null
                && ids.length == 0
                && getTraversal().getGraph().orElse(null) instanceof OrielGraph) {
            if (returnsVertex()) {
                vertexLabels().forEach(label -> tell(choice(label), words));
            } else {
                edgeLabels().forEach(label -> tell(choice(label), words));
            }
        }
        return words;
    }

    private void tell(@Nullable IndexChoice choice, List<String> words) {
        if (choice == null) {
            return;
        }
        String ranges = choice.ranges().size() == 1 ? "" : " " + choice.ranges().size() + " ranges";
        String ordered =
                choice.ordered()
                        ? (choice.descending() ? " descending" : " ascending") + ", first " + first
                        : "";
        words.add("index " + choice.index().name() + ranges + ordered);
    }

    @Override
    @SuppressWarnings("unchecked") // the clone is of this class
    public OrielGraphStep<S, E> clone() {
        OrielGraphStep<S, E> clone = (OrielGraphStep<S, E>) super.clone();
        clone.figures = new ReadFigures();
        clone.setIteratorSupplier(() -> (Iterator<E>) clone.elements());
        return clone;
    }

    @Override
    public String toString() {
        List<Object> shown = new ArrayList<>(conditions);
        shown.addAll(plan());
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
