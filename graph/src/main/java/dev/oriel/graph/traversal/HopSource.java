package dev.oriel.graph.traversal;

import dev.oriel.graph.memory.LongMultiset;
import dev.oriel.graph.memory.PathCounts;
import dev.oriel.graph.range.CancellationCheck;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// The vertices of a graph as numbers, and hops between these, for steps that go over many at a time. Belongs
/// to one thread and one run of a step.
interface HopSource {
    /// What [#number] says of a vertex of another graph.
    long STRANGER = 0;

    /// What [#number] says of a vertex that was removed.
    long REMOVED = -1;

    /// The number of a vertex.
    long number(Vertex vertex);

    /// The vertex of a number.
    Vertex vertex(long number);

    /// Reads the neighbours of one vertex after the other.
    HopReader reader(Hop hop);

    /// The keys and indexes that `hop` goes by, in words, label by label.
    List<String> plan(Hop hop);

    /// How many edges `hop` leads over from a vertex.
    long degree(Hop hop, long vertex);

    /// How many edges `hop` leads over from all of `from`, each as often as it was reached.
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
        /// Goes to a vertex.
        void begin(long vertex);

        /// Adds neighbours of the vertex to `into`, each with `bulk`, until there are `most` there. Whether it
        /// is done with the vertex.
        boolean read(LongMultiset into, long bulk, int most);
    }
}
