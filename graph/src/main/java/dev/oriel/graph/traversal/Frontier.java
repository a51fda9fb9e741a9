package dev.oriel.graph.traversal;

import dev.oriel.graph.memory.LongMultiset;
import dev.oriel.graph.range.CancellationCheck;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Some hops in a row, done for many vertices at a time: what is reached by a hop is gathered, each vertex
/// once with how often it was reached, before the next hop goes on from there.
///
/// ```
/// starts --> [v1:1 v2:3 ..] --hop--> [v7:4 v8:1 ..] --hop--> [ .. ] --> asked for
/// ```
/// Each level asks the one before for a portion when it has used up the last one. Portions are small at
/// first, so that who wants few does not wait for many, and then grow.
final class Frontier {
    private static final int FIRST = 16;
    private static final int MOST = 1 << 14;

    /// Where vertices to start from come from.
    interface Starts {
        /// Adds some vertices, about `most`; none where there are no more.
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

    /// Makes portions large from the first one on, for who wants all there is.
    Frontier whole() {
        want = MOST / 2;
        return this;
    }

    /// The next portion of what the last hop reaches; empty where there is none. Holds until the next
    /// call.
    LongMultiset next() {
        want = Math.min(2 * want, MOST);
        fill(levels.length - 1);
        return levels[levels.length - 1].reached;
    }

    /// Recursion: as deep as there are hops.
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

    /// What one hop has reached, and how far it is with the vertices that it starts from.
    private final class Level {
        private final HopSource.@Nullable HopReader reader;
        private final LongMultiset reached = new LongMultiset();
        private int next;
        private boolean begun;

        Level(HopSource.@Nullable HopReader reader) {
            this.reader = reader;
        }

        /// Goes on from the vertex at hand until the portion is full or the vertex done.
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
