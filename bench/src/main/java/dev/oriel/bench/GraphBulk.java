package dev.oriel.bench;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// Loads people and who knows whom from two CSV files into an empty graph, edges in the order of their sources,
/// by what each product has for that. The clock stops when everything is closed and synced; edges are counted.
public final class GraphBulk {
    static final String CASE = "hugegraph/bulk/sorted-edges";
    private static final int EDGES_A_VERTEX = 10;
    private static final int A_COMMIT = 10_000;

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

    void run() throws IOException {
        if (!run.wants(CASE)) {
            return;
        }
        int edges = sizes.bulkEdges();
        for (int size : new int[] {edges / 4, edges / 4, edges}) { // the last one counts
            Path folder = Files.createDirectories(run.folder().resolve("bulk-" + size));
            run.phase("writing files");
            int people = Math.max(4, size / EDGES_A_VERTEX);
            ReadGraph graph = ReadGraph.scaleFree(people, size, run.seed());
            Path input = Files.createDirectories(folder.resolve("input"));
            Path vertexFile = writePeople(graph, input);
            Path edgeFile = writeEdges(graph, input);
            Path target = Files.createDirectories(folder.resolve("graph"));
            run.phase("loading");
            Meter meter = Meter.start();
            if (!opening.load(target, vertexFile, edgeFile)) {
                run.cannot(CASE, "it has no loader that runs in this process");
                return;
            }
            JdbmFiles.sync(target);
            Meter.Reading reading = meter.stop(size);
            if (size == edges) {
                run.rate(CASE, reading, durability, 0);
            }
            JdbmFiles.delete(folder);
        }
    }

    /// Loads the files through the calls that any graph has, for those that have a mode for that.
    ///
    /// @throws IOException if a file cannot be read
    public static void insert(GraphStore store, Path people, Path edges) throws IOException {
        List<Object> vertices = new ArrayList<>();
        try (BufferedReader vertexRows = Files.newBufferedReader(people);
                BufferedReader edgeRows = Files.newBufferedReader(edges)) {
            vertexRows.readLine(); // titles
            for (String row = vertexRows.readLine(); row != null; row = vertexRows.readLine()) {
                String[] fields = row.split(",", -1);
                vertices.add(store.addVertex(fields[1], fields[2], Integer.parseInt(fields[3])));
                if (vertices.size() % A_COMMIT == 0) {
                    store.commit();
                }
            }
            store.commit();
            edgeRows.readLine(); // titles
            int added = 0;
            for (String row = edgeRows.readLine(); row != null; row = edgeRows.readLine()) {
                int comma = row.indexOf(',');
                Object from = vertices.get(Integer.parseInt(row, 0, comma, 10));
                store.addEdge(
                        from, vertices.get(Integer.parseInt(row, comma + 1, row.length(), 10)));
                if (++added % A_COMMIT == 0) {
                    store.commit();
                }
            }
            store.commit();
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
