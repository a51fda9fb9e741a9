package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import dev.oriel.bench.measure.Meter;
import dev.oriel.bench.measure.RunFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.SplittableRandom;

/// LinkBench's mix of requests to a social graph, each a transaction of its own, by one thread. Written from the
/// description of Facebook's in T. G. Armstrong and others, "LinkBench: a Database Benchmark Based on the Facebook
/// Social Graph" (SIGMOD 2013).
///
/// The node of a request is chosen as the ends of links are: the more links a node has, the more often. Data of
/// nodes is 128 characters, that of links 8. The number of requests is fixed, so that all subjects end with the
/// same graph and have read the same.
final class LinkBench {
    /// The requests, and their share of each 1,000.
    private enum Request {
        GET_LINKS(507),
        GET_NODE(129),
        ADD_LINK(90),
        UPDATE_LINK(80),
        UPDATE_NODE(74),
        COUNT_LINKS(49),
        DELETE_LINK(30),
        ADD_NODE(26),
        DELETE_NODE(10),
        GET_LINK(5);

        private static final Request[] ALL = values();

        private final int share;

        Request(int share) {
            this.share = share;
        }

        static Request of(int number) {
            int left = number;
            for (Request one : ALL) {
                left -= one.share;
                if (left < 0) {
                    return one;
                }
            }
            throw new IllegalArgumentException("The shares add up to less than " + number);
        }
    }

    private static final int SHARES = 1_000;
    private static final int LINKS_A_NODE = 5;
    private static final int NODE_CHARS = 128;
    private static final int LINK_CHARS = 8;
    private static final int A_LOAD_COMMIT = 1_000;

    private final Run run;
    private final GraphOpening opening;
    private final HugegraphSizes sizes;
    private final Durability durability;

    LinkBench(Run run, GraphOpening opening, HugegraphSizes sizes, Durability durability) {
        this.run = run;
        this.opening = opening;
        this.sizes = sizes;
        this.durability = durability;
    }

    static String caseName(Durability durability) {
        return "hugegraph/" + HugegraphWork.scenario(durability) + "/linkbench";
    }

    void run() throws IOException {
        String name = caseName(durability);
        if (!run.wants(name)) {
            return;
        }
        run.phase("linkbench");
        Path folder = Files.createDirectories(run.folder().resolve("links"));
        try (LinkStore store = opening.openLinks(folder, durability)) {
            Course course = new Course(store, sizes.linkNodes(), run.seed());
            course.load();
            course.requests(sizes.requests() / 2); // warms up
            Meter meter = Meter.start();
            long sum = course.requests(sizes.requests());
            run.rate(name, meter.stop(sizes.requests()), durability, sum);
        }
        RunFiles.delete(folder);
    }

    /// One graph and its requests, a function of the seed.
    private static final class Course {
        private final LinkStore store;
        private final SplittableRandom random;
        private final ScaleFree graph;
        private final List<Object> ids = new ArrayList<>();

        /// Numbers of deleted nodes. They are not requested: some products give their ids again.
        private final BitSet gone = new BitSet();

        private long time;

        Course(LinkStore store, int nodes, long seed) {
            this.store = store;
            this.random = new SplittableRandom(seed);
            this.graph = ScaleFree.of(nodes, nodes * LINKS_A_NODE, seed);
        }

        void load() {
            for (int i = 0; i < graph.vertices(); i++) {
                ids.add(store.addNode(1, time++, text(NODE_CHARS)));
                if (i % A_LOAD_COMMIT == 0) {
                    store.commit();
                }
            }
            store.commit();
            for (int i = 0; i < graph.edges(); i++) {
                Object from = ids.get(graph.source(i));
                Object to = ids.get(graph.target(i));
                store.newLink(from, to, time++, text(LINK_CHARS));
                if (i % A_LOAD_COMMIT == 0) {
                    store.commit();
                }
            }
            store.commit();
        }

        long requests(int count) {
            long sum = 1;
            for (int i = 0; i < count; i++) {
                sum = 31 * sum + request(Request.of(random.nextInt(SHARES)));
                store.commit();
            }
            return sum;
        }

        private long request(Request request) {
            time++;
            int edge;
            do {
                edge = random.nextInt(graph.edges());
            } while (gone.get(graph.source(edge)) || gone.get(graph.target(edge)));
            Object from = ids.get(graph.source(edge));
            Object to = ids.get(graph.target(edge));
            int other = other(graph.source(edge));
            return switch (request) {
                case GET_LINKS -> store.links(from);
                case GET_NODE -> store.node(from);
                case COUNT_LINKS -> store.countLinks(from);
                case GET_LINK -> store.link(from, to);
                case ADD_LINK -> done(store.addLink(from, ids.get(other), time, text(LINK_CHARS)));
                case UPDATE_LINK -> done(store.updateLink(from, to, time, text(LINK_CHARS)));
                case DELETE_LINK -> done(store.deleteLink(from, to));
                case UPDATE_NODE -> done(store.updateNode(from, 2, time, text(NODE_CHARS)));
                case DELETE_NODE -> {
                    gone.set(other);
                    yield done(store.deleteNode(ids.get(other)));
                }
                case ADD_NODE -> {
                    ids.add(store.addNode(1, time, text(NODE_CHARS)));
                    yield 1;
                }
            };
        }

        /// Any node but this one.
        private int other(int node) {
            int chosen;
            do {
                chosen = random.nextInt(ids.size());
            } while (chosen == node || gone.get(chosen));
            return chosen;
        }

        private static long done(boolean done) {
            return done ? 1 : 2;
        }

        /// Letters that hardly compress.
        private String text(int length) {
            byte[] letters = new byte[length];
            for (int i = 0; i < length; i++) {
                letters[i] = (byte) ('a' + random.nextInt(26));
            }
            return new String(letters, StandardCharsets.ISO_8859_1);
        }
    }
}
