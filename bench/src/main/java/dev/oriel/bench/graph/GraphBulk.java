package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Loads people and their acquaintances, from two CSV files or from a program, into an empty graph, by each
/// product's loader. Edges come in the order of their sources. The clock stops when everything is closed and
/// synced; edges are counted.
final class GraphBulk {
    private static final String FROM_FILES = "hugegraph/bulk/sorted-edges";
    private static final String FROM_PROGRAM = "hugegraph/bulk/sorted-edges/from-program";
    private static final int EDGES_A_VERTEX = 10;

    private final Run run;
    private final GraphOpening opening;
    private final HugegraphSizes sizes;
    private final Durability durability;

    GraphBulk(Run run, GraphOpening opening, HugegraphSizes sizes, Durability durability) {
        this.run = run;
        this.opening = opening;
        this.sizes = sizes;
        this.durability = durability;
    }

    static List<String> cases() {
        return List.of(FROM_FILES, FROM_PROGRAM);
    }

    void run() throws IOException {
        for (String name : cases()) {
            if (run.wants(name)) {
                measure(name);
            }
        }
    }

    private void measure(String name) throws IOException {
        int edges = sizes.bulkEdges();
        if (once(name, edges / 4) == null) {
            run.cannot(name, "it has no loader that runs in this process");
            return;
        }
        sizes.firstWarming().repeat(() -> operations(once(name, edges / 4)));
        Meter.Reading reading = once(name, edges);
        if (reading != null) {
            run.rate(name, reading, durability, 0);
        }
    }

    private static long operations(Meter.@Nullable Reading reading) {
        return reading == null ? 0 : reading.operations();
    }

    /// One load of `size` edges; null if there is no loader.
    private Meter.@Nullable Reading once(String name, int size) throws IOException {
        Path folder = Files.createDirectories(run.folder().resolve("bulk-" + size));
        run.phase("making what is loaded");
        int people = Math.max(4, size / EDGES_A_VERTEX);
        ReadGraph graph = ReadGraph.scaleFree(people, size, run.seed());
        Path input = Files.createDirectories(folder.resolve("input"));
        boolean files = name.equals(FROM_FILES);
        Path vertexFile = files ? writePeople(graph, input) : input;
        Path edgeFile = files ? writeEdges(graph, input) : input;
        Path target = Files.createDirectories(folder.resolve("graph"));
        run.phase("loading");
        Meter meter = Meter.start();
        boolean can =
                files ? opening.load(target, vertexFile, edgeFile) : opening.load(target, graph);
        Meter.Reading reading = null;
        if (can) {
            RunFiles.sync(target);
            reading = meter.stop(size);
        }
        RunFiles.delete(folder);
        return reading;
    }

    private static Path writePeople(ReadGraph graph, Path folder) throws IOException {
        Path file = folder.resolve("people.csv");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("id,name,city,age\n");
            for (int i = 0; i < graph.people(); i++) {
                String row = graph.name(i) + "," + graph.city(i) + "," + graph.age(i);
                out.write(i + "," + row + "\n");
            }
        }
        return file;
    }

    private static Path writeEdges(ReadGraph graph, Path folder) throws IOException {
        Path file = folder.resolve("knows.csv");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            out.write("source,target\n");
            for (int i = 0; i < graph.edges(); i++) {
                out.write(graph.source(i) + "," + graph.target(i) + "\n");
            }
        }
        return file;
    }
}
