package dev.oriel.graph.algorithm;

import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.memory.LongList;
import dev.oriel.graph.memory.LongMap;
import dev.oriel.graph.memory.LongSet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Breadth-first searches from a vertex.
final class PathSearch {
    /// Predecessor of a path's first vertex; no vertex has this number.
    private static final long NONE = 0;

    private final Hops hops;
    private final Budget budget;

    PathSearch(Hops hops) {
        this.hops = hops;
        this.budget = hops.course().budget();
    }

    /// The vertices whose shortest path from `from` has exactly `depth` edges, or at most `depth`, without `from`;
    /// in order.
    long[] within(long from, int depth, boolean exactly) {
        LongMap seen = new LongMap(budget);
        LongList found = new LongList(budget);
        LongList frontier = new LongList(budget);
        LongList next = new LongList(budget);
        seen.put(from, 0);
        frontier.add(from);
        for (int level = 1; level <= depth && frontier.size() > 0; level++) {
            LongList into = next;
            int of = level;
            hops.expandAll(
                    frontier,
                    (_, neighbour) -> {
                        if (seen.putNew(neighbour, of)) {
                            into.add(neighbour);
                        }
                    });
            if (!exactly) {
                for (int i = 0; i < next.size(); i++) {
                    found.add(next.get(i));
                }
            }
            next = frontier;
            next.clear();
            frontier = into;
        }
        long[] vertices =
                exactly ? depth == 0 ? new long[] {from} : frontier.toArray() : found.toArray();
        Arrays.sort(vertices);
        return vertices;
    }

    /// One side of a bidirectional search.
    private final class Side {
        private final Hops along;
        private final LongMap before = new LongMap(budget);
        private LongList frontier = new LongList(budget);
        private LongList next = new LongList(budget);

        Side(Hops along, long start) {
            this.along = along;
            before.put(start, NONE);
            frontier.add(start);
        }

        /// Expands one level; returns a vertex that `other` has reached too, or 0.
        long step(Side other) {
            long[] met = {NONE};
            LongList into = next;
            along.expandAll(
                    frontier,
                    (from, to) -> {
                        if (met[0] == NONE && before.putNew(to, from)) {
                            into.add(to);
                            met[0] = other.before.contains(to) ? to : NONE;
                        }
                    });
            next = frontier;
            next.clear();
            frontier = into;
            return met[0];
        }

        /// The path from `vertex` back to the start of this side.
        LongList back(long vertex) {
            LongList path = new LongList(budget);
            for (long at = vertex; at != NONE; at = before.get(at, NONE)) {
                path.add(at);
            }
            return path;
        }
    }

    /// The vertices of a shortest path, both ends included; empty if there is none. The search is bidirectional
    /// and always expands the smaller frontier. Before a level is expanded, no path is as short as the levels of
    /// both sides together. So the first meeting is on a shortest path.
    long[] shortest(long from, long to) {
        if (from == to) {
            return new long[] {from};
        }
        Side forward = new Side(hops, from);
        Side backward = new Side(hops.reverse(), to);
        while (forward.frontier.size() > 0 && backward.frontier.size() > 0) {
            boolean ahead = forward.frontier.size() <= backward.frontier.size();
            long met = ahead ? forward.step(backward) : backward.step(forward);
            if (met != NONE) {
                return joined(forward.back(met), backward.back(met));
            }
        }
        return new long[0];
    }

    private static long[] joined(LongList first, LongList second) {
        long[] path = new long[first.size() + second.size() - 1];
        for (int i = 0; i < first.size(); i++) {
            path[first.size() - 1 - i] = first.get(i);
        }
        for (int i = 1; i < second.size(); i++) {
            path[first.size() - 1 + i] = second.get(i);
        }
        return path;
    }

    /// All shortest paths as sequences of vertices, at most `most`; parallel edges do not multiply paths.
    List<long[]> allShortest(long from, long to, long most) {
        LongMap levels = new LongMap(budget);
        LongList frontier = new LongList(budget);
        levels.put(from, 0);
        frontier.add(from);
        for (int level = 1; !levels.contains(to) && frontier.size() > 0; level++) {
            LongList next = new LongList(budget);
            int of = level;
            hops.expandAll(
                    frontier,
                    (_, neighbour) -> {
                        if (levels.putNew(neighbour, of)) {
                            next.add(neighbour);
                        }
                    });
            frontier.release();
            frontier = next;
        }
        List<long[]> found = new ArrayList<>();
        if (levels.contains(to) && most > 0) {
            collect(levels, to, most, found);
        }
        return found;
    }

    /// Walks back from `to` over vertices of the level before, along each path to its end.
    private void collect(LongMap levels, long to, long most, List<long[]> found) {
        int length = (int) levels.get(to, 0);
        long[] path = new long[length + 1];
        long[][] choices = new long[length + 1][];
        boolean[] open = new boolean[length + 1];
        int[] chosen = new int[length + 1];
        Hops back = hops.reverse();
        path[length] = to;
        int at = length;
        while (at <= length) {
            if (at == 0) {
                budget.take((length + 1L) * Long.BYTES);
                found.add(path.clone());
                if (found.size() == most) {
                    return;
                }
                at++;
                continue;
            }
            if (!open[at]) {
                open[at] = true;
                choices[at] = before(back, levels, path[at]);
                chosen[at] = 0;
            }
            if (chosen[at] == choices[at].length) {
                open[at] = false;
                at++;
            } else {
                path[at - 1] = choices[at][chosen[at]++];
                at--;
            }
        }
    }

    /// The predecessors of `vertex` on the level before, each once, in order.
    private static long[] before(Hops back, LongMap levels, long vertex) {
        LongSet found = new LongSet();
        LongList list = new LongList(back.course().budget());
        long level = levels.get(vertex, 0);
        back.expand(
                vertex,
                each -> {
                    if (levels.get(each, -1) == level - 1 && found.add(each)) {
                        list.add(each);
                    }
                });
        long[] sorted = list.toArray();
        list.release();
        Arrays.sort(sorted);
        return sorted;
    }
}
