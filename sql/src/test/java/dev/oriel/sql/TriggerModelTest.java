package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A table whose triggers keep a copy and sums of it in other tables. These must equal what is computed anew, after any
/// changes, failures and returns to savepoints.
class TriggerModelTest {
    private static final int RUNS = 40;
    private static final int STEPS = 60;

    private final TestDatabase database = new TestDatabase();

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    private void define() {
        for (String statement :
                List.of(
                        "CREATE TABLE owner (id INT PRIMARY KEY)",
                        "CREATE TABLE t (id INT PRIMARY KEY, o INT REFERENCES owner ON DELETE"
                                + " CASCADE ON UPDATE CASCADE, n INT CHECK (n < 90), m INT"
                                + " GENERATED ALWAYS AS (n * 2))",
                        "CREATE TABLE copy (id INT PRIMARY KEY, o INT, n INT, m INT)",
                        "CREATE TABLE total (o INT PRIMARY KEY, n BIGINT, c BIGINT)",
                        "CREATE TABLE moved (k VARCHAR(10) PRIMARY KEY, n BIGINT)",
                        "INSERT INTO moved VALUES ('in', 0), ('out', 0)",
                        "CREATE TRIGGER a_even BEFORE INSERT OR UPDATE ON t FOR EACH ROW WHEN"
                                + " (NEW.n % 2 = 1) SET NEW.n = NEW.n + 1",
                        "CREATE TRIGGER b_refuse BEFORE INSERT OR UPDATE ON t FOR EACH ROW WHEN"
                                + " (NEW.n = 66) SIGNAL SQLSTATE '45000'",
                        "CREATE TRIGGER b_seen BEFORE UPDATE OR DELETE ON t FOR EACH ROW UPDATE"
                                + " moved SET n = n WHERE k = 'in'",
                        "CREATE TRIGGER c_insert AFTER INSERT ON t FOR EACH ROW INSERT INTO copy"
                                + " VALUES (NEW.id, NEW.o, NEW.n, NEW.m)",
                        "CREATE TRIGGER c_update AFTER UPDATE ON t REFERENCING OLD TABLE AS gone NEW"
                                + " TABLE AS fresh BEGIN ATOMIC DELETE FROM copy WHERE id IN (SELECT"
                                + " id FROM gone); INSERT INTO copy SELECT id, o, n, m FROM fresh;"
                                + " END",
                        "CREATE TRIGGER c_delete AFTER DELETE ON t FOR EACH ROW DELETE FROM copy"
                                + " WHERE id = OLD.id",
                        "CREATE TRIGGER d_gone AFTER UPDATE OR DELETE ON t FOR EACH ROW UPDATE total"
                                + " SET n = n - OLD.n, c = c - 1 WHERE o = OLD.o",
                        "CREATE TRIGGER e_fresh AFTER INSERT OR UPDATE ON t FOR EACH ROW INSERT INTO"
                                + " total VALUES (NEW.o, NEW.n, 1) ON CONFLICT (o) DO UPDATE SET n ="
                                + " total.n + EXCLUDED.n, c = total.c + 1",
                        "CREATE TRIGGER f_in AFTER INSERT OR UPDATE ON copy FOR EACH ROW UPDATE moved"
                                + " SET n = n + NEW.n WHERE k = 'in'",
                        "CREATE TRIGGER f_out AFTER DELETE OR UPDATE ON copy FOR EACH ROW UPDATE"
                                + " moved SET n = n + OLD.n WHERE k = 'out'")) {
            database.update(statement);
        }
    }

    @Test
    void whatTriggersKeepEqualsWhatIsComputedAnew() {
        define();
        Gen gen = new Gen(Seed.of("TriggerModelTest", 1));
        for (int run = 0; run < RUNS; run++) {
            boolean open = false;
            int savepoints = 0;
            List<String> history = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                String statement = statement(gen, open, savepoints);
                history.add(statement);
                String answer = database.answer(statement);
                if (statement.equals("BEGIN")) {
                    open = true;
                    savepoints = 0;
                } else if (statement.equals("COMMIT") || statement.equals("ROLLBACK")) {
                    open = false;
                } else if (statement.startsWith("SAVEPOINT")) {
                    savepoints++;
                }
                assertFalse(
                        answer.contains("IllegalState")
                                || answer.contains("too deep")
                                || answer.contains("TRIGGERED_CHANGE"),
                        () -> answer + "\n" + String.join(";\n", history));
                check(history);
            }
            if (open) {
                database.answer(gen.chance(50) ? "COMMIT" : "ROLLBACK");
                check(history);
            }
        }
    }

    private static String statement(Gen gen, boolean open, int savepoints) {
        int id = gen.below(30);
        int owner = gen.below(5);
        int n = gen.below(92);
        return switch (gen.below(14)) {
            case 0 -> "INSERT INTO owner VALUES (" + owner + ") ON CONFLICT DO NOTHING";
            case 1 -> "INSERT INTO t (id, o, n) VALUES (" + id + ", " + owner + ", " + n + ")";
            case 2 ->
                    "INSERT INTO t (id, o, n) SELECT x, o.id, x FROM GENERATE_SERIES("
                            + id
                            + ", "
                            + (id + gen.below(6))
                            + ") AS g(x), owner AS o WHERE o.id = "
                            + owner
                            + " ON CONFLICT (id) DO "
                            + (gen.chance(50) ? "NOTHING" : "UPDATE SET n = EXCLUDED.n, o = t.o");
            case 3 -> "UPDATE t SET n = n + 1 WHERE id >= " + id;
            case 4 -> "UPDATE t SET n = " + n + ", id = id + 30 WHERE id = " + id;
            case 5 -> "UPDATE t SET id = id + 1 WHERE id < " + id;
            case 6 -> "DELETE FROM t WHERE id = " + id + " OR n = " + n;
            case 7 -> "DELETE FROM owner WHERE id = " + owner;
            case 8 -> "UPDATE owner SET id = id + 1 WHERE id = " + owner;
            case 9 ->
                    "MERGE INTO t USING (SELECT x FROM GENERATE_SERIES("
                            + id
                            + ", "
                            + (id + 3)
                            + ") AS g(x)) AS s ON t.id = s.x WHEN MATCHED AND n > 40 THEN DELETE"
                            + " WHEN MATCHED THEN UPDATE SET n = n + "
                            + gen.below(50)
                            + " WHEN NOT MATCHED THEN INSERT (id, o, n) VALUES (s.x, "
                            + owner
                            + ", 3)";
            case 10 ->
                    "WITH gone AS (DELETE FROM t WHERE id < "
                            + id
                            + " RETURNING o) UPDATE owner SET id = id WHERE id IN (SELECT o FROM"
                            + " gone)";
            case 11 -> open ? gen.chance(33) ? "ROLLBACK" : "COMMIT" : "BEGIN";
            case 12 -> open ? "SAVEPOINT s" : "BEGIN";
            default -> open && savepoints > 0 ? "ROLLBACK TO SAVEPOINT s" : "SELECT 1";
        };
    }

    private void check(List<String> history) {
        String context = String.join(";\n", history);
        same(
                "SELECT id, o, n, m FROM t ORDER BY id",
                "SELECT id, o, n, m FROM copy ORDER BY id",
                context);
        same(
                "SELECT o, SUM(n), COUNT(*) FROM t GROUP BY o ORDER BY o",
                "SELECT o, n, c FROM total WHERE c <> 0 ORDER BY o",
                context);
        same(
                "SELECT COALESCE(SUM(n), 0) FROM t",
                "SELECT SUM(CASE WHEN k = 'in' THEN n ELSE -n END) FROM moved",
                context);
        same("SELECT 0", "SELECT COUNT(*) FROM t WHERE n % 2 = 1 OR n = 66 OR n >= 90", context);
    }

    private void same(String computed, String kept, String context) {
        assertEquals(database.query(computed), database.query(kept), context);
    }
}
