package dev.oriel.graph;

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

import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/// `out().count()`, `outE().count()` and the like, with other hops before perhaps: how many edges
// there
/// are around vertices, without a look at what they lead to. All vertices that come in are gathered
// first.
public final class OrielHopCountStep extends ReducingBarrierStep<Vertex, Long>
        implements Profiling {
    private static final long serialVersionUID = 1L;

    private final transient List<Hop> hops;
    private final transient Hop last;
    private transient ReadFigures figures = new ReadFigures();

    /// @param hops those before the last
    OrielHopCountStep(Traversal.Admin<?, ?> traversal, List<Hop> hops, Hop last) {
        super(traversal);
        this.hops = hops;
        this.last = last;
        setReducingBiOperator((a, b) -> (Long) Operator.sumLong.apply(a, b));
        setSeedSupplier(new ConstantSupplier<>(0L));
    }

    @Override
    public void setMetrics(MutableMetrics metrics) {
        figures.to(metrics);
    }

    @Override
    public void processAllStarts() {
        if (starts.hasNext()) {
            ReadFigures.Mark mark = figures.begin(getTraversal());
            addBarrier(countAll());
            figures.end(mark);
        }
        super.processAllStarts();
    }

    private long countAll() {
        HopSource source = OrielStrategies.hops(getTraversal());
        long[] strangers = new long[1];
        Frontier frontier =
                new Frontier(
                        source,
                        hops,
                        (into, most) -> {
                            while (into.size() < most && starts.hasNext()) {
                                Traverser.Admin<Vertex> start = starts.next();
                                long number = source.number(start.get());
                                if (number == HopSource.STRANGER) {
                                    strangers[0] += start.bulk() * ofStranger(start.get());
                                } else if (number != HopSource.REMOVED) {
                                    into.add(number, start.bulk());
                                }
                            }
                        });
        long count = 0;
        LongBulks reached = frontier.next();
        while (reached.size() > 0) {
            for (int i = 0; i < reached.size(); i++) {
                count += reached.bulk(i) * source.degree(last, reached.key(i));
            }
            reached = frontier.next();
        }
        return count + strangers[0];
    }

    private long ofStranger(Vertex vertex) {
        long count = 0;
        for (Vertex each : Strangers.around(vertex, hops)) {
            count += Strangers.around(each, List.of(last)).size();
        }
        return count;
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
        return clone;
    }

    @Override
    public String toString() {
        return StringFactory.stepString(this, hops, "degree " + last);
    }

    @Override
    public int hashCode() {
        return super.hashCode() ^ hops.hashCode() ^ last.hashCode();
    }

    @Override
    public boolean equals(Object other) {
        return super.equals(other);
    }
}
