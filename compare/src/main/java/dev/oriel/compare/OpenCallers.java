package dev.oriel.compare;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// Callers that some runs recorded and others did not, since their calls had begun before the recording: `main`, the
/// loop of a thread. Their callees are the outermost calls of those others. Without such callers a path is the same
/// in all runs of a program.
final class OpenCallers {
    private OpenCallers() {}

    /// The trees of the runs of one side, without them.
    static List<CostNode> removed(List<CostNode> trees) {
        Set<String> names = names(trees);
        return names.isEmpty()
                ? trees
                : trees.stream().map(tree -> without(tree, names)).toList();
    }

    private static Set<String> names(List<CostNode> trees) {
        List<Map<String, Set<String>>> callees = new ArrayList<>();
        for (CostNode tree : trees) {
            callees.add(callees(tree, new HashMap<>()));
        }
        Set<String> open = new HashSet<>();
        boolean more = true;
        while (more) { // a caller of such a caller may be one itself
            more = false;
            for (Map<String, Set<String>> there : callees) {
                for (Map.Entry<String, Set<String>> caller : there.entrySet()) {
                    more |= isOpen(caller, callees, open) && open.add(caller.getKey());
                }
            }
        }
        return open;
    }

    /// Whether a run without the caller has a callee of it outermost.
    private static boolean isOpen(
            Map.Entry<String, Set<String>> caller,
            List<Map<String, Set<String>>> runs,
            Set<String> open) {
        for (Map<String, Set<String>> run : runs) {
            Set<String> outermost = run.getOrDefault("", Set.of());
            if (!caller.getKey().isEmpty()
                    && !run.containsKey(caller.getKey())
                    && caller.getValue().stream()
                            .anyMatch(callee -> outermost.contains(callee) || open.contains(callee))) {
                return true;
            }
        }
        return false;
    }

    /// The callees of each method, and the outermost calls under an empty name.
    private static Map<String, Set<String>> callees(
            CostNode node, Map<String, Set<String>> callees) {
        for (CostNode child : node.children()) {
            callees.computeIfAbsent(node.name(), key -> new HashSet<>()).add(child.name());
            callees.computeIfAbsent(child.name(), key -> new HashSet<>());
            callees(child, callees);
        }
        return callees;
    }

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
                children);
    }
}
