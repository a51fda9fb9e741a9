package dev.oriel.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Callers that some runs recorded and others did not, since their calls had begun before the recording: `main`, the
/// loop of a thread. In the other runs their callees are outermost calls. Without such callers a path is the same in
/// all runs. A method that only B has is none of them, unless one of its calls makes 100 calls or more, as a loop does.
final class OpenCallers {
    /// Least number of calls that a loop makes.
    private static final double LOOP_MIN = 100;

    private OpenCallers() {}

    /// The trees of runs without them.
    ///
    /// @param trees of A, and then of B
    /// @param ofA number of those of A
    static List<CostNode> removed(List<CostNode> trees, int ofA) {
        Set<String> names = names(trees, ofA);
        return names.isEmpty() ? trees : trees.stream().map(tree -> without(tree, names)).toList();
    }

    private static Set<String> names(List<CostNode> trees, int ofA) {
        List<Map<String, Map<String, Double>>> runs = new ArrayList<>();
        for (CostNode tree : trees) {
            runs.add(callees(tree, new HashMap<>()));
        }
        Set<String> open = new HashSet<>();
        boolean more = true;
        while (more) { // a caller of such a caller may be one itself
            more = false;
            for (int run = 0; run < runs.size(); run++) {
                for (String caller : runs.get(run).keySet()) {
                    for (int other = 0; other < runs.size() && !open.contains(caller); other++) {
                        boolean same = run < ofA == other < ofA;
                        if (isOpen(caller, runs.get(run), runs.get(other), same, open)) {
                            more |= open.add(caller);
                        }
                    }
                }
            }
        }
        return open;
    }

    /// Whether the run `other`, which lacks the caller, has one of its callees as an outermost call.
    ///
    /// @param same whether the other run is of the same side
    private static boolean isOpen(
            String caller,
            Map<String, Map<String, Double>> run,
            Map<String, Map<String, Double>> other,
            boolean same,
            Set<String> open) {
        if (caller.isEmpty() || other.containsKey(caller)) {
            return false;
        }
        Set<String> outermost = other.getOrDefault("", Map.of()).keySet();
        double times = 0;
        boolean found = false;
        for (Map.Entry<String, Double> callee : run.getOrDefault(caller, Map.of()).entrySet()) {
            if (outermost.contains(callee.getKey()) || open.contains(callee.getKey())) {
                found = true;
                boolean loops = open.contains(callee.getKey());
                times = Math.max(times, loops ? LOOP_MIN : callee.getValue());
            }
        }
        return found && (same || times >= LOOP_MIN);
    }

    /// The callees of each method, with their number of calls for each call of the method. The callees of the root,
    /// whose name is empty, are the outermost calls.
    private static Map<String, Map<String, Double>> callees(
            CostNode node, Map<String, Map<String, Double>> callees) {
        for (CostNode child : node.children()) {
            callees.computeIfAbsent(node.name(), key -> new HashMap<>())
                    .merge(child.name(), child.calls() / Math.max(1, node.calls()), Math::max);
            callees.computeIfAbsent(child.name(), key -> new HashMap<>());
            callees(child, callees);
        }
        return callees;
    }

    /// The tree without the methods `names`. Their callees become callees of their callers; their own cost is dropped.
    private static CostNode without(CostNode node, Set<String> names) {
        List<CostNode> children = new ArrayList<>();
        for (CostNode child : node.children()) {
            CostNode clean = without(child, names);
            if (names.contains(child.name())) {
                children.addAll(clean.children());
            } else {
                children.add(clean);
            }
        }
        return new CostNode(
                node.name(),
                node.calls(),
                node.self(),
                node.samples(),
                node.tooShort(),
                node.untimed(),
                node.recursive(),
                children);
    }
}
