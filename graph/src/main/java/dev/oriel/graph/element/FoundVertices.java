package dev.oriel.graph.element;

import dev.oriel.graph.catalog.VertexLabel;
import dev.oriel.graph.range.IndexPlace;
import java.util.Arrays;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Vertices found through an index.
public final class FoundVertices extends FoundElements<Vertex> {
    private final VertexLabel label;
    private final VertexBatch batch;
    private int at;
    private long[] kept = new long[0];
    private int keptCount;

    /// The vertices at `place` in an index.
    ///
    /// @param properties whether their properties will be needed
    public FoundVertices(
            StoredGraph graph, VertexLabel label, IndexPlace place, boolean properties) {
        super(graph, place);
        this.label = label;
        this.batch = new VertexBatch(properties);
    }

    @Override
    boolean hasRead() {
        return at < batch.count;
    }

    @Override
    void readOn(RangeReads reads) {
        reads.find(label, place, batch);
        at = 0;
    }

    @Override
    void finish(RangeReads reads) {
        VertexBatch next = new VertexBatch(false);
        while (!place.isDone()) {
            reads.find(label, place, next);
            if (keptCount + next.count > kept.length) {
                kept = Arrays.copyOf(kept, Math.max(2 * kept.length, keptCount + next.count));
            }
            System.arraycopy(next.vertices, 0, kept, keptCount, next.count);
            keptCount += next.count;
        }
    }

    @Override
    boolean takeKept() {
        if (keptCount == 0) {
            return false;
        }
        batch.set(kept, keptCount);
        at = 0;
        kept = new long[0];
        keptCount = 0;
        return true;
    }

    @Override
    Vertex take() {
        int taken = at;
        if (taken >= batch.count) {
            throw SequenceCount.twoThreads();
        }
        at = taken + 1;
        return batch.vertex(graph, taken);
    }
}
