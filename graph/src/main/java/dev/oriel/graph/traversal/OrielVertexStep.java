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

/// An unmerged hop in a traversal that is profiled or reads edges without an index. It is TinkerPop's step, but
/// reports its reads and applies the setting for missing indexes.
@SuppressWarnings("try") // closed like its superclass
public final class OrielVertexStep<E extends Element> extends VertexStep<E> implements Profiling {
    private static final long serialVersionUID = 1L;

    private transient ReadFigures figures = new ReadFigures();

    /// Whether the missing-index check is done.
    private transient boolean checked;

    private OrielVertexStep(VertexStep<E> of) {
        super(of.getTraversal(), of.getReturnClass(), of.getDirection(), of.getEdgeLabels());
    }

    /// Replaces `step`.
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
