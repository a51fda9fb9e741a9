package dev.oriel.conformance.random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Random queries against the rules of [Oracle]. A failure names the seed of its schema, and shows the
/// smallest script that was found. `-Drandom.queries=` says how many queries are asked; with
/// `-Pconformance` it is 50,000. It ends with the first failure, or with as many as `-Drandom.failures=` says.
class MetamorphicTest {
    private static final int QUERIES = Integer.getInteger("random.queries", 800);
    private static final int QUERIES_A_SCHEMA = 40;
    private static final boolean SHOWN = Boolean.getBoolean("random.show");
    private static final int FAILURES_MAX = Integer.getInteger("random.failures", 1);

    private final Map<Oracle, int[]> asked = new EnumMap<>(Oracle.class);
    private final List<String> failures = new ArrayList<>();
    private final RandomProgress progress = new RandomProgress("MetamorphicTest", QUERIES);

    @Test
    void answersKeepTheRules() throws SQLException {
        SplittableRandom random = Seed.of("MetamorphicTest", 20_260_601);
        for (int i = 0; i < QUERIES && failures.size() < FAILURES_MAX; i += QUERIES_A_SCHEMA) {
            schema(random.nextLong());
            progress.done(i + QUERIES_A_SCHEMA, failures.size());
        }
        asked.forEach((oracle, counts) ->
                System.out.printf(
                        "MetamorphicTest %s: %d queries, %d with rows, %d with an error of"
                                + " values%n",
                        oracle, counts[0], counts[2], counts[1]));
        System.out.printf("MetamorphicTest: %.1f s%n", progress.seconds());
        assertEquals(List.of(), failures, () -> String.join("\n\n", failures));
        for (Oracle oracle : Oracle.values()) {
            int[] counts = asked.getOrDefault(oracle, new int[3]);
            assertTrue(counts[0] > QUERIES / 20, () -> oracle + " was asked too little");
            assertTrue(counts[1] < counts[0] / 10, () -> oracle + " met too many errors");
            assertTrue(counts[2] > counts[0] / 4, () -> oracle + " found too few rows");
        }
    }

    private void schema(long seed) throws SQLException {
        Gen gen = new Gen(new SplittableRandom(seed));
        Schema schema = Schema.random(gen, true);
        Queries queries = new Queries(gen, true, schema);
        try (Connection connection = RandomCase.open(schema.setup())) {
            for (int i = 0; i < QUERIES_A_SCHEMA; i++) {
                Oracle oracle = gen.pick(List.of(Oracle.values()));
                Piece query = oracle.question(queries, new Asking(gen));
                String difference = oracle.difference(connection, query);
                count(connection, oracle, query);
                if (difference != null && failures.size() < FAILURES_MAX) {
                    RandomCase least =
                            RandomCase.smallest(schema.setup(), query, oracle::difference);
                    failures.add(oracle + ", schema " + seed + "\n" + least);
                    progress.found(failures.getLast());
                }
            }
        }
    }

    private void count(Connection connection, Oracle oracle, Piece query) {
        int[] counts = asked.computeIfAbsent(oracle, _ -> new int[3]);
        counts[0]++;
        Answer answer = Answer.of(connection, query.toString(), query.columns(), false);
        counts[1] += answer.failedByValue() ? 1 : 0;
        counts[2] += answer.rows().isEmpty() ? 0 : 1;
        if (SHOWN) {
            System.out.println(oracle + ": " + query + "\n  " + answer);
        }
    }
}
