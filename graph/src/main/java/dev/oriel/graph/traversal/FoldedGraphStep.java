package dev.oriel.graph.traversal;

import dev.oriel.graph.range.Conditions;
import dev.oriel.graph.range.IndexChoice;
import dev.oriel.graph.range.TraversalDeadline;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// `V()` or `E()` with the conditions that follow. It reads only the tables of labels that satisfy them, each by
/// an index if one serves. `explain()` and `profile()` show the indexes.
///
/// It can be limited to the first few elements in the order of a key. Labels with an index in that order return
/// only these, in that order; others return all. A sort step follows it in any case.
abstract sealed class FoldedGraphStep<S, E extends Element> extends GraphStep<S, E>
        implements HasContainerHolder<S, E>, Profiling, Cancellable
        permits OrielGraphStep, TableGraphStep {
    private static final long serialVersionUID = 1L;

    @SuppressWarnings("serial") // traversals are not kept by serialization
    private final List<HasContainer> conditions = new ArrayList<>();

    private transient IndexChoice.@Nullable Order order;
    private long first = Long.MAX_VALUE;
    private boolean properties;
    private transient ReadFigures figures = new ReadFigures();
    private transient TraversalDeadline limit = TraversalDeadline.INTERRUPT;

    @SuppressWarnings("unchecked") // the iterator is of the class that is returned
    FoldedGraphStep(GraphStepContract<S, E> original) {
        super(
                original.getTraversal(),
                original.getReturnClass(),
                original.isStartStep(),
                original.getIds());
        original.getLabels().forEach(this::addLabel);
        setIteratorSupplier(() -> (Iterator<E>) measured());
    }

    /// The elements, if no ids are given.
    abstract Iterator<? extends Element> found();

    /// Number of elements of [#found], from counts of ranges if possible.
    abstract long countFound();

    /// The elements with these ids.
    abstract Iterator<? extends Element> withIds(Object... wanted);

    /// Description of the reads: the indexes that serve, by label, and the order. Called if no ids are given.
    abstract List<String> plan();

    /// Limits the step to the first `most` elements in the order `by`.
    final void order(IndexChoice.Order by, long most) {
        order = by;
        first = most;
    }

    final IndexChoice.@Nullable Order order() {
        return order;
    }

    /// Maximum number of elements wanted in that order.
    final long first() {
        return first;
    }

    /// Reads properties with the elements, because a later step needs them.
    final void wantProperties() {
        properties = true;
    }

    final boolean wantsProperties() {
        return properties;
    }

    @Override
    public final List<HasContainer> getHasContainers() {
        return conditions;
    }

    @Override
    public final void addHasContainer(HasContainer condition) {
        conditions.add(condition);
    }

    @Override
    public final void setMetrics(MutableMetrics metrics) {
        figures.to(metrics);
    }

    @Override
    public final void limit(TraversalDeadline wanted) {
        limit = wanted;
    }

    /// Deadline of the run.
    final TraversalDeadline limit() {
        return limit;
    }

    /// The elements, with their reads measured if a profile is on.
    private Iterator<? extends Element> measured() {
        figures.begin(getTraversal());
        try {
            return figures.of(limit.of(elements()), getTraversal());
        } finally {
            figures.end();
        }
    }

    private Iterator<? extends Element> elements() {
        if (ids == null) {
            return List.<E>of().iterator();
        }
        return ids.length == 0 ? found() : Conditions.filtered(withIds(ids), conditions, limit);
    }

    /// Number of elements.
    final long count() {
        if (ids == null) {
            return 0;
        }
        return ids.length == 0 ? countFound() : Conditions.count(withIds(ids), conditions, limit);
    }

    /// The conditions that `choice` leaves to be checked.
    final List<HasContainer> rest(@Nullable IndexChoice choice) {
        return Conditions.rest(conditions, choice == null ? List.of() : choice.met());
    }

    /// Applies the setting for missing indexes if no index serves the conditions on properties of a label.
    ///
    /// @throws IllegalArgumentException if the setting refuses the traversal
    final void checkIndexed(String label, List<HasContainer> rest) {
        Settings.unindexed(getTraversal())
                .act(rest, label, returnsVertex() ? "vertices" : "edges", this);
    }

    /// The elements found by an index, filtered by the other conditions, and limited if they are in the wanted
    /// order.
    final <X extends Element> Iterator<X> part(
            Iterator<X> ofIndex, List<HasContainer> rest, IndexChoice choice) {
        Iterator<X> all = Conditions.filtered(ofIndex, rest, limit);
        return choice.ordered() ? new FirstFew<>(all, first) : all;
    }

    @Override
    @SuppressWarnings("unchecked") // the clone is of this class
    public FoldedGraphStep<S, E> clone() {
        FoldedGraphStep<S, E> clone = (FoldedGraphStep<S, E>) super.clone();
        clone.figures = new ReadFigures();
        clone.limit = limit.anew();
        clone.setIteratorSupplier(() -> (Iterator<E>) clone.measured());
        return clone;
    }

    @Override
    public final String toString() {
        List<Object> shown = new ArrayList<>(conditions);
        if (ids != null && ids.length == 0 && OrielStrategies.isOwn(getTraversal())) {
            shown.addAll(plan());
        }
        String name = returnsVertex() ? "vertex" : "edge";
        return StringFactory.stepString(this, name, ids == null ? List.of() : List.of(ids), shown);
    }

    @Override
    public final int hashCode() {
        return super.hashCode() ^ conditions.hashCode();
    }

    @Override
    public final boolean equals(Object other) {
        return super.equals(other);
    }
}
