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
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/// A hop that nothing is folded into, in a traversal that is profiled or over edges without an index: TinkerPop's
/// own, which also says what it read and does what is configured for the lack of an index.
@SuppressWarnings("try") // it is closed as its superclass is
public final class OrielVertexStep<E extends Element> extends VertexStep<E> implements Profiling {
    private static final long serialVersionUID = 1L;

    private transient ReadFigures figures = new ReadFigures();

    /// Whether it is known that its edges are found by an index, or that it does not matter.
    private transient boolean checked;

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
        if (!checked) {
            UnindexedHops.check(getTraversal(), List.of(Hop.of(this)), this);
            checked = true;
        }
        figures.by(getTraversal(), List.of(Hop.of(this)));
        figures.begin(getTraversal());
        try {
            return figures.of(super.flatMap(traverser), getTraversal());
        } finally {
            figures.end();
        }
    }

    @Override
    public String toString() {
        Hop hop = Hop.of(this);
        return StringFactory.stepString(
                this,
                hop.direction(),
                hop.labels(),
                returnsVertex() ? "vertex" : "edge",
                UnindexedHops.note(getTraversal(), List.of(hop)));
    }

    @Override
    @SuppressWarnings("unchecked") // the clone is of this class
    public OrielVertexStep<E> clone() {
        OrielVertexStep<E> clone = (OrielVertexStep<E>) super.clone();
        clone.figures = new ReadFigures();
        return clone;
    }
}
