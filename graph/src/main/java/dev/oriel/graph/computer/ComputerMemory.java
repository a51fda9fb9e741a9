package dev.oriel.graph.computer;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.process.computer.MapReduce;
import org.apache.tinkerpop.gremlin.process.computer.Memory;
import org.apache.tinkerpop.gremlin.process.computer.MemoryComputeKey;
import org.apache.tinkerpop.gremlin.process.computer.VertexProgram;
import org.apache.tinkerpop.gremlin.process.traversal.Operator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/// Shared memory of a vertex program. Two states alternate: before and after a round, the program sets values.
/// During a round, vertices in many threads add to values and read the values from before the round.
final class ComputerMemory implements Memory.Admin {
    private final Map<String, MemoryComputeKey<?>> keys = new HashMap<>();

    /// Values being written; empty for a computed null, such as the sum of no numbers.
    private final Map<String, Optional<Object>> written = new ConcurrentHashMap<>();

    private Map<String, Optional<Object>> read = new HashMap<>();
    private volatile boolean inRound;
    private int iteration;
    private long runtimeMillis;

    ComputerMemory(@Nullable VertexProgram<?> program, Set<MapReduce<?, ?, ?, ?, ?>> mapReduces) {
        if (program != null) {
            for (MemoryComputeKey<?> key : program.getMemoryComputeKeys()) {
                keys.put(key.getKey(), key);
            }
        }
        for (MapReduce<?, ?, ?, ?, ?> each : mapReduces) {
            String key = each.getMemoryKey();
            keys.put(key, MemoryComputeKey.of(key, Operator.assign, false, false));
        }
    }

    /// Switches state at the begin or end of a round.
    void turn() {
        read = new HashMap<>(written);
        inRound = !inRound;
    }

    /// Ends the program: removes transient values.
    void complete() {
        iteration--;
        keys.values().stream()
                .filter(MemoryComputeKey::isTransient)
                .forEach(key -> written.remove(key.getKey()));
        read = new HashMap<>(written);
    }

    @Override
    public Set<String> keys() {
        return read.keySet().stream()
                .filter(key -> !inRound || isBroadcast(key))
                .collect(Collectors.toUnmodifiableSet());
    }

    private boolean isBroadcast(String key) {
        MemoryComputeKey<?> known = keys.get(key);
        return known != null && known.isBroadcast();
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as the interface has it
    public <R> @Nullable R get(String key) {
        Optional<Object> value = read.get(key);
        if (value == null || (inRound && !isBroadcast(key))) {
            throw Memory.Exceptions.memoryDoesNotExist(key);
        }
        return (R) value.orElse(null);
    }

    @Override
    public void set(String key, @Nullable Object value) {
        checkKey(key);
        if (inRound) {
            throw Memory.Exceptions.memorySetOnlyDuringVertexProgramSetUpAndTerminate(key);
        }
        written.put(key, Optional.ofNullable(value));
    }

    @Override
    @SuppressWarnings("unchecked") // the reducer has the type of the key's values
    public void add(String key, @Nullable Object value) {
        checkKey(key);
        MemoryComputeKey<?> known = keys.get(key);
        if (!inRound || known == null) {
            throw Memory.Exceptions.memoryAddOnlyDuringVertexProgramExecute(key);
        }
        BinaryOperator<@Nullable Object> reducer =
                (BinaryOperator<@Nullable Object>) known.getReducer();
        written.compute(
                key,
                (k, before) ->
                        Optional.ofNullable(
                                before == null || before.isEmpty()
                                        ? value
                                        : reducer.apply(before.get(), value)));
    }

    private void checkKey(String key) {
        if (!keys.containsKey(key)) {
            throw GraphComputer.Exceptions.providedKeyIsNotAMemoryComputeKey(key);
        }
    }

    @Override
    public int getIteration() {
        return iteration;
    }

    @Override
    public void setIteration(int to) {
        iteration = to;
    }

    @Override
    public void incrIteration() {
        iteration++;
    }

    @Override
    public long getRuntime() {
        return runtimeMillis;
    }

    @Override
    public void setRuntime(long millis) {
        runtimeMillis = millis;
    }

    @Override
    public String toString() {
        return StringFactory.memoryString(this);
    }
}
