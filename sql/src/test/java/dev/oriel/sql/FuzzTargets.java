package dev.oriel.sql;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.store.DatabaseException;
import dev.oriel.table.definition.Type;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Entry points that read untrusted text, for two fuzzers: [SqlFuzzTest] with seeds of its own, and Jazzer
/// ([SqlJazzerTest]). Each may reject a text by a [DatabaseException]. Any other exception, a stack overflow, or a
/// text that takes longer than [#SECONDS_MAX] is a bug.
final class FuzzTargets {
    static final int SECONDS_MAX = 10;

    private static final List<String> TYPES =
            List.of(
                    "BOOLEAN",
                    "TINYINT",
                    "SMALLINT",
                    "INTEGER",
                    "BIGINT",
                    "DECIMAL",
                    "DECIMAL(10, 2)",
                    "REAL",
                    "DOUBLE",
                    "CHAR(5)",
                    "VARCHAR(5)",
                    "VARBINARY",
                    "DATE",
                    "TIME",
                    "TIMESTAMP",
                    "TIMESTAMP WITH TIME ZONE",
                    "UUID");

    private static @Nullable TestDatabase database;

    private FuzzTargets() {}

    /// An entry point.
    enum Target {
        /// A statement: lexer, parser, binder, planner, and constant folding.
        STATEMENT,
        /// A literal of each type, and a text that is cast to it.
        LITERAL,
        /// Patterns: LIKE, of dates and numbers, intervals.
        PATTERN;

        void run(String text) {
            switch (this) {
                case STATEMENT -> prepared(text);
                case LITERAL -> literals(text);
                case PATTERN -> patterns(text);
            }
        }
    }

    static void run(Target target, byte[] input) {
        target.run(new String(input, StandardCharsets.UTF_8));
    }

    static Session session() {
        TestDatabase open = database;
        if (open == null) {
            open = new TestDatabase();
            open.update(
                    "CREATE TABLE t (a INT PRIMARY KEY, b VARCHAR(20), c DECIMAL(8, 2), d DATE)");
            open.update("CREATE TABLE u (a INT, b VARCHAR(20), c BIGINT, d TIMESTAMP)");
            open.update("CREATE INDEX u_a ON u (a, b)");
            open.update("CREATE VIEW v AS SELECT a, COUNT(*) AS n FROM u GROUP BY a");
            open.update("CREATE SEQUENCE s");
            database = open;
        }
        return open.session();
    }

    static void close() {
        TestDatabase open = database;
        database = null;
        if (open != null) {
            open.close();
        }
    }

    private static void prepared(String text) {
        try (Prepared prepared = session().prepare(text)) {
            prepared.explain();
        } catch (DatabaseException refused) {
            // Most are rejected; other tests check the messages.
            checkSaid(refused);
        }
    }

    private static void literals(String text) {
        String quoted = "'" + text.replace("'", "''") + "'";
        for (String type : TYPES) {
            evaluated("SELECT CAST(CAST(? AS VARCHAR) AS " + type + ")", text);
            evaluated("SELECT CAST(" + quoted + " AS " + type + ")");
        }
        for (String type : List.of("DATE", "TIME", "TIMESTAMP", "INTERVAL")) {
            prepared("SELECT DATE '2024-01-31' = " + type + " " + quoted);
        }
        evaluated("SELECT " + text);
    }

    private static void patterns(String text) {
        evaluated("SELECT ? LIKE ?, 'abcabcabc' LIKE ?", text, text, text);
        evaluated("SELECT TO_CHAR(TIMESTAMP '2024-02-29 12:30:15.5', ?)", text);
        evaluated("SELECT TO_CHAR(1234.5, ?)", text);
        evaluated("SELECT TO_DATE(?, ?)", text, text);
        evaluated("SELECT TO_TIMESTAMP('2024-02-29', ?)", text);
        evaluated("SELECT ISVALIDDATETIME('2024', ?)", text);
        evaluated("SELECT EXTRACT(? FROM DATE '2024-02-29')", text);
        evaluated("SELECT DATE_TRUNC(?, TIMESTAMP '2024-02-29 12:00:00')", text);
        evaluated("SELECT DATE '2024-01-31' + INTERVAL '" + text.replace("'", "''") + "'");
        evaluated("SELECT SPLIT_PART(?, ',', 2), TRANSLATE(?, 'ab', ?)", text, text, text);
    }

    private static void evaluated(String sql, String... parameters) {
        try (Prepared prepared = session().prepare(sql)) {
            boolean texts =
                    prepared.parameters().stream()
                            .allMatch(type -> type.shape() == Type.Shape.TEXT);
            if (texts && prepared.isQuery() && prepared.parameters().size() == parameters.length) {
                for (int i = 0; i < parameters.length; i++) {
                    prepared.values().setText(i, parameters[i]);
                }
                try (Prepared.Result result = prepared.query()) {
                    result.next();
                }
            }
        } catch (DatabaseException refused) {
            checkSaid(refused);
        }
    }

    private static void checkSaid(DatabaseException refused) {
        String message = refused.getMessage();
        if (message == null || message.isBlank()) {
            throw new AssertionError("refused without a word", refused);
        }
    }
}
