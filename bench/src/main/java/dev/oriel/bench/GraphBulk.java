package dev.oriel.bench;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// Loads people and who knows whom, from two CSV files or from a program, into an empty graph, edges in the order
/// of their sources, by what each product has for that. The clock stops when everything is closed and synced; edges are counted.
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
        for (int size : new int[] {edges / 4, edges / 4, edges}) { // the last one counts
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
                    files
                            ? opening.load(target, vertexFile, edgeFile)
                            : opening.load(target, graph);
            if (!can) {
                run.cannot(name, "it has no loader that runs in this process");
                return;
            }
            JdbmFiles.sync(target);
            Meter.Reading reading = meter.stop(size);
            if (size == edges) {
                run.rate(name, reading, durability, 0);
            }
            JdbmFiles.delete(folder);
        }
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
