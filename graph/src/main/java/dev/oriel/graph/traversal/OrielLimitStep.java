package dev.oriel.graph.traversal;

import dev.oriel.graph.range.TraversalDeadline;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.FilterStep;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/// Passes all traversers, and checks the deadline for each.
final class OrielLimitStep<S> extends FilterStep<S> {
    private static final long serialVersionUID = 1L;

    private transient TraversalDeadline limit;

    OrielLimitStep(Traversal.Admin<?, ?> traversal, TraversalDeadline limit) {
        super(traversal);
        this.limit = limit;
    }

    @Override
    protected boolean filter(Traverser.Admin<S> traverser) {
        limit.check();
        return true;
    }

    @Override
    @SuppressWarnings("unchecked") // the clone is of this class
    public OrielLimitStep<S> clone() {
        OrielLimitStep<S> clone = (OrielLimitStep<S>) super.clone();
        clone.limit = limit.anew();
        return clone;
    }

    @Override
    public String toString() {
        return StringFactory.stepString(this);
    }
}
