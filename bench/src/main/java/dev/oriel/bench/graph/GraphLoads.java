package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import dev.oriel.bench.measure.WarmUp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Insertion of vertices and edges, a commit every 100, into empty graphs. The clock stops when the store is
/// closed and its files are synced.
///
/// A case is warmed up by whole loads, each stopped at the limit of the warm-up.
final class GraphLoads {
    /// Number of elements in a commit.
    static final int A_COMMIT = 100;

    private static final int AGES = 50;
    private static final int CITIES = 100;

    private final Run run;
    private final GraphOpening opening;
    private final HugegraphSizes sizes;
    private final Durability durability;
    private final String prefix;

    /// Kinds of loads measured so far.
    private final Set<Class<? extends Load>> warmed = new HashSet<>();

    private int folders;

    GraphLoads(Run run, GraphOpening opening, HugegraphSizes sizes, Durability durability) {
        this.run = run;
        this.opening = opening;
        this.sizes = sizes;
        this.durability = durability;
        this.prefix = prefix(durability);
    }

    private static String prefix(Durability durability) {
        return "hugegraph/" + HugegraphWork.scenario(durability) + "/";
    }

    static List<String> cases(Durability durability) {
        String prefix = prefix(durability);
        List<String> cases = new ArrayList<>();
        for (String what : List.of("plain", "indexed")) {
            cases.add(prefix + "vertices/" + what + "/names-built");
            if (durability != Durability.SYNC) {
                cases.add(prefix + "vertices/" + what + "/article");
            }
        }
        if (durability != Durability.SYNC) {
            cases.add(prefix + "vertices/allotted/names-built");
        }
        cases.add(prefix + "edges/chain");
        cases.add(prefix + "edges/random");
        return cases;
    }

    void run() throws IOException {
        String[] names = names(sizes.vertices());
        for (String name : cases(durability)) {
            if (run.wants(name)) {
                run.phase(name.substring(prefix.length()));
                measure(name, names);
            }
        }
    }

    private void measure(String name, String[] names) throws IOException {
        boolean built = !name.endsWith("/article");
        if (name.contains("/edges/")) {
            boolean chain = name.endsWith("/chain");
            measure(name, new Edges(names, chain));
        } else if (name.contains("/plain/")) {
            measure(name, new Vertices(GraphShape.KEYED, built ? names : null));
        } else if (name.contains("/indexed/")) {
            measure(name, new Vertices(GraphShape.INDEXED, built ? names : null));
        } else {
            measure(name, new Vertices(GraphShape.ALLOTTED, names));
        }
    }

    static String[] names(int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = name(i);
        }
        return names;
    }

    private static String name(int i) {
        return String.format("p-%08d", i);
    }

    /// A load of an empty graph.
    private interface Load {
        GraphShape shape();

        /// Prepares the elements before the clock starts.
        Object[] before(GraphStore store);

        /// Inserts until all is in or the time has expired; returns the number inserted.
        int into(GraphStore store, Object[] before, Meter meter, long nanosMax);
    }

    /// People, as in the article's loop: one city and one age.
    ///
    /// Their names are null if each is made when it is inserted, and the ids are kept in a concurrent map, as in
    /// the article.
    private final class Vertices implements Load {
        private final GraphShape shape;
        private final String @Nullable [] names;

        Vertices(GraphShape shape, String @Nullable [] names) {
            this.shape = shape;
            this.names = names;
        }

        @Override
        public GraphShape shape() {
            return shape;
        }

        @Override
        public Object[] before(GraphStore store) {
            return new Object[0];
        }

        @Override
        @SuppressWarnings("UnnecessaryAsync") // as in the article
        public int into(GraphStore store, Object[] before, Meter meter, long nanosMax) {
            Map<Object, Boolean> ids = new ConcurrentHashMap<>();
            int added = 0;
            while (added < sizes.vertices() && meter.elapsed() < nanosMax) {
                for (int i = 0; i < A_COMMIT; i++) {
                    if (names == null) {
                        Object vertex = store.addVertex(name(added), "Hongkong", 3);
                        ids.put(id(store, vertex), true);
                    } else {
                        store.addVertex(names[added], "Hongkong", 3);
                    }
                    added++;
                }
                store.commit();
            }
            if (names == null && ids.size() != added) {
                throw new IllegalStateException("Two vertices have one id");
            }
            return added;
        }
    }

    /// The article's id of a vertex: its id in the graph, not the one by which a store finds it.
    private static Object id(GraphStore store, Object vertex) {
        GraphQuestions gremlin = store.gremlin();
        return gremlin == null ? store.id(vertex) : gremlin.id(vertex);
    }

    /// Edges between existing people.
    private final class Edges implements Load {
        private final String[] names;
        private final boolean chain;

        Edges(String[] names, boolean chain) {
            this.names = names;
            this.chain = chain;
        }

        @Override
        public GraphShape shape() {
            return GraphShape.KEYED;
        }

        @Override
        public Object[] before(GraphStore store) {
            Object[] people = new Object[Math.min(names.length, Math.max(2, sizes.edges() / 8))];
            for (int i = 0; i < people.length; i++) {
                people[i] = store.addVertex(names[i], "c" + i % CITIES, i % AGES);
                if ((i + 1) % A_COMMIT == 0) {
                    store.commit();
                }
            }
            store.commit();
            return people;
        }

        @Override
        public int into(GraphStore store, Object[] people, Meter meter, long nanosMax) {
            SplittableRandom random = new SplittableRandom(run.seed());
            int count = chain ? people.length - 1 : sizes.edges();
            int added = 0;
            while (added < count && meter.elapsed() < nanosMax) {
                int from = chain ? added : random.nextInt(people.length);
                int to = chain ? added + 1 : random.nextInt(people.length);
                store.addEdge(people[from], people[to]);
                added++;
                if (added % A_COMMIT == 0) {
                    store.commit();
                }
            }
            store.commit();
            return added;
        }
    }

    private void measure(String name, Load load) throws IOException {
        long nanosMax = sizes.warmUp().toNanos();
        boolean first = warmed.add(load.getClass());
        WarmUp warming = first ? sizes.firstWarming() : sizes.warming();
        warming.repeat(() -> once(load, nanosMax).operations());
        Meter.Reading all = once(load, sizes.loadMax().toNanos());
        while (all.nanos() < sizes.measured().toNanos()) {
            Meter.Reading one = once(load, sizes.loadMax().toNanos());
            all =
                    new Meter.Reading(
                            all.operations() + one.operations(),
                            all.nanos() + one.nanos(),
                            all.cpuNanos() + one.cpuNanos(),
                            all.bytes() + one.bytes());
        }
        run.rate(name, all, durability, 0);
    }

    private Meter.Reading once(Load load, long nanosMax) throws IOException {
        Path folder = Files.createDirectories(run.folder().resolve("load-" + folders++));
        Meter meter;
        int done;
        try (GraphStore store = opening.open(folder, load.shape(), durability)) {
            Object[] before = load.before(store);
            meter = Meter.start();
            done = load.into(store, before, meter, nanosMax);
        }
        RunFiles.sync(folder);
        Meter.Reading reading = meter.stop(done);
        RunFiles.delete(folder);
        return reading;
    }
}
