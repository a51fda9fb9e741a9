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

/// What a vertex program computes for vertices, beside the graph: of each vertex the values of each key that
/// the program has touched, which hide what the graph has under that key. They may be any objects.
///
/// In a round one thread sees to a vertex, and only then its values change; rounds follow each other.
final class ComputedValues {
    private final Map<Long, Map<String, List<Value>>> byVertex = new ConcurrentHashMap<>();
    private final Set<String> keys;
    private final ComputerBudget budget;
    private volatile boolean complete;

    /// @param keys those that the program may touch
    ComputedValues(Set<String> keys, ComputerBudget budget) {
        this.keys = keys;
        this.budget = budget;
    }

    /// One value.
    ///
    /// @param number tells apart the values of one key
    record Value(int number, Object value, Map<String, Object> meta) {}

    /// By key, what was computed for `vertex`; a list is empty where the program has removed all of a key.
    Map<String, List<Value>> of(long vertex) {
        return byVertex.getOrDefault(vertex, Map.of());
    }

    /// Adds a value, or sets it; how many there may be is what `cardinality` says.
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

    /// Hides what the graph has of `key` from now on.
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

    /// The program is at its end: what it computed for itself alone is forgotten, the rest stays as it is.
    void complete(Set<VertexComputeKey> keys) {
        complete = true;
        for (VertexComputeKey key : keys) {
            if (key.isTransient()) {
                byVertex.values().forEach(of -> of.remove(key.getKey()));
            }
        }
        byVertex.values().removeIf(Map::isEmpty);
    }

    /// All vertices for which something was computed.
    Set<Map.Entry<Long, Map<String, List<Value>>>> all() {
        return byVertex.entrySet();
    }
}
