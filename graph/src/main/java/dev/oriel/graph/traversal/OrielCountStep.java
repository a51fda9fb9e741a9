package dev.oriel.graph.traversal;

import dev.oriel.graph.range.TraversalDeadline;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/// `V().count()` or `E().count()` with conditions: sums the sizes of ranges, without reading elements if indexes
/// and labels satisfy all conditions.
public final class OrielCountStep<S> extends AbstractStep<S, Long>
        implements Profiling, Cancellable {
    private static final long serialVersionUID = 1L;

    private final FoldedGraphStep<S, ?> counted;
    private transient ReadFigures figures = new ReadFigures();
    private boolean done;

    OrielCountStep(Traversal.Admin<?, ?> traversal, FoldedGraphStep<S, ?> counted) {
        super(traversal);
        this.counted = counted;
    }

    @Override
    public void setMetrics(MutableMetrics metrics) {
        figures.to(metrics);
    }

    @Override
    public void limit(TraversalDeadline limit) {
        counted.limit(limit);
    }

    @Override
    protected Traverser.Admin<Long> processNextStart() {
        if (done) {
            throw FastNoSuchElementException.instance();
        }
        done = true;
        return getTraversal().getTraverserGenerator().generate(count(), start(), 1L);
    }

    @SuppressWarnings("unchecked") // without input, the type of starts does not matter
    private Step<Long, ?> start() {
        return (Step<Long, ?>) (Step<?, ?>) this;
    }

    private long count() {
        figures.begin(getTraversal());
        try {
            return counted.count();
        } finally {
            figures.end();
        }
    }

    @Override
    public Set<TraverserRequirement> getRequirements() {
        return Set.of(TraverserRequirement.BULK);
    }

    @Override
    public void reset() {
        super.reset();
        done = false;
    }

    @Override
    @SuppressWarnings("unchecked") // the clone is of this class
    public OrielCountStep<S> clone() {
        OrielCountStep<S> clone = (OrielCountStep<S>) super.clone();
        clone.figures = new ReadFigures();
        clone.done = false;
        return clone;
    }

    @Override
    public String toString() {
        return StringFactory.stepString(this, counted);
    }

    @Override
    public int hashCode() {
        return super.hashCode() ^ counted.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }
}
