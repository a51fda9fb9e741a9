package dev.oriel.graph.computer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.VertexComputeKey;
import org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality;

/// Values that a vertex program computes for vertices, stored outside the graph. For each vertex they hold the
/// keys that the program has touched, and hide the graph's values of these keys. Values may be any objects.
///
/// In a round one thread processes a vertex, and only that thread changes its values; rounds do not overlap.
final class ComputedValues {
    private final Map<Long, Map<String, List<Value>>> byVertex = new ConcurrentHashMap<>();
    private final Set<String> keys;
    private final ComputerBudget budget;
    private volatile boolean complete;

    /// @param keys the keys that the program may touch
    ComputedValues(Set<String> keys, ComputerBudget budget) {
        this.keys = keys;
        this.budget = budget;
    }

    /// One value.
    ///
    /// @param number distinguishes the values of one key
    record Value(int number, Object value, Map<String, Object> meta) {}

    /// The values computed for `vertex`, by key; an empty list means that the program has removed the key.
    Map<String, List<Value>> of(long vertex) {
        return byVertex.getOrDefault(vertex, Map.of());
    }

    /// Adds or replaces a value, according to `cardinality`.
    Value put(
            long vertex,
            Cardinality cardinality,
            String key,
            Object value,
            Map<String, Object> meta) {
        List<Value> values = touched(vertex, key);
        int before = values.size();
        if (cardinality == Cardinality.single) {
            values.clear();
        } else if (cardinality == Cardinality.set) {
            values.removeIf(each -> Objects.equals(each.value, value));
        }
        int number = values.isEmpty() ? 0 : values.getLast().number + 1;
        budget.take(values.size() + 1L - before);
        Value added = new Value(number, value, meta);
        values.add(added);
        return added;
    }

    /// Hides the graph's values of `key` from now on.
    void touch(long vertex, String key) {
        touched(vertex, key);
    }

    void remove(long vertex, String key, int number) {
        List<Value> values = touched(vertex, key);
        if (values.removeIf(each -> each.number == number)) {
            budget.giveBack(1);
        }
    }

    private List<Value> touched(long vertex, String key) {
        if (complete) {
            throw new UnsupportedOperationException(
                    "Results of a graph computer cannot be changed");
        }
        if (!keys.contains(key)) {
            throw GraphComputer.Exceptions.providedKeyIsNotAnElementComputeKey(key);
        }
        return byVertex.computeIfAbsent(vertex, v -> new HashMap<>(4))
                .computeIfAbsent(key, k -> new ArrayList<>(1));
    }

    /// Ends the program: drops the transient keys and makes the others immutable.
    void complete(Set<VertexComputeKey> keys) {
        complete = true;
        for (VertexComputeKey key : keys) {
            if (key.isTransient()) {
                byVertex.values().forEach(of -> of.remove(key.getKey()));
            }
        }
        byVertex.values().removeIf(Map::isEmpty);
    }

    /// All vertices with computed values.
    Set<Map.Entry<Long, Map<String, List<Value>>>> all() {
        return byVertex.entrySet();
    }
}
