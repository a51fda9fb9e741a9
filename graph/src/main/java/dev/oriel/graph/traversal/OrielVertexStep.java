package dev.oriel.graph.traversal;

import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// A hop that nothing is folded into, in a traversal that is profiled: TinkerPop's own, which also says what it
/// read.
@SuppressWarnings("try") // it is closed as its superclass is
public final class OrielVertexStep<E extends Element> extends VertexStep<E> implements Profiling {
    private static final long serialVersionUID = 1L;

    private transient ReadFigures figures = new ReadFigures();

    private OrielVertexStep(VertexStep<E> of) {
        super(of.getTraversal(), of.getReturnClass(), of.getDirection(), of.getEdgeLabels());
    }

    /// Takes the place of `step`.
    static <E extends Element> void replace(VertexStep<E> step, Traversal.Admin<?, ?> traversal) {
        OrielVertexStep<E> made = new OrielVertexStep<>(step);
        TraversalHelper.copyLabels(step, made, false);
        TraversalHelper.replaceStep(step, made, traversal);
    }

    @Override
    public void setMetrics(MutableMetrics metrics) {
        figures.to(metrics);
    }

    @Override
    protected Iterator<E> flatMap(Traverser.Admin<Vertex> traverser) {
        figures.by(getTraversal(), List.of(Hop.of(this)));
        figures.begin(getTraversal());
        try {
            return figures.of(super.flatMap(traverser), getTraversal());
        } finally {
            figures.end();
        }
    }

    @Override
    @SuppressWarnings("unchecked") // the clone is of this class
    public OrielVertexStep<E> clone() {
        OrielVertexStep<E> clone = (OrielVertexStep<E>) super.clone();
        clone.figures = new ReadFigures();
        return clone;
    }
}
