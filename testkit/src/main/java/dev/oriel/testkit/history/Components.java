package dev.oriel.testkit.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Strongly connected components of a subgraph (Tarjan 1972, without recursion). Every cycle lies within one
/// component, so the subgraph is acyclic if each component is a single state.
///
/// The subgraph has the edges of the given types. With `spaced`, paths with two consecutive anti-dependencies are
/// excluded: a state is then a node and whether the edge into it was an anti-dependency. Only from a state entered
/// by another edge does an anti-dependency lead on. The cycles of states are the cycles of the graph without two
/// consecutive anti-dependencies.
final class Components {
    private static final int UNASSIGNED = -1;

    private final Graph graph;
    private final int types;
    private final int shift;

    private final int[] component;
    private final int[] order;
    private final int[] low;
    private final int[] nextEdge;
    private final int[] stack;
    private final int[] path;
    private int stackCount;
    private int pathCount;
    private int visited;
    private int componentCount;
    private final List<int[]> circular = new ArrayList<>();

    /// @param types a bit for each type of edge
    Components(Graph graph, int types, boolean spaced) {
        this.graph = graph;
        this.types = types;
        this.shift = spaced ? 1 : 0;
        int states = graph.nodes() << shift;
        component = new int[states];
        Arrays.fill(component, UNASSIGNED);
        order = new int[states];
        low = new int[states];
        nextEdge = new int[states];
        stack = new int[states];
        path = new int[states];
        for (int state = 0; state < states; state++) {
            if (order[state] == 0) {
                visitFrom(state);
            }
        }
    }

    /// The components of more than one state, each as its states.
    List<int[]> circular() {
        return circular;
    }

    int states() {
        return component.length;
    }

    int node(int state) {
        return state >> shift;
    }

    /// The target state of an edge from a state, or -1 if the edge is excluded.
    int target(int state, int edge) {
        int type = graph.type(edge);
        if ((types >> type & 1) == 0) {
            return -1;
        }
        if (shift == 0) {
            return graph.target(edge);
        }
        int anti = type == Graph.READ_WRITE ? 1 : 0;
        return (anti & state) == 1 ? -1 : graph.target(edge) << 1 | anti;
    }

    boolean isSame(int state, int other) {
        return component[state] == component[other];
    }

    private void visitFrom(int root) {
        enter(root);
        while (pathCount > 0) {
            int state = path[pathCount - 1];
            int edge = nextEdge[state];
            if (edge < graph.endEdge(node(state))) {
                nextEdge[state]++;
                int target = target(state, edge);
                if (target >= 0) {
                    if (order[target] == 0) {
                        enter(target);
                    } else if (component[target] == UNASSIGNED) {
                        low[state] = Math.min(low[state], order[target]);
                    }
                }
            } else {
                leave(state);
            }
        }
    }

    private void enter(int state) {
        order[state] = ++visited;
        low[state] = visited;
        nextEdge[state] = graph.firstEdge(node(state));
        stack[stackCount++] = state;
        path[pathCount++] = state;
    }

    private void leave(int state) {
        pathCount--;
        if (pathCount > 0) {
            int parent = path[pathCount - 1];
            low[parent] = Math.min(low[parent], low[state]);
        }
        if (low[state] == order[state]) {
            int end = stackCount;
            do {
                component[stack[--stackCount]] = componentCount;
            } while (stack[stackCount] != state);
            componentCount++;
            if (end - stackCount > 1) {
                circular.add(Arrays.copyOfRange(stack, stackCount, end));
            }
        }
    }
}
