package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.GoldenScript;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class AnalysisTest {
    private static final Pattern NUMBER = Pattern.compile("\"(\\w+_ms)\":([0-9.]+)");

    /// A sampler gets few samples while other processes use the processor.
    private static final int ATTEMPTS = 100;

    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    /// Digits of times are masked, as they differ from run to run.
    @TestFactory
    Stream<DynamicTest> explain() throws IOException {
        return GoldenScript.tests(
                "explain",
                input ->
                        database.answer(input)
                                .replaceAll("[0-9]+\\.[0-9]+ ms", "# ms")
                                .replaceAll("[0-9]+\\.[0-9] %", "# %")
                                .replaceAll("_ms\":[0-9.]+", "_ms\":#")
                                .replaceAll("width:[0-9.]+%", "width:#%"));
    }

    private void fill() {
        database.update("CREATE TABLE t (a INT PRIMARY KEY, b INT, c VARCHAR)");
        database.update("CREATE TABLE u (a INT PRIMARY KEY, d INT)");
        database.update("BEGIN");
        try (Prepared t = database.session().prepare("INSERT INTO t VALUES (?, ?, ?)");
                Prepared u = database.session().prepare("INSERT INTO u VALUES (?, ?)")) {
            for (int i = 0; i < 2_000; i++) {
                TestDatabase.fill(t, i, i % 17, "row " + i);
                t.update();
                TestDatabase.fill(u, i, i % 5);
                u.update();
            }
        }
        database.update("COMMIT");
    }

    @Test
    void selfTimesAddUpToTheStatementsTime() {
        fill();
        for (String statement :
                List.of(
                        "SELECT * FROM t",
                        "SELECT b, count(*) FROM t GROUP BY b ORDER BY b DESC LIMIT 3",
                        "SELECT t.c, u.d FROM t JOIN u ON t.a = u.a WHERE u.d > 2",
                        "SELECT t.c FROM t JOIN u ON t.b = u.d",
                        "SELECT a, (SELECT max(d) FROM u WHERE u.a < t.b) FROM t WHERE a < 50",
                        "WITH x AS (SELECT b FROM t) SELECT count(*) FROM x a, x b WHERE a.b = b.b"
                                + " AND a.b < 1",
                        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i <"
                                + " 99) SELECT sum(i) FROM n",
                        "SELECT 1 EXCEPT SELECT 2",
                        "UPDATE t SET c = 'x' WHERE b = 3",
                        "INSERT INTO u SELECT a + 10000, b FROM t",
                        "DELETE FROM u WHERE a >= 10000")) {
            addsUp(statement);
        }
    }

    private void addsUp(String statement) {
        String json = database.query("EXPLAIN (ANALYZE, FORMAT JSON) " + statement).getFirst();
        double total = 0;
        double operators = 0;
        double outside = 0;
        double selves = 0;
        Matcher matcher = NUMBER.matcher(json);
        while (matcher.find()) {
            double millis = Double.parseDouble(matcher.group(2));
            switch (matcher.group(1)) {
                case "total_ms" -> total = total == 0 ? millis : total;
                case "operators_ms" -> operators = millis;
                case "statement_ms", "commit_ms" -> outside += millis;
                case "self_ms" -> selves += millis;
                default -> {}
            }
        }
        assertTrue(total > 0, json);
        assertEquals(total, operators + outside, 1e-5, json);
        assertEquals(operators, selves, 1e-4, json);
        assertTrue(outside >= 0 && operators >= 0, json);
    }

    @Test
    void rowsAndPagesAreThoseOfTheRun() {
        fill();
        List<String> lines = database.query("EXPLAIN ANALYZE SELECT * FROM t WHERE b = ?", 3L);
        assertTrue(lines.get(0).contains("(rows 118 of ~"), lines.get(0));
        assertTrue(lines.get(1).contains("(rows 2000 of ~"), lines.get(1));
        Matcher pages = Pattern.compile("pages ([0-9]+)").matcher(lines.get(1));
        assertTrue(pages.find() && Integer.parseInt(pages.group(1)) >= 5, lines.get(1));
    }

    /// A foreign key without an index reads its table for each key that is removed: as it was when the transaction
    /// began, and as it is now.
    @Test
    void hiddenWorkOfForeignKeysHasItsName() {
        database.update("CREATE TABLE k (a INT PRIMARY KEY)");
        database.update("CREATE TABLE kc (b INT PRIMARY KEY, k INT REFERENCES k)");
        database.update("INSERT INTO k SELECT i FROM generate_series(1, 40) AS s(i)");
        database.update(
                "INSERT INTO kc SELECT i, 1 + MOD(i, 20) FROM generate_series(1, 400) AS s(i)");
        String delete = "EXPLAIN (ANALYZE, TIMING OFF) DELETE FROM k WHERE a > 20 AND a <= 30";
        List<String> lines = database.query(delete);
        assertTrue(
                lines.contains(
                        "Hidden work: foreign key kc_k_fkey: read all of kc 10 times, 8000 rows"),
                lines.toString());
        assertTrue(
                lines.contains(
                        "Advice: CREATE INDEX ON kc (k): foreign key kc_k_fkey looks up 10 keys"
                                + " instead of reading 8,000 rows"),
                lines.toString());
        database.update("CREATE INDEX ON kc (k)");
        List<String> indexed =
                database.query("EXPLAIN (ANALYZE, FORMAT JSON) DELETE FROM k WHERE a > 30");
        assertTrue(
                indexed.getFirst()
                        .contains(
                                "\"foreign_keys\":[{\"name\":\"kc_k_fkey\",\"table\":\"kc\","
                                        + "\"times\":10,\"times_all\":0,\"rows\":0,\"ms\":"),
                indexed.toString());
        database.update("DELETE FROM k WHERE a = 1 AND a = 2"); // one that is not measured
    }

    @Test
    void indexIsAdvisedThatFindsTheRowsKept() {
        database.update("CREATE TABLE orders (a INT PRIMARY KEY, customer INT, paid INT)");
        database.update(
                "INSERT INTO orders SELECT i, MOD(i, 200), 1 FROM generate_series(1, 2000) AS s(i)");
        String query = "EXPLAIN ANALYZE SELECT a FROM orders WHERE customer = 7";
        List<String> lines = database.query(query);
        assertTrue(
                lines.contains(
                        "Advice: CREATE INDEX ON orders (customer): 10 rows read instead of 2,000"),
                lines.toString());
        assertTrue(
                lines.stream().anyMatch(line -> line.contains(", removed 1990, loops 1,")),
                lines.toString());
        assertTrue(
                lines.stream().anyMatch(line -> line.matches("Planning: [0-9.]+ ms")),
                lines.toString());
        database.update("CREATE INDEX ON orders (customer)");
        assertFalse(database.query(query).toString().contains("Advice"));
    }

    /// The columns that a run of `SELECT a FROM orders WHERE condition` advises to index.
    private String advised(String condition) {
        return advisedFor("SELECT a FROM orders WHERE " + condition);
    }

    private String advisedFor(String query) {
        List<String> lines = database.query("EXPLAIN ANALYZE " + query);
        String start = "Advice: CREATE INDEX ON orders (";
        return lines.stream()
                .filter(line -> line.startsWith(start))
                .map(line -> line.substring(start.length(), line.indexOf(')')))
                .collect(Collectors.joining("; "));
    }

    @Test
    void indexIsAdvisedForConjunctsOfAColumnAndAValueAlone() {
        database.update(
                "CREATE TABLE orders (a INT PRIMARY KEY, customer INT, day INT, note VARCHAR)");
        database.update(
                "INSERT INTO orders SELECT i, MOD(i, 200), MOD(i, 7), 'n' || i FROM"
                        + " generate_series(1, 2000) AS s(i)");
        assertEquals(
                "customer, day",
                advised("day = 3 AND customer = 7").replace("day, customer", "customer, day"));
        assertEquals("customer", advised("7 = customer"));
        assertEquals("customer, day", advised("day > 5 AND customer = 7"));
        assertEquals("customer", advised("customer BETWEEN 3 AND 5"));
        assertEquals("customer", advised("customer IN (3, 5)"));
        assertEquals("note", advised("note LIKE 'n12%'"));
        assertEquals("note", advised("note LIKE 'n12%' AND (customer = 7 OR day = 3)"));
        assertEquals("", advised("note LIKE '%12'"));
        assertEquals("", advised("note LIKE '_12'"));
        assertEquals("", advised("customer = 7 OR note = 'n8'"));
        assertEquals("", advised("NOT (customer <> 7 OR note = 'n8') OR note = 'n9'"));
        assertEquals("", advised("NOT (customer > 3)"));
        assertEquals("", advised("customer + day = 5"));
        assertEquals("", advised("customer = day + 150"));
        assertEquals("", advised("customer + 1 = 8"));
        assertEquals("", advised("note = 'customer = 7' || day"));
        assertEquals("", advised("customer IS NOT DISTINCT FROM day"));
        assertEquals("", advised("customer NOT BETWEEN 1 AND 198"));
        assertEquals("", advised("day NOT IN (0, 1, 2, 3, 4, 5)"));
        assertEquals("", advised("note NOT LIKE 'n1%' AND note NOT LIKE 'n%0'"));
        assertEquals(
                "customer",
                advisedFor(
                        "SELECT o.a FROM orders AS o JOIN orders AS p ON p.a = o.a"
                                + " WHERE o.customer = 7 AND p.day >= 0"));
    }

    @Test
    void noIndexIsAdvisedForASortByAnExpression() {
        fill();
        String limited = "EXPLAIN ANALYZE SELECT x.a FROM t AS x ORDER BY %s LIMIT 3";
        assertTrue(
                database.query(limited.formatted("x.b")).toString().contains("ON t (b)"),
                database.query(limited.formatted("x.b")).toString());
        assertFalse(database.query(limited.formatted("x.a + x.b")).toString().contains("Advice"));
        assertFalse(
                database.query(limited.formatted("x.b DESC, x.a")).toString().contains("Advice"));
    }

    @Test
    void theCountersTakeTheRunForOneStatement() {
        fill();
        database.query("EXPLAIN ANALYZE SELECT * FROM t");
        assertEquals(
                List.of("EXPLAIN analyze SELECT * FROM t|1"),
                database.query(
                        "SELECT statement, calls FROM sys.statements"
                                + " WHERE statement LIKE '%SELECT * FROM t'"));
    }

    @Test
    void anAnalyzedChangeIsMade() {
        fill();
        database.query("EXPLAIN ANALYZE DELETE FROM t WHERE a < 10");
        assertEquals(List.of("1990"), database.query("SELECT count(*) FROM t"));
        database.update("BEGIN");
        database.query("EXPLAIN ANALYZE DELETE FROM t");
        assertEquals(List.of("0"), database.query("SELECT count(*) FROM t"));
        database.update("ROLLBACK");
        assertEquals(List.of("1990"), database.query("SELECT count(*) FROM t"));
    }

    @Test
    void aFailureLeavesTheSessionUsable() {
        fill();
        String answer = TestDatabase.run(database.session(), "EXPLAIN ANALYZE SELECT 1 / b FROM t");
        assertTrue(answer.startsWith("DIVISION_BY_ZERO"), answer);
        assertEquals(List.of("2000"), database.query("SELECT count(*) FROM t"));
    }

    @Test
    void aPageNeedsNothingBesideItself() {
        fill();
        String page =
                database.query(
                                "EXPLAIN (ANALYZE, FORMAT HTML) SELECT '<b>' FROM t"
                                        + " WHERE c < '&' OR a = 1")
                        .getFirst();
        assertTrue(page.startsWith("<!doctype html>") && page.endsWith("</html>\n"));
        assertTrue(page.contains("&lt;b&gt;") && !page.contains("<b>"), page);
        assertTrue(!page.contains("http") && !page.contains("<script"), page);
    }

    @Test
    void aPageWithoutTimesShowsNone() {
        fill();
        String page =
                database.query("EXPLAIN (ANALYZE, TIMING OFF, FORMAT HTML) SELECT a FROM t LIMIT 7")
                        .getFirst();
        assertTrue(page.contains("<p class=verdict>7 rows.<table>"), page);
        assertTrue(page.contains("<th>operator<th>rows<th>estimated"), page);
        assertTrue(!page.contains(" ms") && !page.contains("Own times"), page);
    }

    @Test
    void methodsAreFoundWithTheirOperators() {
        fill();
        String answer = "";
        String found = "(?s).*%  dev\\.oriel.*  in (HashJoin|KeptJoin|Agg).*";
        for (int attempt = 0; attempt < ATTEMPTS && !answer.matches(found); attempt++) {
            answer =
                    String.join(
                            "\n",
                            database.query(
                                    "EXPLAIN (ANALYZE, PROFILE) SELECT count(*) FROM t a JOIN t b"
                                            + " ON a.b = b.b JOIN t c ON c.a < 20"));
        }
        assertTrue(answer.contains("samples of running code"), answer);
        assertFalse(answer.contains("sql.measure.") || answer.contains("MeasuredOperator"), answer);
        assertTrue(answer.contains("HashJoin"), answer);
        assertTrue(answer.matches(found), answer);
    }

    @Test
    void stacksAreGivenAsJsonWithThePlacesOfTheirOperators() {
        fill();
        String answer = "";
        String found = "(?s).*\"stacks\":\\[\\{\"stack\":\"[^\"]+;[^\"]+\",\"samples\":[1-9].*";
        for (int attempt = 0; attempt < ATTEMPTS && !answer.matches(found); attempt++) {
            answer =
                    String.join(
                            "\n",
                            database.query(
                                    "EXPLAIN (ANALYZE, PROFILE, FORMAT JSON) SELECT count(*) FROM t a"
                                            + " JOIN t b ON a.b = b.b JOIN t c ON c.a < 20"));
        }
        assertTrue(answer.matches(found), answer);
        Matcher places = Pattern.compile("\"samples\":\\d+,\"operator\":(-?\\d+)").matcher(answer);
        int operators = answer.split("\"operator\":\"", -1).length;
        while (places.find()) {
            int place = Integer.parseInt(places.group(1));
            assertTrue(place >= -1 && place < operators, answer);
        }
    }

    @Test
    void methodsAreFoundInAThreadWithoutAName() throws InterruptedException {
        fill();
        String found = "(?s).*Methods: [1-9].*";
        AtomicReference<String> answer = new AtomicReference<>("");
        Thread thread =
                Thread.startVirtualThread(() -> {
                    for (int i = 0; i < ATTEMPTS && !answer.get().matches(found); i++) {
                        answer.set(
                                String.join(
                                        "\n",
                                        database.query(
                                                "EXPLAIN (ANALYZE, PROFILE) SELECT count(*) FROM t a"
                                                        + " JOIN t b ON a.b = b.b"
                                                        + " JOIN t c ON c.a < 20")));
                    }
                });
        thread.join();
        assertTrue(answer.get().matches(found), answer.get());
    }
}
