package dev.oriel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Loads one graph, asks it the same questions again and again, closes it and weighs its files. A transaction
/// ends after every 100 questions.
final class GraphReads {
    /// How many elements a commit takes while the graph is loaded.
    private static final int A_LOAD_COMMIT = 1_000;

    private static final int LOOKUPS = 1_000;
    private static final int HOPS = 3;

    /// How much of the time that a JVM has goes to the loading, at most: what is there is to be asked.
    private static final double LOAD_SHARE = 0.6;

    private final Run run;
    private final GraphOpening opening;
    private final HugegraphSizes sizes;
    private final Durability durability;
    private final String prefix;
    private final boolean air;
    private final Duration graphMax;

    /// @param air whether the graph is the air routes, else a random one
    GraphReads(
            Run run,
            GraphOpening opening,
            HugegraphSizes sizes,
            Durability durability,
            boolean air) {
        this.run = run;
        this.opening = opening;
        this.sizes = sizes;
        this.durability = durability;
        this.air = air;
        this.prefix = prefix(air);
        this.graphMax = run.left(LOAD_SHARE, sizes.graphMax());
    }

    private static String prefix(boolean air) {
        return air ? "hugegraph/air-routes/" : "hugegraph/scale-free/";
    }

    static List<String> cases(boolean air) {
        String prefix = prefix(air);
        List<String> cases = new ArrayList<>();
        if (!air) {
            cases.add(prefix + "vertex-by-id");
            cases.add(prefix + "has-by-index");
            cases.add(prefix + "count-by-indexes");
        }
        for (int hops = 1; hops <= HOPS; hops++) {
            cases.add(prefix + "hops/" + hops);
        }
        if (!air) {
            cases.add(prefix + "paths/2");
            cases.add(prefix + "size");
        }
        return cases;
    }

    void run() throws IOException {
        ReadGraph graph =
                air
                        ? ReadGraph.airRoutes()
                        : ReadGraph.scaleFree(sizes.people(), sizes.friendships(), run.seed());
        Path folder = Files.createDirectories(run.folder().resolve("read"));
        try (GraphStore store = opening.open(folder, GraphShape.INDEXED, durability)) {
            run.phase("loading");
            Object[] ids = load(store, graph);
            if (ids.length == 0) {
                for (String name : cases(air)) {
                    run.stopped(name, "after " + graphMax.toSeconds() + " s, while loading");
                }
                return;
            }
            ask(store, graph, ids);
        }
        long bytes = JdbmFiles.bytes(folder);
        if (bytes > 0 && run.wants(prefix + "size") && !air) {
            double each = (double) bytes / graph.edges();
            run.figure(prefix + "size", "file", "bytes/op", each, durability);
        }
        JdbmFiles.delete(folder);
    }

    /// The ids of all people; none where it takes too long.
    private Object[] load(GraphStore store, ReadGraph graph) {
        long end = System.nanoTime() + graphMax.toNanos();
        Object[] people = new Object[graph.people()];
        for (int i = 0; i < people.length; i++) {
            people[i] = store.addVertex(graph.name(i), graph.city(i), graph.age(i));
            if ((i + 1) % A_LOAD_COMMIT == 0) {
                store.commit();
            }
        }
        store.commit();
        for (int i = 0; i < graph.edges(); i++) {
            store.addEdge(people[graph.source(i)], people[graph.target(i)]);
            if ((i + 1) % A_LOAD_COMMIT == 0) {
                store.commit();
                if (System.nanoTime() > end) {
                    return new Object[0];
                }
            }
        }
        store.commit();
        Object[] ids = new Object[people.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = store.id(people[i]);
        }
        return ids;
    }

    private void ask(GraphStore store, ReadGraph graph, Object[] ids) {
        if (!air) {
            repeat(store, "vertex-by-id", LOOKUPS, i -> store.vertex(chosen(ids, i)));
            int cities = Math.min(graph.cities(), 100);
            repeat(store, "has-by-index", cities, i -> store.people("c" + i));
            int old = ReadGraph.AGES - 2;
            repeat(store, "count-by-indexes", cities, i -> store.count("c" + i, old));
        }
        for (int hops = 1; hops <= HOPS; hops++) {
            int length = hops;
            repeat(
                    store,
                    "hops/" + hops,
                    sizes.starts(hops),
                    i -> store.hops(chosen(ids, i), length));
        }
        if (!air) {
            repeat(store, "paths/2", sizes.starts(2), i -> store.paths(chosen(ids, i), 2));
        }
    }

    /// Vertices all over the graph.
    private static Object chosen(Object[] ids, int number) {
        return ids[(int) (number * 7_919L % ids.length)];
    }

    /// A question.
    @FunctionalInterface
    private interface Question {
        long of(int number);
    }

    /// Asks `count` questions, again and again: first to warm up, then measured.
    private void repeat(GraphStore store, String name, int count, Question question) {
        if (!run.wants(prefix + name)) {
            return;
        }
        run.phase(name);
        sizes.warming().repeat(() -> count * pass(store, count, question, Duration.ZERO)[1]);
        Meter meter = Meter.start();
        long[] sumAndPasses = pass(store, count, question, sizes.measured());
        Meter.Reading reading = meter.stop(sumAndPasses[1] * count);
        run.rate(prefix + name, reading, durability, sumAndPasses[0]);
    }

    private static long[] pass(GraphStore store, int count, Question question, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        long passes = 0;
        long sum;
        do {
            sum = 1;
            for (int i = 0; i < count; i++) {
                sum = sum * 31 + question.of(i);
                if ((i + 1) % GraphLoads.A_COMMIT == 0) {
                    store.commit();
                }
            }
            store.commit();
            passes++;
        } while (System.nanoTime() < end);
        return new long[] {sum, passes};
    }
}
