package dev.oriel.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// One subject in one JVM: loads graphs, walks in them, and tells what that took. The clock of a load stops
/// when the store is closed and its files are synced.
final class HugegraphRun {
    static final int A_COMMIT = 100;
    private static final int LENGTHS = 3;
    private static final int AGES = 50;
    private static final int CITIES = 100;

    private final Run run;
    private final GraphSubject subject;
    private final HugegraphSizes sizes;
    private final String prefix;
    private int folders;

    HugegraphRun(Run run, GraphSubject subject, HugegraphSizes sizes, String prefix) {
        this.run = run;
        this.subject = subject;
        this.sizes = sizes;
        this.prefix = "hugegraph/" + prefix + "/";
    }

    static List<String> cases(String prefix) {
        List<String> cases = new ArrayList<>();
        for (String what : List.of("plain", "indexed")) {
            cases.add("hugegraph/" + prefix + "/vertices/" + what + "/names-built");
            cases.add("hugegraph/" + prefix + "/vertices/" + what + "/article");
        }
        cases.add("hugegraph/" + prefix + "/edges/chain");
        cases.add("hugegraph/" + prefix + "/edges/random");
        for (int length = 1; length <= LENGTHS; length++) {
            cases.add("hugegraph/" + prefix + "/paths/" + length);
        }
        cases.add("hugegraph/" + prefix + "/count/city-and-age");
        return cases;
    }

    void run() throws IOException {
        String[] names = names(sizes.vertices());
        vertices("vertices/plain/names-built", false, names);
        vertices("vertices/plain/article", false, null);
        vertices("vertices/indexed/names-built", true, names);
        vertices("vertices/indexed/article", true, null);
        edges("edges/chain", names, true);
        edges("edges/random", names, false);
        reads(names);
    }

    private static String[] names(int count) {
        String[] names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = name(i);
        }
        return names;
    }

    private static String name(int i) {
        return String.format("p-%08d", i);
    }

    private GraphStore open(boolean indexed) throws IOException {
        return subject.open(Files.createDirectories(folder()), indexed);
    }

    private Path folder() {
        return run.folder().resolve("g" + folders);
    }

    private void delete() throws IOException {
        JdbmFiles.delete(folder());
        folders++;
    }

    /// What is done to an empty graph, once; returns how many operations that was.
    @FunctionalInterface
    private interface Load {
        int into(GraphStore store, Meter meter);
    }

    private void vertices(String name, boolean indexed, String @Nullable [] names)
            throws IOException {
        if (run.wants(prefix + name)) {
            measure(name, indexed, (store, meter) -> addVertices(store, names, meter));
        }
    }

    /// As the article: the same city and age for all, and the ids kept in a map for threads.
    @SuppressWarnings("UnnecessaryAsync")
    private int addVertices(GraphStore store, String @Nullable [] names, Meter meter) {
        Map<Object, Boolean> ids = new ConcurrentHashMap<>();
        int added = 0;
        while (added < sizes.vertices() && meter.elapsed() < sizes.loadMax().toNanos()) {
            for (int i = 0; i < A_COMMIT; i++) {
                if (names == null) {
                    ids.put(store.addVertex(name(added), "Hongkong", 3), true);
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

    private void measure(String name, boolean indexed, Load load) throws IOException {
        run.phase(name);
        long end = System.nanoTime() + sizes.warmUp().toNanos();
        do {
            once(indexed, load);
        } while (System.nanoTime() < end);
        Meter.Reading all = once(indexed, load);
        while (all.nanos() < sizes.measured().toNanos()) {
            Meter.Reading one = once(indexed, load);
            all =
                    new Meter.Reading(
                            all.operations() + one.operations(),
                            all.nanos() + one.nanos(),
                            all.cpuNanos() + one.cpuNanos(),
                            all.bytes() + one.bytes());
        }
        run.rate(prefix + name, all, subject.durability(), 0);
    }

    private Meter.Reading once(boolean indexed, Load load) throws IOException {
        Meter meter;
        int done;
        try (GraphStore store = open(indexed)) {
            meter = Meter.start();
            done = load.into(store, meter);
        }
        JdbmFiles.sync(folder());
        Meter.Reading reading = meter.stop(done);
        delete();
        return reading;
    }

    private void edges(String name, String[] names, boolean chain) throws IOException {
        if (!run.wants(prefix + name)) {
            return;
        }
        run.phase(name);
        long end = System.nanoTime() + sizes.warmUp().toNanos();
        do {
            onceEdges(names, chain);
        } while (System.nanoTime() < end);
        run.rate(prefix + name, onceEdges(names, chain), subject.durability(), 0);
    }

    private Meter.Reading onceEdges(String[] names, boolean chain) throws IOException {
        Meter meter;
        int done;
        try (GraphStore store = open(false)) {
            Object[] people = people(store, names);
            meter = Meter.start();
            done = addEdges(store, people, chain, meter);
        }
        JdbmFiles.sync(folder());
        Meter.Reading reading = meter.stop(done);
        delete();
        return reading;
    }

    private Object[] people(GraphStore store, String[] names) {
        Object[] people = new Object[Math.min(names.length, Math.max(2, sizes.edges() / 4))];
        for (int i = 0; i < people.length; i++) {
            people[i] = store.addVertex(names[i], "c" + i % CITIES, i % AGES);
            if ((i + 1) % A_COMMIT == 0) {
                store.commit();
            }
        }
        store.commit();
        return people;
    }

    private int addEdges(GraphStore store, Object[] people, boolean chain, Meter meter) {
        SplittableRandom random = new SplittableRandom(run.seed());
        int count = chain ? people.length - 1 : sizes.edges();
        int added = 0;
        while (added < count && meter.elapsed() < sizes.loadMax().toNanos()) {
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

    private void reads(String[] names) throws IOException {
        try (GraphStore store = open(true)) {
            Object[] people = people(store, names);
            Meter unlimited = Meter.start();
            int added = addEdges(store, people, false, unlimited);
            if (added < sizes.edges()) {
                for (String name : cases("x")) {
                    if (name.contains("/paths/") || name.contains("/count/")) {
                        run.cannot(name.replace("hugegraph/x/", prefix), "loading takes too long");
                    }
                }
                return;
            }
            for (int length = 1; length <= LENGTHS; length++) {
                int of = length;
                String name = "paths/" + length;
                if (run.wants(prefix + name)) {
                    repeat(
                            name,
                            sizes.starts(),
                            i -> store.paths(people[i * 7 % people.length], of));
                }
            }
            String name = "count/city-and-age";
            if (run.wants(prefix + name)) {
                repeat(name, CITIES, i -> store.count("c" + i, AGES - 2));
            }
            store.commit();
        }
        delete();
    }

    @FunctionalInterface
    private interface Read {
        long of(int number);
    }

    /// Reads `count` times the same, again and again: first to warm up, then measured.
    private void repeat(String name, int count, Read read) {
        run.phase(name);
        pass(count, read, sizes.warmUp());
        Meter meter = Meter.start();
        long[] sumAndPasses = pass(count, read, sizes.measured());
        Meter.Reading reading = meter.stop(sumAndPasses[1] * count);
        run.rate(prefix + name, reading, subject.durability(), sumAndPasses[0]);
    }

    private static long[] pass(int count, Read read, Duration time) {
        long end = System.nanoTime() + time.toNanos();
        long passes = 0;
        long sum;
        do {
            sum = 1;
            for (int i = 0; i < count; i++) {
                sum = sum * 31 + read.of(i);
            }
            passes++;
        } while (System.nanoTime() < end);
        return new long[] {sum, passes};
    }
}
