package dev.oriel.conformance.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Random queries, whose answers are held against those of SQLite, H2, HSQLDB and DuckDB in this
/// process, and of PostgreSQL where `scripts/differential` has started one. [Peers] says what each is not
/// asked and why, [MajorityOracle] who is right. `-Drandom.peers.queries=` says how many; with `-Pconformance` it is
/// 50,000. It ends with the first difference, or with as many as `-Drandom.failures=` says. All are asked
/// at once, each in a thread of its own.
class DifferentialTest {
    private static final int QUERIES = Integer.getInteger("random.peers.queries", 200);
    private static final int QUERIES_A_SCHEMA = 50;
    private static final int FAILURES_MAX = Integer.getInteger("random.failures", 1);
    private static final int EXAMPLES = Integer.getInteger("random.examples", 0);

    private final List<Peer> peers = Peers.all();
    private final MajorityOracle vote = new MajorityOracle();
    private final List<String> failures = new ArrayList<>();
    private final RandomProgress progress = new RandomProgress("DifferentialTest", QUERIES);
    private final ExecutorService threads =
            Executors.newFixedThreadPool(
                    peers.size(), task -> Thread.ofPlatform().daemon().unstarted(task));

    @AfterEach
    void endThreads() {
        threads.shutdownNow();
    }

    @Test
    void answersAreThoseOfOthers() throws SQLException {
        if (Peers.postgresUrl() == null) {
            System.out.println(
                    "DifferentialTest: without PostgreSQL, which scripts/differential starts where it is"
                            + " installed");
        }
        SplittableRandom random = Seed.of("DifferentialTest", 20_260_602);
        int queries = 0;
        for (; queries < QUERIES && failures.size() < FAILURES_MAX; queries += QUERIES_A_SCHEMA) {
            schema(random.nextLong());
            progress.done(queries + QUERIES_A_SCHEMA, failures.size());
        }
        System.out.printf(
                "DifferentialTest: %d queries, %d that nobody else answers, %d with a value too large"
                        + " that nobody needs, %.1f s%n%s",
                queries, vote.unheld(), vote.alone(), progress.seconds(), vote.text(EXAMPLES));
        assertEquals(List.of(), failures, () -> String.join("\n\n", failures));
        assertTrue(vote.unheld() < queries / 20, "queries that nobody else answers");
        assertTrue(vote.alone() <= queries / 50, "errors that nobody else has");
        for (Peer peer : peers) {
            assertTrue(vote.share(peer.name()) > 0.8, () -> peer.name() + " answers too little");
        }
    }

    private void schema(long seed) throws SQLException {
        Gen gen = new Gen(new SplittableRandom(seed));
        Schema schema = Schema.random(gen, false);
        List<Piece> setup = schema.withoutCopies();
        Queries queries = new Queries(gen, false, schema);
        Map<Peer, Connection> open = new LinkedHashMap<>();
        try (Connection ours = RandomCase.open(setup)) {
            for (Peer peer : peers) {
                open.put(peer, peer.open(setup));
            }
            for (int i = 0; i < QUERIES_A_SCHEMA; i++) {
                Piece query = queries.whole();
                Answer answer = ask(ours, Dialect.ORIEL, query);
                Map<String, Answer> others = others(open, query);
                vote.count(query, answer, others);
                if (difference(ours, query, answer, others) != null
                        && failures.size() < FAILURES_MAX) {
                    Piece least = smallest(ours, open, query);
                    Answer small = ask(ours, Dialect.ORIEL, least);
                    String difference = difference(ours, least, small, others(open, least));
                    failures.add(script(seed, setup, least) + difference);
                    progress.found(failures.getLast());
                }
            }
        } finally {
            for (Connection connection : open.values()) {
                connection.close();
            }
        }
    }

    private static @Nullable String difference(
            Connection ours, Piece query, Answer answer, Map<String, Answer> others) {
        return MajorityOracle.difference(answer, others, () -> ask(ours, Dialect.WIDE, query));
    }

    private static Answer ask(Connection connection, Dialect dialect, Piece query) {
        boolean ordered = query.form().equals(Select.ORDERED);
        return Answer.brief(connection, query.sql(dialect), query.columns(), ordered);
    }

    private Map<String, Answer> others(Map<Peer, Connection> open, Piece query) {
        Map<String, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
        open.forEach((peer, connection) -> {
            if (peer.refusal(query).isEmpty()) {
                asked.put(
                        peer.name(),
                        CompletableFuture.supplyAsync(
                                () -> ask(connection, peer.dialect(), query), threads));
            }
        });
        Map<String, Answer> answers = new LinkedHashMap<>();
        asked.forEach((name, answer) -> answers.put(name, answer.join()));
        return answers;
    }

    private Piece smallest(Connection ours, Map<Peer, Connection> open, Piece query) {
        String kind = kind(ours, open, query);
        return Reduction.smallest(
                query, candidate -> !kind.isEmpty() && kind.equals(kind(ours, open, candidate)));
    }

    private String kind(Connection ours, Map<Peer, Connection> open, Piece query) {
        Answer answer = ask(ours, Dialect.ORIEL, query);
        if (answer.failed() && !answer.failedByValue()) {
            return String.valueOf(answer.state());
        }
        String difference = difference(ours, query, answer, others(open, query));
        return difference == null ? "" : difference.lines().findFirst().orElse("");
    }

    /// The rows of the tables that the query names, and the query.
    private static String script(long seed, List<Piece> setup, Piece query) {
        StringBuilder script = new StringBuilder("schema ").append(seed).append('\n');
        String sql = query.toString();
        for (Piece piece : setup) {
            String text = piece.toString();
            if (sql.contains(tableOf(text) + " ")) {
                script.append(text).append(";\n");
            }
        }
        return script.append(sql).append(";\n").toString();
    }

    private static String tableOf(String statement) {
        int at = statement.indexOf(" t");
        return at < 0
                ? statement
                : statement.substring(at + 1, Math.min(at + 3, statement.length()));
    }
}
