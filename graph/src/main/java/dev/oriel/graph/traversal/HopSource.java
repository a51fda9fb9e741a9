package dev.oriel.graph.traversal;

import dev.oriel.graph.memory.LongMultiset;
import dev.oriel.graph.memory.PathCounts;
import dev.oriel.graph.range.CancellationCheck;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Vertices of a graph as numbers, and hops between them, for steps that process many at a time. Belongs to one
/// thread and one run of a step.
interface HopSource {
    /// Result of [#number] for a vertex of another graph.
    long STRANGER = 0;

    /// Result of [#number] for a removed vertex.
    long REMOVED = -1;

    /// The number of a vertex.
    long number(Vertex vertex);

    /// The vertex with a number.
    Vertex vertex(long number);

    /// A reader of the neighbours of one vertex after the other.
    HopReader reader(Hop hop);

    /// Description of the keys and indexes that serve `hop`, label by label.
    List<String> plan(Hop hop);

    /// Number of edges that `hop` follows from a vertex.
    long degree(Hop hop, long vertex);

    /// Number of edges that `hop` follows from the vertices of `from`, each vertex counted as often as it was reached.
    ///
    /// @throws dev.oriel.store.LimitException if that is more than a long holds
    default long degrees(Hop hop, LongMultiset from, CancellationCheck cancellation) {
        long sum = 0;
        for (int i = 0; i < from.size(); i++) {
            cancellation.check();
            long degree = degree(hop, from.key(i));
            sum = PathCounts.sum(sum, PathCounts.product(from.bulk(i), degree));
        }
        return sum;
    }

    /// Reads neighbours, vertex by vertex.
    interface HopReader {
        /// Moves to a vertex.
        void begin(long vertex);

        /// Adds neighbours of the vertex to `into`, each with `bulk`, until it has `most`. Returns whether the
        /// vertex is done.
        boolean read(LongMultiset into, long bulk, int most);
    }
}
