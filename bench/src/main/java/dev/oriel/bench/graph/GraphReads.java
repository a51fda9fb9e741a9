package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import dev.oriel.bench.measure.WarmUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Loads one graph, asks the same questions repeatedly, closes it and measures its files. A transaction ends after
/// every 100 questions. If the subject has Gremlin, the questions are also cases in Gremlin.
///
/// All questions are warmed up before the first is measured, and each again just before its own measurement. So
/// both shared code and the question's own are compiled when its clock starts.
final class GraphReads {
    /// Number of elements in a commit while the graph is loaded.
    private static final int A_LOAD_COMMIT = 1_000;

    private static final int LOOKUPS = 1_000;
    private static final int HOPS = 3;
    private static final String GREMLIN = "gremlin/";

    /// Divisor of a warm-up: the part that all questions get together before the first is measured.
    private static final int WARM_BEFORE = 3;

    /// Greatest share of the JVM's time for the loading: a loaded graph is to be queried too.
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
        List<String> questions = new ArrayList<>();
        if (!air) {
            questions.add("vertex-by-id");
            questions.add("has-by-index");
            questions.add("count-by-indexes");
        }
        for (int hops = 1; hops <= HOPS; hops++) {
            questions.add("hops/" + hops);
        }
        List<String> cases = new ArrayList<>();
        questions.forEach(each -> cases.add(prefix + each));
        if (!air) {
            cases.add(prefix + "paths/2");
            questions.forEach(each -> cases.add(prefix + GREMLIN + each));
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
            Object[] people = load(store, graph);
            if (people.length == 0) {
                for (String name : cases(air)) {
                    run.stopped(name, "after " + graphMax.toSeconds() + " s, while loading");
                }
                return;
            }
            List<Asked> all = questions(store, graph, people);
            ask(store, all);
        }
        long bytes = RunFiles.bytes(folder);
        if (bytes > 0 && run.wants(prefix + "size") && !air) {
            double each = (double) bytes / graph.edges();
            run.figure(prefix + "size", "file", "bytes/op", each, durability);
        }
        RunFiles.delete(folder);
    }

    /// All people; none if it takes too long.
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
        return people;
    }

    /// A question with a number.
    @FunctionalInterface
    private interface Question {
        long of(int number);
    }

    /// A case.
    ///
    /// @param count number of questions
    private record Asked(String name, int count, Question question) {}

    private List<Asked> questions(GraphStore store, ReadGraph graph, Object[] people) {
        List<Asked> all = new ArrayList<>();
        Object[] ids = ids(store, people);
        add(all, "", store, graph, ids);
        GraphQuestions gremlin = store.gremlin();
        if (!air) {
            all.add(
                    new Asked(
                            prefix + "paths/2", sizes.starts(2), i -> store.paths(at(ids, i), 2)));
            if (gremlin == null) {
                for (String name : cases(air)) {
                    if (name.startsWith(prefix + GREMLIN)) {
                        run.cannot(
                                name, "it is asked by its own interface for Java, not in Gremlin");
                    }
                }
            } else {
                add(all, GREMLIN, gremlin, graph, ids(gremlin, people));
            }
        }
        all.removeIf(each -> !run.wants(each.name));
        return all;
    }

    private static Object[] ids(GraphQuestions of, Object[] people) {
        Object[] ids = new Object[people.length];
        for (int i = 0; i < ids.length; i++) {
            ids[i] = of.id(people[i]);
        }
        return ids;
    }

    private void add(
            List<Asked> to, String form, GraphQuestions of, ReadGraph graph, Object[] ids) {
        String before = prefix + form;
        if (!air) {
            int cities = Math.min(graph.cities(), 100);
            int old = ReadGraph.AGES - 2;
            to.add(new Asked(before + "vertex-by-id", LOOKUPS, i -> of.vertex(at(ids, i))));
            to.add(new Asked(before + "has-by-index", cities, i -> of.people("c" + i)));
            to.add(new Asked(before + "count-by-indexes", cities, i -> of.count("c" + i, old)));
        }
        for (int hops = 1; hops <= HOPS; hops++) {
            int length = hops;
            to.add(
                    new Asked(
                            before + "hops/" + hops,
                            sizes.starts(hops),
                            i -> of.hops(at(ids, i), length)));
        }
    }

    /// One of `ids`; successive numbers are scattered over the graph.
    private static Object at(Object[] ids, int number) {
        return ids[(int) (number * 7_919L % ids.length)];
    }

    private void ask(GraphStore store, List<Asked> all) {
        WarmUp first =
                new WarmUp(sizes.warmUp().dividedBy(6), sizes.warmUp().dividedBy(WARM_BEFORE));
        for (Asked each : all) {
            run.phase("first of " + each.name.substring(prefix.length()));
            warm(store, each, first);
        }
        for (Asked each : all) {
            run.phase(each.name.substring(prefix.length()));
            warm(store, each, sizes.warming());
            Meter meter = Meter.start();
            long[] sumAndPasses = pass(store, each, sizes.measured());
            Meter.Reading reading = meter.stop(sumAndPasses[1] * each.count);
            run.rate(each.name, reading, durability, sumAndPasses[0]);
        }
    }

    private static void warm(GraphStore store, Asked asked, WarmUp warmUp) {
        warmUp.repeat(() -> asked.count * pass(store, asked, Duration.ZERO)[1]);
    }

    /// Asks all questions of a case, again until the time has expired.
    private static long[] pass(GraphStore store, Asked asked, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        long passes = 0;
        long sum;
        do {
            sum = 1;
            for (int i = 0; i < asked.count; i++) {
                sum = sum * 31 + asked.question.of(i);
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
