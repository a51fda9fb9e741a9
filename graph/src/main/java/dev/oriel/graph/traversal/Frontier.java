package dev.oriel.graph.traversal;

import dev.oriel.graph.memory.LongMultiset;
import dev.oriel.graph.range.CancellationCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Consecutive hops for many vertices at a time. The vertices reached by a hop are gathered, each once with its
/// path count, before the next hop continues from them.
///
/// ```
/// starts --> [v1:1 v2:3 ..] --hop--> [v7:4 v8:1 ..] --hop--> [ .. ] --> result
/// ```
/// Each level pulls a portion from the one before when it has used up the last one. Portions are small at first,
/// so that a small limit is answered early, and then grow.
final class Frontier {
    private static final int FIRST = 16;
    private static final int MOST = 1 << 14;

    /// Source of the start vertices.
    interface Starts {
        /// Adds some vertices, about `most`; none if there are no more.
        void fill(LongMultiset into, int most);
    }

    private final Starts starts;
    private final CancellationCheck cancellation;
    private final Level[] levels;
    private int want = FIRST / 2;

    Frontier(HopSource source, List<Hop> hops, Starts starts, CancellationCheck cancellation) {
        this.starts = starts;
        this.cancellation = cancellation;
        this.levels = new Level[hops.size() + 1];
        for (int i = 0; i < levels.length; i++) {
            levels[i] = new Level(i == 0 ? null : source.reader(hops.get(i - 1)));
        }
    }

    /// Makes portions large from the first one on, for callers that read all results.
    Frontier whole() {
        want = MOST / 2;
        return this;
    }

    /// The next portion reached by the last hop; empty at the end. Valid until the next call.
    LongMultiset next() {
        want = Math.min(2 * want, MOST);
        fill(levels.length - 1);
        return levels[levels.length - 1].reached;
    }

    /// Recursion is as deep as the number of hops.
    private void fill(int at) {
        Level level = levels[at];
        level.reached.clear();
        if (at == 0) {
            starts.fill(level.reached, want);
            return;
        }
        LongMultiset sources = levels[at - 1].reached;
        while (level.reached.size() < want) {
            if (level.next == sources.size()) {
                fill(at - 1);
                level.next = 0;
                if (sources.size() == 0) {
                    return;
                }
            }
            level.goOn(sources);
        }
    }

    /// The vertices reached by one hop, and its position in the source vertices.
    private final class Level {
        private final HopSource.@Nullable HopReader reader;
        private final LongMultiset reached = new LongMultiset();
        private int next;
        private boolean begun;

        Level(HopSource.@Nullable HopReader reader) {
            this.reader = reader;
        }

        /// Continues from the current vertex until the portion is full or the vertex is done.
        private void goOn(LongMultiset sources) {
            cancellation.check();
            HopSource.HopReader around = reader;
            if (around != null) {
                if (!begun) {
                    around.begin(sources.key(next));
                    begun = true;
                }
                if (!around.read(reached, sources.bulk(next), want)) {
                    return;
                }
            }
            begun = false;
            next++;
        }
    }
}
