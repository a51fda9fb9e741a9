package dev.oriel.graph.element;

import dev.oriel.graph.catalog.EdgeLabel;
import dev.oriel.graph.range.IndexPlace;
import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.tinkerpop.gremlin.structure.Edge;

/// Edges found through an index.
public final class FoundEdges extends FoundElements<Edge> {
    private final EdgeLabel label;
    private final EdgeBatch batch = new EdgeBatch();
    private Deque<Edge> read = new ArrayDeque<>();
    private Deque<Edge> kept = new ArrayDeque<>();

    public FoundEdges(StoredGraph graph, EdgeLabel label, IndexPlace place) {
        super(graph, place);
        this.label = label;
    }

    @Override
    boolean hasRead() {
        return !read.isEmpty();
    }

    @Override
    void readOn(RangeReads reads) {
        read(reads, batch, read);
    }

    private void read(RangeReads reads, EdgeBatch into, Deque<Edge> out) {
        reads.find(label, place, into);
        for (int i = 0; i < into.count; i++) {
            out.add(new OrielEdge(graph, label, into, i));
        }
    }

    @Override
    void finish(RangeReads reads) {
        EdgeBatch next = new EdgeBatch();
        while (!place.isDone()) {
            read(reads, next, kept);
        }
    }

    @Override
    boolean takeKept() {
        if (kept.isEmpty()) {
            return false;
        }
        read = kept;
        kept = new ArrayDeque<>();
        return true;
    }

    @Override
    Edge take() {
        Edge taken = read.poll();
        if (taken == null) {
            throw SequenceCount.twoThreads();
        }
        return taken;
    }
}
