package dev.oriel.graph.computer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.tinkerpop.gremlin.process.computer.KeyValue;
import org.apache.tinkerpop.gremlin.process.computer.MapReduce;
import org.apache.tinkerpop.gremlin.process.computer.MapReduce.Stage;
import org.apache.tinkerpop.gremlin.process.computer.util.ComputerGraph;

/// One map-reduce over computed vertices: map, then reduce if the job has that stage. A combiner would save
/// nothing within one process.
final class MapReduceRun<A, B, C, D> {
    private final MapReduce<A, B, C, D, ?> job;
    private final ComputerWorkers workers;

    /// Mapped values by key; used if the job reduces.
    private final Map<A, Queue<B>> byKey = new ConcurrentHashMap<>();

    private final Queue<KeyValue<A, B>> mapped = new ConcurrentLinkedQueue<>();
    private final Queue<KeyValue<C, D>> reduced = new ConcurrentLinkedQueue<>();

    MapReduceRun(MapReduce<A, B, C, D, ?> job, ComputerWorkers workers) {
        this.job = job;
        this.workers = workers;
    }

    /// Runs the job over `graph` and puts its result into `memory`.
    void run(ComputedGraph graph, ComputerMemory memory) {
        boolean reduces = job.doStage(Stage.REDUCE);
        workers.run(
                graph.size(),
                () ->
                        new Stint(Stage.MAP) {
                            @Override
                            public void see(int at) {
                                own.map(
                                        ComputerGraph.mapReduce(graph.at(at)),
                                        (key, value) -> mapped(reduces, key, value));
                            }
                        });
        if (reduces) {
            reduce(memory);
        } else {
            job.addResultToMemory(memory, cast(sorted(mapped, job.getMapKeySort())).iterator());
        }
    }

    private void mapped(boolean reduces, A key, B value) {
        if (reduces) {
            byKey.computeIfAbsent(key, k -> new ConcurrentLinkedQueue<>()).add(value);
        } else {
            mapped.add(new KeyValue<>(key, value));
        }
    }

    private void reduce(ComputerMemory memory) {
        List<Map.Entry<A, Queue<B>>> entries = new ArrayList<>(byKey.entrySet());
        job.getMapKeySort().ifPresent(order -> entries.sort(Map.Entry.comparingByKey(order)));
        workers.run(
                entries.size(),
                () ->
                        new Stint(Stage.REDUCE) {
                            @Override
                            public void see(int at) {
                                own.reduce(
                                        entries.get(at).getKey(),
                                        entries.get(at).getValue().iterator(),
                                        (key, value) -> reduced.add(new KeyValue<>(key, value)));
                            }
                        });
        job.addResultToMemory(memory, sorted(reduced, job.getReduceKeySort()).iterator());
    }

    private static <K, V> List<KeyValue<K, V>> sorted(
            Queue<KeyValue<K, V>> all, Optional<Comparator<K>> order) {
        List<KeyValue<K, V>> sorted = new ArrayList<>(all);
        order.ifPresent(by -> sorted.sort(Comparator.comparing(KeyValue::getKey, by)));
        return sorted;
    }

    @SuppressWarnings("unchecked") // without a reduce stage, map returns the result types
    private List<KeyValue<C, D>> cast(List<KeyValue<A, B>> of) {
        return (List<KeyValue<C, D>>) (List<?>) of;
    }

    /// The work of one thread, with its own clone of the job.
    private abstract class Stint implements ComputerWorkers.Stint {
        final MapReduce<A, B, C, D, ?> own = job.clone();
        private final Stage stage;

        Stint(Stage stage) {
            this.stage = stage;
        }

        @Override
        public void begin() {
            own.workerStart(stage);
        }

        @Override
        public void end() {
            own.workerEnd(stage);
        }
    }
}
