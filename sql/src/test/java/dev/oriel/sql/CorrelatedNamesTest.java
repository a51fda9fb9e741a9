package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A correlated WITH name means the same as its query in its place.
class CorrelatedNamesTest {
    /// Queries to be named, with the columns `i` and `v`.
    private static final List<String> NAMED =
            List.of(
                    "SELECT o.id AS i, o.w AS v",
                    "SELECT p.id AS i, p.amount AS v FROM p WHERE p.oid = o.id",
                    "SELECT p.id AS i, p.amount AS v FROM p WHERE p.oid = 2",
                    "SELECT p.id AS i, MAX(p.amount) AS v FROM p WHERE p.amount > o.w GROUP BY p.id",
                    "SELECT p.id AS i, l.v FROM p, LATERAL (SELECT p.amount + o.w AS v) l",
                    "SELECT p.id AS i, o.w AS v FROM p WHERE EXISTS"
                            + " (SELECT 1 FROM p z WHERE z.oid = p.oid AND z.amount > o.w + p.amount)",
                    "SELECT p.oid AS i, (SELECT SUM(z.amount) FROM p z WHERE z.oid = p.oid) AS v FROM p",
                    "SELECT o.id AS i, o.w AS v UNION ALL SELECT id, amount FROM p WHERE oid = o.id");

    /// Scalar queries that read the named query as `$ x`, `$ y` and so on.
    private static final List<String> READING =
            List.of(
                    "SELECT SUM(v) FROM $ x",
                    "SELECT COUNT(*) FROM $ x WHERE v > (SELECT AVG(v) FROM $ y)",
                    "SELECT COUNT(*) FROM $ x JOIN $ y ON x.i = y.i",
                    "SELECT COUNT(*) FROM q WHERE q.id IN (SELECT i FROM $ x)",
                    "SELECT COUNT(*) FROM q WHERE q.id NOT IN (SELECT v FROM $ x)",
                    "SELECT COUNT(*) FROM p z WHERE z.amount > ALL (SELECT v FROM $ x)",
                    "SELECT COUNT(*) FROM p z WHERE (z.id, z.amount) IN (SELECT i, v FROM $ x)",
                    "SELECT COUNT(*) FROM p z WHERE EXISTS (SELECT 1 FROM $ x WHERE x.i = z.id)",
                    "SELECT COUNT(*) FROM p z WHERE EXISTS (SELECT 1 FROM $ x WHERE x.v < z.amount)",
                    "SELECT COUNT(*) FROM p z WHERE EXISTS (SELECT 1 FROM $ x)",
                    "SELECT (SELECT MAX(i) FROM $ x) - (SELECT MIN(i) FROM $ y)",
                    "SELECT SUM(l.n) FROM p z, LATERAL (SELECT COUNT(*) AS n FROM $ x WHERE x.i = z.id) l",
                    "SELECT SUM(l.n) FROM p z, LATERAL"
                            + " (SELECT z.id + (SELECT COUNT(*) FROM $ x WHERE x.v > 3) AS n) l",
                    "SELECT SUM((SELECT COUNT(*) FROM $ x WHERE x.v > (SELECT MIN(y.v) FROM $ y WHERE"
                            + " y.i > z.id))) FROM p z");

    private static final List<String> AROUND =
            List.of(
                    "SELECT o.id, (@) FROM o ORDER BY o.id",
                    "SELECT o.id FROM o WHERE (@) > 2 ORDER BY o.id",
                    "SELECT o.id, l.n FROM o LEFT JOIN LATERAL (@) l(n) ON TRUE ORDER BY o.id",
                    "SELECT o.id, COALESCE((@), 0) + COALESCE((@), 0) FROM o ORDER BY o.id",
                    "SELECT SUM((@)) FROM o",
                    "SELECT t.id, (SELECT SUM((@)) FROM o WHERE o.id <> t.id) FROM o t ORDER BY t.id");

    @Test
    void aNameStandsForItsQuery() {
        for (long budget : new long[] {Long.MAX_VALUE, 1}) {
            Gen gen = new Gen(Seed.of("CorrelatedNamesTest", 1));
            try (TestDatabase database = TestDatabase.on(new SimDirectory(), budget)) {
                create(database, gen);
                for (int i = 0; i < 300; i++) {
                    String named = gen.pick(NAMED);
                    String reading = gen.pick(READING);
                    String around = gen.pick(AROUND);
                    String name = "WITH a AS (" + named + ") " + reading.replace("$", "a");
                    String place = reading.replace("$", "(" + named + ")");
                    String query = around.replace("@", name);
                    assertEquals(
                            database.query(around.replace("@", place)),
                            database.query(query),
                            query);
                }
            }
        }
    }

    private static void create(TestDatabase database, Gen gen) {
        database.update("CREATE TABLE o (id INTEGER PRIMARY KEY, w INTEGER)");
        database.update("CREATE TABLE p (id INTEGER PRIMARY KEY, oid INTEGER, amount INTEGER)");
        database.update("CREATE TABLE q (id INTEGER PRIMARY KEY)");
        database.update("INSERT INTO q SELECT n FROM generate_series(1, 1000) AS s(n)");
        for (int i = 1; i <= 5; i++) {
            database.update("INSERT INTO o VALUES (?, ?)", i, gen.below(8));
        }
        for (int i = 1; i <= 12; i++) {
            database.update(
                    "INSERT INTO p VALUES (?, ?, ?)",
                    i,
                    1 + gen.below(5),
                    gen.chance(10) ? null : gen.below(12));
        }
    }
}
