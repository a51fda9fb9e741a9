package dev.oriel.testkit.history;

import dev.oriel.testkit.history.Anomaly.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Looks for cycles that a level forbids, the worst kinds first, and describes them in words. For each component
/// one short cycle is shown: the shortest through some of its states.
final class Circles {
    private static final int STARTS_MAX = 8;
    private static final int NONE = -1;

    private static final int WRITES = 1 << Graph.WRITE_WRITE;
    private static final int DEPENDENCIES = WRITES | 1 << Graph.WRITE_READ;
    private static final int ALL = DEPENDENCIES | 1 << Graph.READ_WRITE;
    private static final int TIME = 1 << Graph.REAL_TIME;

    private final History history;
    private final Graph graph;
    private final Findings findings;

    /// One step of a cycle, from transaction to transaction.
    private record Step(int source, int target, int type, int op) {}

    Circles(History history, Graph graph, Findings findings) {
        this.history = history;
        this.graph = graph;
        this.findings = findings;
    }

    void search(Level level, boolean strict) {
        int types = level == Level.READ_COMMITTED ? DEPENDENCIES : ALL;
        boolean spaced = level == Level.SNAPSHOT;
        if (new Components(graph, strict ? types | TIME : types, spaced).circular().isEmpty()) {
            return;
        }
        for (int time = 0; time <= (strict ? TIME : 0); time += TIME) {
            search(WRITES | time, false);
            search(DEPENDENCIES | time, false);
            if (level != Level.READ_COMMITTED) {
                search(ALL | time, true);
            }
            if (level == Level.SERIALIZABLE) {
                search(ALL | time, false);
            }
        }
    }

    private void search(int types, boolean spaced) {
        Components components = new Components(graph, types, spaced);
        if (components.circular().isEmpty()) {
            return;
        }
        Search search = new Search(components);
        for (int[] states : components.circular()) {
            List<Step> shortest = List.of();
            int stride = Math.max(1, states.length / STARTS_MAX);
            for (int i = 0; i < states.length; i += stride) {
                List<Step> circle = search.shortest(states[i]);
                if (shortest.isEmpty() || circle.size() < shortest.size()) {
                    shortest = circle;
                }
            }
            report(shortest);
        }
    }

    /// Breadth-first search within one component.
    private final class Search {
        private final Components components;
        private final int[] cameFrom;
        private final int[] cameBy;
        private final int[] seenIn;
        private final int[] queue;
        private int turn;

        Search(Components components) {
            this.components = components;
            cameFrom = new int[components.states()];
            cameBy = new int[components.states()];
            seenIn = new int[components.states()];
            queue = new int[components.states()];
        }

        /// The shortest cycle through `start`, whose component has more than one state.
        List<Step> shortest(int start) {
            turn++;
            int count = 0;
            queue[count++] = start;
            for (int i = 0; i < count; i++) {
                int state = queue[i];
                int node = components.node(state);
                for (int edge = graph.firstEdge(node); edge < graph.endEdge(node); edge++) {
                    int target = components.target(state, edge);
                    if (target < 0 || seenIn[target] == turn || !components.isSame(start, target)) {
                        continue;
                    }
                    seenIn[target] = turn;
                    cameFrom[target] = state;
                    cameBy[target] = edge;
                    if (target == start) {
                        return steps(start);
                    }
                    queue[count++] = target;
                }
            }
            throw new AssertionError("a component without a circle");
        }

        private List<Step> steps(int start) {
            List<Step> reversed = new ArrayList<>();
            int state = start;
            do {
                int edge = cameBy[state];
                int source = components.node(cameFrom[state]);
                reversed.add(
                        new Step(source, graph.target(edge), graph.type(edge), graph.op(edge)));
                state = cameFrom[state];
            } while (state != start);
            return withoutMoments(reversed.reversed());
        }
    }

    /// Merges the steps from transaction to moment to ... to transaction into one.
    private List<Step> withoutMoments(List<Step> steps) {
        int transactions = history.transactionCount();
        int begin = 0;
        while (steps.get(begin).source() >= transactions) {
            begin++;
        }
        List<Step> shorter = new ArrayList<>();
        int source = NONE;
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get((begin + i) % steps.size());
            source = source == NONE ? step.source() : source;
            if (step.target() < transactions) {
                shorter.add(new Step(source, step.target(), step.type(), step.op()));
                source = NONE;
            }
        }
        return shorter;
    }

    private void report(List<Step> circle) {
        Kind kind = kind(circle);
        if (!findings.wants(kind)) {
            return;
        }
        StringBuilder text = new StringBuilder();
        for (Step step : circle) {
            text.append(text.isEmpty() ? "" : "\n").append(text(step));
        }
        int[] members = circle.stream().mapToInt(Step::source).toArray();
        Arrays.stream(members)
                .distinct()
                .sorted()
                .forEach(t -> text.append('\n').append(history.describe(t)));
        findings.add(kind, text.toString(), members);
    }

    private Kind kind(List<Step> circle) {
        int antis = count(circle, Graph.READ_WRITE);
        boolean time = count(circle, Graph.REAL_TIME) > 0;
        boolean reads = count(circle, Graph.WRITE_READ) > 0;
        if (antis == 0) {
            return reads ? Kind.CIRCULAR_INFORMATION_FLOW : Kind.DIRTY_WRITE;
        }
        if (circle.size() == 2 && !time && !reads && isOfOneKey(circle)) {
            return Kind.LOST_UPDATE;
        }
        if (hasTwoInARow(circle)) {
            return Kind.WRITE_SKEW;
        }
        if (time) {
            return Kind.STALE_READ;
        }
        return antis == 1 ? Kind.READ_SKEW : Kind.LONG_FORK;
    }

    private static int count(List<Step> circle, int type) {
        return (int) circle.stream().filter(step -> step.type() == type).count();
    }

    private boolean isOfOneKey(List<Step> circle) {
        return history.key(circle.get(0).op()) == history.key(circle.get(1).op());
    }

    private static boolean hasTwoInARow(List<Step> circle) {
        for (int i = 0; i < circle.size(); i++) {
            int next = circle.get((i + 1) % circle.size()).type();
            if (circle.get(i).type() == Graph.READ_WRITE && next == Graph.READ_WRITE) {
                return true;
            }
        }
        return false;
    }

    private String text(Step step) {
        int a = step.source();
        int b = step.target();
        return switch (step.type()) {
            case Graph.WRITE_WRITE ->
                    "T%d wrote after T%d: %s".formatted(b, a, history.text(step.op()));
            case Graph.WRITE_READ ->
                    "T%d saw what T%d wrote: %s".formatted(b, a, history.text(step.op()));
            case Graph.READ_WRITE ->
                    "T%d did not see what T%d wrote: %s".formatted(a, b, history.text(step.op()));
            default ->
                    "T%d ended at %d, before T%d began at %d"
                            .formatted(a, history.ended(a), b, history.begun(b));
        };
    }
}
