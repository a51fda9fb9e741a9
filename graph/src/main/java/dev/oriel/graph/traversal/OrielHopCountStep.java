package dev.oriel.graph.traversal;

import dev.oriel.graph.memory.LongMultiset;
import dev.oriel.graph.memory.LongSet;
import dev.oriel.graph.memory.PathCounts;
import dev.oriel.graph.range.TraversalDeadline;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ReducingBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.function.ConstantSupplier;

/// `out().count()`, `outE().count()` and the like, possibly after other hops: counts the edges around vertices
/// without reading their far ends. All incoming vertices are gathered first.
public final class OrielHopCountStep extends ReducingBarrierStep<Vertex, Long>
        implements Profiling, Cancellable {
    private static final long serialVersionUID = 1L;

    private final transient List<Hop> hops;
    private final boolean distinct;
    private transient ReadFigures figures = new ReadFigures();
    private transient TraversalDeadline limit = TraversalDeadline.INTERRUPT;

    /// @param distinct whether each vertex counts once
    OrielHopCountStep(Traversal.Admin<?, ?> traversal, List<Hop> hops, boolean distinct) {
        super(traversal);
        this.hops = hops;
        this.distinct = distinct;
        setReducingBiOperator((a, b) -> (Long) Operator.sumLong.apply(a, b));
        setSeedSupplier(new ConstantSupplier<>(0L));
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
    public void processAllStarts() {
        if (starts.hasNext()) {
            figures.begin(getTraversal());
            addBarrier(countAll());
            figures.end();
        }
        super.processAllStarts();
    }

    private long countAll() {
        HopSource source = OrielStrategies.hops(getTraversal());
        UnindexedHops.check(getTraversal(), hops, this);
        figures.by(getTraversal(), hops);
        List<Traverser.Admin<Vertex>> strangers = new ArrayList<>();
        List<Hop> gone = distinct ? hops : hops.subList(0, hops.size() - 1);
        Frontier frontier =
                new Frontier(
                                source,
                                gone,
                                (into, most) -> start(source, into, most, strangers),
                                limit)
                        .whole();
        LongSet seen = new LongSet();
        long count = 0;
        LongMultiset reached = frontier.next();
        while (reached.size() > 0) {
            if (!distinct) {
                count = PathCounts.sum(count, source.degrees(hops.getLast(), reached, limit));
            }
            for (int i = 0; distinct && i < reached.size(); i++) {
                limit.check();
                count += seen.add(reached.key(i)) ? 1 : 0;
            }
            reached = frontier.next();
        }
        return count + ofStrangers(strangers);
    }

    private void start(
            HopSource source,
            LongMultiset into,
            int most,
            List<Traverser.Admin<Vertex>> strangers) {
        figures.end();
        while (into.size() < most && starts.hasNext()) {
            Traverser.Admin<Vertex> start = starts.next();
            long number = source.number(start.get());
            if (number == HopSource.STRANGER) {
                strangers.add(start);
            } else if (number != HopSource.REMOVED) {
                into.add(number, start.bulk());
            }
        }
        figures.begin(getTraversal());
    }

    private long ofStrangers(List<Traverser.Admin<Vertex>> strangers) {
        Set<Vertex> seen = new HashSet<>();
        long count = 0;
        for (Traverser.Admin<Vertex> each : strangers) {
            List<Vertex> ends = ForeignVertices.around(each.get(), hops);
            seen.addAll(ends);
            count += each.bulk() * ends.size();
        }
        return distinct ? seen.size() : count;
    }

    @Override
    public Long projectTraverser(Traverser.Admin<Vertex> traverser) {
        throw new IllegalStateException("all starts are gathered before");
    }

    @Override
    public Set<TraverserRequirement> getRequirements() {
        return EnumSet.of(TraverserRequirement.OBJECT, TraverserRequirement.BULK);
    }

    @Override
    public OrielHopCountStep clone() {
        OrielHopCountStep clone = (OrielHopCountStep) super.clone();
        clone.figures = new ReadFigures();
        clone.limit = limit.anew();
        return clone;
    }

    @Override
    public String toString() {
        String note = UnindexedHops.note(getTraversal(), hops);
        return distinct
                ? StringFactory.stepString(this, hops, "each once", note)
                : StringFactory.stepString(
                        this, hops.subList(0, hops.size() - 1), "degree " + hops.getLast(), note);
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
