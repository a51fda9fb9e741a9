package dev.oriel.testkit.history;

import dev.oriel.testkit.history.Anomaly.Kind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The anomalies found so far, each once, with a limit for each kind.
final class Findings {
    private static final int OF_A_KIND_MAX = 100;

    private final Level level;
    private final List<Anomaly> anomalies = new ArrayList<>();
    private final Map<Kind, Set<List<Integer>>> seen = new EnumMap<>(Kind.class);

    Findings(Level level) {
        this.level = level;
    }

    /// Whether the limit of this kind is not reached.
    boolean wants(Kind kind) {
        return level.forbids(kind) && known(kind).size() < OF_A_KIND_MAX;
    }

    private Set<List<Integer>> known(Kind kind) {
        return seen.computeIfAbsent(kind, k -> new HashSet<>());
    }

    void add(Kind kind, String text, int... transactions) {
        if (wants(kind)) {
            List<Integer> members = Arrays.stream(transactions).boxed().toList();
            if (known(kind).add(members.stream().distinct().sorted().toList())) {
                anomalies.add(new Anomaly(kind, members, text));
            }
        }
    }

    List<Anomaly> list() {
        return List.copyOf(anomalies);
    }
}
