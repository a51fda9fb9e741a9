package dev.oriel.graph.traversal;

import dev.oriel.graph.memory.LongMultiset;
import dev.oriel.graph.memory.LongSet;
import dev.oriel.graph.range.TraversalDeadline;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// Consecutive hops, `out().in().both()` or `repeat(out()).times(3)`, for many vertices at a time, see [Frontier].
/// It is used only if no step needs the paths: traversers on the same vertex are merged, with the sum of their
/// bulks.
public final class OrielHopsStep extends AbstractStep<Vertex, Vertex>
        implements Profiling, Cancellable {
    private static final long serialVersionUID = 1L;

    private final transient List<Hop> hops;

    /// Whether each vertex is emitted once, as by `dedup()`.
    private final boolean distinct;

    private transient ReadFigures figures = new ReadFigures();
    private transient TraversalDeadline limit = TraversalDeadline.INTERRUPT;
    private transient @Nullable HopSource source;
    private transient @Nullable Frontier frontier;
    private transient @Nullable LongMultiset portion;
    private transient int at;

    /// Template for outgoing traversers: any of the incoming ones.
    private transient Traverser.@Nullable Admin<Vertex> like;

    /// Traversers on vertices of other graphs, which are processed one by one.
    private transient Deque<Traverser.Admin<Vertex>> strangers = new ArrayDeque<>();

    private transient LongSet seen = new LongSet();
    private transient Set<Vertex> seenStrangers = new HashSet<>();

    private transient Iterator<Traverser.Admin<Vertex>> fromStrangers =
            List.<Traverser.Admin<Vertex>>of().iterator();

    OrielHopsStep(Traversal.Admin<?, ?> traversal, List<Hop> hops, boolean distinct) {
        super(traversal);
        this.hops = hops;
        this.distinct = distinct;
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
    protected Traverser.Admin<Vertex> processNextStart() {
        while (true) {
            if (fromStrangers.hasNext()) {
                Traverser.Admin<Vertex> next = fromStrangers.next();
                if (!distinct) {
                    return next;
                }
                if (seenStrangers.add(next.get())) {
                    next.setBulk(1);
                    return next;
                }
                continue;
            }
            if (!strangers.isEmpty()) {
                fromStrangers = ForeignVertices.around(strangers.remove(), hops, this);
                continue;
            }
            LongMultiset reached = portion;
            Traverser.Admin<Vertex> model = like;
            if (reached != null && at < reached.size() && model != null) {
                long number = reached.key(at);
                long bulk = distinct ? 1 : reached.bulk(at);
                at++;
                if (distinct && !seen.add(number)) {
                    continue;
                }
                limit.check();
                Traverser.Admin<Vertex> split = model.split(source().vertex(number), this);
                split.setBulk(bulk);
                return split;
            }
            at = 0;
            portion = nextPortion();
            if (portion.size() == 0 && strangers.isEmpty()) {
                throw FastNoSuchElementException.instance();
            }
        }
    }

    private HopSource source() {
        HopSource known = source;
        if (known == null) {
            known = OrielStrategies.hops(getTraversal());
            source = known;
        }
        return known;
    }

    private LongMultiset nextPortion() {
        Frontier current = frontier;
        if (current == null) {
            current = new Frontier(source(), hops, this::start, limit);
            frontier = current;
            UnindexedHops.check(getTraversal(), hops, this);
            figures.by(getTraversal(), hops);
        }
        figures.begin(getTraversal());
        try {
            return current.next();
        } finally {
            figures.end();
        }
    }

    private void start(LongMultiset into, int most) {
        figures.end();
        while (into.size() < most && starts.hasNext()) {
            Traverser.Admin<Vertex> start = starts.next();
            long number = source().number(start.get());
            if (number == HopSource.STRANGER) {
                strangers.add(start);
            } else if (number != HopSource.REMOVED) {
                like = start;
                into.add(number, start.bulk());
            }
        }
        figures.begin(getTraversal());
    }

    @Override
    public Set<TraverserRequirement> getRequirements() {
        return EnumSet.of(TraverserRequirement.OBJECT, TraverserRequirement.BULK);
    }

    @Override
    public void reset() {
        super.reset();
        forget();
    }

    private void forget() {
        source = null;
        frontier = null;
        portion = null;
        like = null;
        at = 0;
        seen = new LongSet();
        seenStrangers = new HashSet<>();
        strangers = new ArrayDeque<>();
        fromStrangers = List.<Traverser.Admin<Vertex>>of().iterator();
    }

    @Override
    public OrielHopsStep clone() {
        OrielHopsStep clone = (OrielHopsStep) super.clone();
        clone.figures = new ReadFigures();
        clone.limit = limit.anew();
        clone.forget();
        return clone;
    }

    @Override
    public String toString() {
        String note = UnindexedHops.note(getTraversal(), hops);
        return StringFactory.stepString(this, hops, distinct ? "each once" : "", note);
    }

    @Override
    public int hashCode() {
        return super.hashCode() ^ hops.hashCode() ^ Boolean.hashCode(distinct);
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }
}
