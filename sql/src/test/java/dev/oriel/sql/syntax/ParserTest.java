package dev.oriel.sql.syntax;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.planner.PlanText;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class ParserTest {
    private static final int DEEP = 30_000;

    private static Parser.Parsed parse(String text) {
        return Parser.parse(new SqlText(text));
    }

    private static Expression expression(String text) {
        Statement.Select select =
                assertInstanceOf(Statement.Select.class, parse("SELECT " + text).statement());
        return assertInstanceOf(Statement.Item.Value.class, select.items().getFirst()).expression();
    }

    private static SqlException refused(String text) {
        return assertThrows(SqlException.class, () -> parse(text));
    }

    @Test
    void productsBindBeforeSumsAndSumsToTheLeft() {
        Expression.Binary sum =
                assertInstanceOf(Expression.Binary.class, expression("1 - 2 * 3 - 4"));
        assertEquals(Expression.Operator.SUBTRACT, sum.operator());
        Expression.Binary left = assertInstanceOf(Expression.Binary.class, sum.left());
        assertEquals(Expression.Operator.SUBTRACT, left.operator());
        Expression.Binary product = assertInstanceOf(Expression.Binary.class, left.right());
        assertEquals(Expression.Operator.MULTIPLY, product.operator());
    }

    @Test
    void aChainOfAndIsOneNode() {
        Expression.Logical and =
                assertInstanceOf(
                        Expression.Logical.class, expression("a AND b AND NOT c AND d = 1"));
        assertEquals(4, and.terms().size());
    }

    @Test
    void theAndOfBetweenIsItsOwn() {
        Expression.Logical and =
                assertInstanceOf(Expression.Logical.class, expression("a BETWEEN 1 AND 2 AND b"));
        assertInstanceOf(Expression.Between.class, and.terms().getFirst());
    }

    @Test
    void parametersAreNumberedInOrderOfAppearance() {
        Parser.Parsed parsed = parse("UPDATE t SET a = ?, b = ? WHERE c = ? -- ?");
        assertEquals(3, parsed.parameters());
    }

    @Test
    void everyNodeKnowsItsPlace() {
        Expression.Binary sum =
                assertInstanceOf(Expression.Binary.class, expression("abc + t.def"));
        assertEquals(11, sum.position());
        assertEquals(7, sum.left().position());
        assertEquals(13, sum.right().position());
    }

    @Test
    void wordsThatAreNotReservedAreNames() {
        parse("SELECT date, time, key, first, trim FROM index WHERE values1 = begin");
        parse("CREATE TABLE rows (date DATE, timestamp TIMESTAMP, text TEXT, key INT)");
    }

    @Test
    void aStatementMayEndInOneSemicolon() {
        parse("SELECT 1;");
        assertEquals(10, refused("SELECT 1;;").position() + 1);
        assertEquals(10, refused("SELECT 1; SELECT 2").position());
    }

    @Test
    void comparisonsDoNotChain() {
        assertEquals(13, refused("SELECT 1 < 2 < 3").position());
    }

    @Test
    void deepNestingIsRefusedInsteadOfOverflowingTheStack() {
        for (String[] around :
                new String[][] {
                    {"(", "1", ")"},
                    {"- ", "a", ""},
                    {"NOT ", "a", ""},
                    {"CAST(", "1", " AS INT)"},
                    {"ABS(", "1", ")"},
                    {"CASE WHEN TRUE THEN ", "1", " END"},
                    {"", "1", "::INT"},
                    {"1 + (", "1", ")"},
                    {"1 IN (", "1", ")"},
                    {"", "1", " + 1"},
                    {"", "1", " || 'a'"},
                    {"", "a", " IS NULL"},
                    {"(SELECT ", "1", ")"},
                    {"EXISTS (SELECT ", "1", ")"},
                    {"1 IN (VALUES (", "1", "))"},
                    {"* FROM (SELECT ", "1", ")"},
                    {"", "1", " UNION SELECT 1"},
                    {"", "1 FROM t", ", t"},
                    {"1 WHERE EXISTS (SELECT ", "1", ")"},
                    {"TRIM(", "a", ")"},
                    {"SUBSTRING(", "a", " FROM 1)"},
                    {"ROW(", "1", ")"},
                    {"(1, ", "1", ")"},
                    {"GREATEST(", "1", ")"},
                    {"EXTRACT(YEAR FROM ", "a", ")"},
                    {"SUM(1) FILTER (WHERE ", "a", ")"},
                    {"SUM(1) OVER (ORDER BY ", "a", ")"},
                    {"MODE() WITHIN GROUP (ORDER BY ", "a", ")"},
                    {"(SELECT 1 FROM t GROUP BY ROLLUP (", "a", "))"},
                }) {
            String text = "SELECT " + around[0].repeat(DEEP) + around[1] + around[2].repeat(DEEP);
            SqlException error = refused(text);
            assertEquals(SqlException.Kind.TOO_COMPLEX, error.kind(), around[0] + around[2]);
            assertTrue(String.valueOf(error.getMessage()).length() < 400, error.getMessage());
        }
    }

    @Test
    void longListsAndChainsOfAndAreNotDeep() {
        parse("SELECT 1 WHERE " + "a = 1 AND ".repeat(DEEP) + "b = 1");
        parse("SELECT 1 WHERE a IN (" + "1, ".repeat(DEEP) + "1)");
        parse("INSERT INTO t VALUES (1)" + ", (1)".repeat(DEEP));
    }

    @Test
    void whatIsAllowedToNestCanBeBoundAndEvaluatedOnASmallStack() throws InterruptedException {
        int levels = 400;
        List<String> texts =
                List.of(
                        "SELECT " + "(1 + ".repeat(levels) + "1" + ")".repeat(levels),
                        "SELECT 1" + " + 1".repeat(ExpressionParser.HEIGHT_MAX - 1),
                        "SELECT " + "COALESCE(".repeat(levels) + "1" + ", 1)".repeat(levels),
                        "SELECT " + "NULLIF(".repeat(levels) + "1" + ", 2)".repeat(levels),
                        "SELECT "
                                + "CASE ".repeat(levels)
                                + "1"
                                + " WHEN 1 THEN 1 WHEN 2 THEN 2 END".repeat(levels),
                        "SELECT " + "ABS(".repeat(levels) + "COUNT(*)" + ")".repeat(levels),
                        "SELECT " + "GREATEST(".repeat(levels) + "1" + ", 2)".repeat(levels),
                        "SELECT " + "POWER(".repeat(levels) + "1" + ", 2)".repeat(levels),
                        "SELECT DATE '2024-01-01'" + " + INTERVAL '1 day'".repeat(398),
                        "SELECT " + "ABS(".repeat(levels) + "SUM(1) OVER ()" + ")".repeat(levels),
                        "SELECT 1 WHERE "
                                + "(1 = 2 OR (1 = 1 AND ".repeat(levels / 2)
                                + "TRUE"
                                + "))".repeat(levels / 2),
                        "SELECT " + "(SELECT ".repeat(36) + "1" + ")".repeat(36),
                        "SELECT " + "EXISTS (SELECT ".repeat(36) + "1" + ")".repeat(36),
                        "SELECT " + "* FROM (SELECT ".repeat(36) + "1" + ")".repeat(36),
                        "SELECT " + "SUM(1) + (SELECT ".repeat(36) + "1" + ")".repeat(36),
                        "SELECT NULL" + " UNION ALL SELECT NULL".repeat(380) + " UNION SELECT 1",
                        "SELECT 1 FROM (SELECT 1)" + ", (SELECT 1)".repeat(100));
        List<Throwable> failures = new ArrayList<>();
        Thread thread =
                new Thread(
                        null,
                        () -> {
                            for (String text : texts) {
                                Compiler.Compiled compiled =
                                        Compiler.compile(text, new Catalog(1, Map.of()));
                                PlanText.of(compiled.command());
                            }
                        },
                        "small stack",
                        512 << 10);
        thread.setUncaughtExceptionHandler((t, failure) -> failures.add(failure));
        thread.start();
        thread.join();
        assertEquals(List.of(), failures);
    }

    @Test
    void tokenSoupIsParsedOrRefusedAndNothingElse() {
        SplittableRandom random = Seed.of("tokenSoup", 20_240_229);
        List<String> words = new ArrayList<>();
        for (Keyword keyword : Keyword.values()) {
            words.add(keyword.name());
        }
        words.addAll(
                List.of(
                        "a", "t", "b1", "\"q\"", "1", "2.5", "1e3", "'s'", "''", "X'00'", "?", "(",
                        ")", "(", ")", ",", ",", ".", "*", "+", "-", "/", "%", "=", "<", "<>", ">=",
                        "||", "::", ";", "INT", "VARCHAR", "COUNT", "LOWER", "DECIMAL", "/*", "--",
                        "'", "\"", "\n", "@"));
        List<String> starts =
                List.of(
                        "",
                        "SELECT ",
                        "SELECT a FROM t WHERE ",
                        "INSERT INTO t ",
                        "INSERT INTO t VALUES (",
                        "UPDATE t SET ",
                        "DELETE FROM t ",
                        "CREATE TABLE t (",
                        "CREATE INDEX i ON t ",
                        "SELECT CASE ",
                        "EXPLAIN ");
        int parsed = 0;
        for (int i = 0; i < 40_000; i++) {
            StringBuilder text = new StringBuilder(starts.get(random.nextInt(starts.size())));
            int length = random.nextInt(12);
            for (int j = 0; j < length; j++) {
                text.append(words.get(random.nextInt(words.size()))).append(' ');
            }
            try {
                Compiler.compile(text.toString(), new Catalog(1, Map.of()));
                parsed++;
            } catch (SqlException expected) {
                int position = expected.position();
                assertTrue(position >= 0 && position <= text.length(), text.toString());
                assertTrue(
                        String.valueOf(expected.getMessage()).endsWith("^"), expected.getMessage());
            } catch (RuntimeException | StackOverflowError unexpected) {
                throw new AssertionError("on: " + text, unexpected);
            }
        }
        assertTrue(parsed > 20, "only " + parsed + " could be compiled");
    }

    @Test
    void statementsWithTokensLostDoubledAndExchangedAreParsedOrRefused() {
        SplittableRandom random = Seed.of("mutations", 20_240_301);
        List<String> statements =
                List.of(
                        "SELECT DISTINCT 1 + 2 * - 3 AS x , 'a' || ? FROM t u WHERE u . a BETWEEN 1"
                                + " AND 2 AND NOT b IS NULL OR c IN ( 1 , 2 ) GROUP BY 1 HAVING"
                                + " COUNT ( * ) > 1 ORDER BY x DESC NULLS LAST LIMIT 1 OFFSET ?",
                        "SELECT CASE a WHEN 1 THEN CAST ( b AS DECIMAL ( 1 , 0 ) ) ELSE c :: INT"
                                + " END , SUBSTRING ( a FROM 1 FOR 2 ) , TRIM ( BOTH 'x' FROM y )",
                        "SELECT DATE '2024-01-01' , TIMESTAMP WITH TIME ZONE '2024-01-01' , X'00' ,"
                                + " a LIKE 'x' ESCAPE '!' , a IS NOT DISTINCT FROM b , a IS UNKNOWN",
                        "INSERT INTO t ( a , b ) VALUES ( 1 , ? ) , ( 2 , NULL ) ;",
                        "INSERT INTO t SELECT * FROM u WHERE a = 1 FETCH FIRST 1 ROWS ONLY",
                        "UPDATE t AS u SET a = a + 1 , b = ? WHERE c < ?",
                        "DELETE FROM t WHERE a = 1e3",
                        "SELECT * FROM t , u CROSS JOIN LATERAL ( SELECT t . a ) AS l ( b )",
                        "SELECT ( VALUES ( 1 ) ) FROM ( t NATURAL LEFT JOIN u ) JOIN v USING ( a )",
                        "( SELECT 1 UNION ALL SELECT 2 ) INTERSECT SELECT 3 ORDER BY 1 LIMIT 1",
                        "WITH RECURSIVE n ( i ) AS ( SELECT 1 UNION SELECT i + 1 FROM n ) SELECT i"
                                + " FROM n a FULL JOIN n b ON a . i = b . i",
                        "SELECT EXISTS ( SELECT 1 ) , 1 IN ( SELECT 2 ) , 1 < ALL ( SELECT 3 )"
                                + " WHERE 1 NOT IN ( VALUES ( 1 ) )",
                        "CREATE TABLE IF NOT EXISTS t ( a INT NOT NULL PRIMARY KEY , b VARCHAR ( 3 )"
                                + " UNIQUE , CONSTRAINT k UNIQUE ( a , b ) )",
                        "CREATE UNIQUE ARRAY INDEX IF NOT EXISTS i ON t ( a , b )",
                        "ROLLBACK TO SAVEPOINT s");
        for (int i = 0; i < 40_000; i++) {
            String statement = statements.get(random.nextInt(statements.size()));
            List<String> tokens = new ArrayList<>(List.of(statement.split(" ")));
            for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                int at = random.nextInt(tokens.size());
                int other = random.nextInt(tokens.size());
                switch (random.nextInt(3)) {
                    case 0 -> tokens.add(at, tokens.get(other));
                    case 1 -> Collections.swap(tokens, at, other);
                    default -> {
                        if (tokens.size() > 1) {
                            tokens.remove(at);
                        }
                    }
                }
            }
            String text = String.join(" ", tokens);
            try {
                Compiler.compile(text, new Catalog(1, Map.of()));
            } catch (SqlException expected) {
                assertTrue(
                        String.valueOf(expected.getMessage()).endsWith("^"), expected.getMessage());
            } catch (RuntimeException | StackOverflowError unexpected) {
                throw new AssertionError("on: " + text, unexpected);
            }
        }
    }
}
