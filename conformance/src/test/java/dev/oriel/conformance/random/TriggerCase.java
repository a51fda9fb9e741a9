package dev.oriel.conformance.random;

import dev.oriel.conformance.random.TriggerBodies.Pair;
import dev.oriel.testkit.Gen;
import java.util.ArrayList;
import java.util.List;

/// A random schema with triggers, procedures and foreign keys, and random statements for it. PostgreSQL reads its
/// tables by their keys, as Oriel does, so that rows come in the same order.
final class TriggerCase {
    private static final String ACTIONS = "CASCADE,SET NULL,NO ACTION,RESTRICT,SET DEFAULT";

    private final Gen gen;
    private final List<Pair> schema = new ArrayList<>();
    private final List<String> tables = new ArrayList<>();
    private final TriggerBodies bodies;
    private final boolean third;
    private final boolean partitioned;
    private final boolean views;
    private final String check;
    private final boolean follows;

    TriggerCase(Gen gen) {
        this.gen = gen;
        this.bodies = new TriggerBodies(gen);
        this.third = gen.chance(40);
        this.partitioned = gen.chance(40);
        this.views = gen.chance(50);
        this.follows = gen.chance(70);
        this.check = gen.chance(30) ? " CHECK (n < 60)" : "";
        define();
    }

    /// The definitions, in order.
    List<Pair> schema() {
        return schema;
    }

    /// Tables whose rows are compared.
    List<String> tables() {
        return tables;
    }

    private void both(String... statements) {
        for (String statement : statements) {
            schema.add(Pair.of(statement));
        }
    }

    private void table(String name, String columns) {
        both("CREATE TABLE " + name + " (" + columns + ")");
        tables.add(name);
    }

    private String actions() {
        List<String> all = List.of(ACTIONS.split(","));
        if (!follows) {
            return gen.chance(50) ? " ON DELETE RESTRICT" : "";
        }
        return (gen.chance(75) ? " ON DELETE " + gen.pick(all) : "")
                + (gen.chance(60) ? " ON UPDATE " + gen.pick(all.subList(0, 4)) : "");
    }

    private void define() {
        both(
                "CREATE TABLE log (n INT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, what VARCHAR(300))");
        table("total", "k INT PRIMARY KEY, n BIGINT");
        table("kept", "id INT PRIMARY KEY, n INT");
        table("p", "id INT PRIMARY KEY, n INT" + check + ", t VARCHAR(20) DEFAULT 'd'");
        table(
                "c",
                "id INT PRIMARY KEY, p INT DEFAULT 1 REFERENCES p (id)%s, n INT%s, g INT GENERATED ALWAYS AS (n * 2) STORED"
                        .formatted(actions(), gen.chance(20) ? " NOT NULL" : ""));
        both("CREATE INDEX c_p ON c (p, id)");
        if (third) {
            table("d", "id INT PRIMARY KEY, c INT REFERENCES c (id)" + actions() + ", n INT");
            both("CREATE INDEX d_c ON d (c, id)");
        }
        schema.add(
                new Pair(
                        "CREATE TABLE m (id INT PRIMARY KEY, n INT, t INT)",
                        "CREATE TABLE m (id INT PRIMARY KEY DEFERRABLE, n INT, t INT)"));
        tables.add("m");
        if (partitioned) {
            partition();
        }
        both(
                "INSERT INTO total VALUES (1, 0), (2, 0)",
                "INSERT INTO p VALUES (1, 1, 'a'), (2, 2, 'b'), (3, 3, 'c'), (5, 5, 'e')",
                "INSERT INTO c VALUES (1, 1, 10), (2, 1, 20), (3, 2, 30), (4, NULL, 40), (7, 5, 1)",
                "INSERT INTO m VALUES (1, 1, 1), (2, 2, 2), (3, 3, 3), (6, 6, 6)");
        if (third) {
            both("INSERT INTO d VALUES (1, 1, 5), (2, 1, 6), (3, 3, 7)");
        }
        routines();
        views();
        triggers();
    }

    private void partition() {
        String by = gen.pick(List.of("RANGE", "LIST", "HASH"));
        table("h", "id INT PRIMARY KEY, n INT, t INT");
        schema.removeLast();
        both("CREATE TABLE h (id INT PRIMARY KEY, n INT, t INT) PARTITION BY " + by + " (id)");
        switch (by) {
            case "RANGE" ->
                    both(
                            "CREATE TABLE h1 PARTITION OF h FOR VALUES FROM (MINVALUE) TO (6)",
                            "CREATE TABLE h2 PARTITION OF h FOR VALUES FROM (6) TO (MAXVALUE)");
            case "LIST" ->
                    both(
                            "CREATE TABLE h1 PARTITION OF h FOR VALUES IN (1, 2, 3, 4, 5)",
                            "CREATE TABLE h2 PARTITION OF h DEFAULT");
            default ->
                    both(
                            "CREATE TABLE h1 PARTITION OF h FOR VALUES WITH (MODULUS 2, REMAINDER 0)",
                            "CREATE TABLE h2 PARTITION OF h FOR VALUES WITH (MODULUS 2, REMAINDER 1)");
        }
        both("INSERT INTO h VALUES (1, 1, 1), (2, 2, 2), (7, 7, 7), (8, 8, 8)");
    }

    private void routines() {
        both(
                "CREATE PROCEDURE bump(which INT, more BIGINT) LANGUAGE SQL AS 'UPDATE total SET n = n"
                        + " + more WHERE k = which % 3; INSERT INTO log (what) VALUES (''bump'')'",
                "CREATE PROCEDURE pair_up(which INT, more INT) LANGUAGE SQL AS 'UPDATE c SET n = n + more"
                        + " WHERE id = which; UPDATE p SET n = n + more WHERE id = which; INSERT INTO"
                        + " kept VALUES (which, more) ON CONFLICT (id) DO UPDATE SET n = kept.n + 1'",
                "CREATE FUNCTION give(which INT, more INT) RETURNS INT LANGUAGE SQL AS 'UPDATE m SET n"
                        + " = n + more WHERE id = which; INSERT INTO log (what) VALUES (''give'');"
                        + " UPDATE p SET n = n + 1 WHERE id = which RETURNING n'");
    }

    private void views() {
        if (!views) {
            return;
        }
        both(
                "CREATE VIEW u AS SELECT id, n, p FROM c WHERE n >= 0",
                "CREATE VIEW v AS SELECT id, MAX(n) AS n FROM c GROUP BY id",
                "CREATE VIEW w AS SELECT id, n FROM m WHERE n > 0 WITH CHECK OPTION");
        bodies.addInstead("v", gen.pick(List.of("c", "m", "kept")));
    }

    private void triggers() {
        List<TriggerBodies.Target> targets = new ArrayList<>();
        List<String> below = third ? List.of("d", "m") : List.of("m");
        targets.add(new TriggerBodies.Target("p", "t", List.of("c", "m"), false, false));
        targets.add(new TriggerBodies.Target("c", "p", below, false, follows));
        targets.add(new TriggerBodies.Target("m", "t", List.of("kept"), false, false));
        if (third) {
            targets.add(new TriggerBodies.Target("d", "c", List.of("m", "kept"), false, follows));
        }
        if (partitioned) {
            targets.add(new TriggerBodies.Target("h", "t", List.of("m", "kept"), true, false));
        }
        if (gen.chance(20)) {
            targets.add(new TriggerBodies.Target("kept", "id", List.of(), false, false));
        }
        int count = 1 + gen.below(8);
        for (int i = 0; i < count; i++) {
            bodies.add(gen.pick(targets));
        }
        schema.addAll(bodies.made());
    }

    private int id() {
        return 1 + gen.below(10);
    }

    private int n() {
        return gen.below(70);
    }

    private String changed() {
        List<String> all = new ArrayList<>(List.of("p", "c", "c", "m", "kept"));
        if (third) {
            all.add("d");
        }
        if (partitioned) {
            all.add("h");
        }
        if (views) {
            all.add("v");
            all.add("u");
            all.add("w");
        }
        return gen.pick(all);
    }

    private String where() {
        int id = id();
        return switch (gen.below(7)) {
            case 0 -> "id > 0";
            case 1 -> "id BETWEEN " + id + " AND " + (id + 3);
            case 2 -> "id > 0 AND n > " + n();
            case 3 -> "id IN (" + id + ", " + id() + ")";
            default -> "id = " + id;
        };
    }

    private String returning(String table) {
        return gen.chance(25) && !table.equals("v")
                ? " RETURNING " + gen.pick(List.of("id, n", "n", "id + 1, n"))
                : "";
    }

    /// A random statement.
    Pair next() {
        String table = changed();
        return switch (gen.below(24)) {
            case 0, 1, 2, 3 -> Pair.of(insert(table) + returning(table));
            case 4, 5, 6, 7 ->
                    Pair.of(
                            "UPDATE "
                                    + table
                                    + " SET "
                                    + set(table)
                                    + " WHERE "
                                    + where()
                                    + returning(table));
            case 8, 9, 10 ->
                    Pair.of("DELETE FROM " + table + " WHERE " + where() + returning(table));
            case 11 -> Pair.of("UPDATE m SET id = id + " + (1 + gen.below(2)) + " WHERE id > 0");
            case 12 -> Pair.of(insertQuery());
            case 13, 14 -> Pair.of(onConflict());
            case 15 -> Pair.of(merge());
            case 16 -> Pair.of(joined());
            case 17 -> Pair.of(with());
            case 18 -> Pair.of("CALL pair_up(" + id() + ", " + n() + ")");
            case 19 -> Pair.of("SELECT give(" + id() + ", " + n() + ")");
            case 20 ->
                    Pair.of(
                            "DO $$ BEGIN "
                                    + insert("p")
                                    + "; UPDATE c SET n = n + 1 WHERE "
                                    + where()
                                    + "; DELETE FROM m WHERE "
                                    + where()
                                    + "; END $$");
            case 21 -> Pair.of("UPDATE p SET id = " + (id() + 3) + " WHERE id = " + id());
            case 22 -> Pair.of("UPDATE c SET id = " + (id() + 3) + ", p = p WHERE id = " + id());
            default -> toggle();
        };
    }

    private Pair toggle() {
        if (gen.chance(40)) {
            return Pair.of("TRUNCATE " + (partitioned && gen.chance(50) ? "h" : "kept"));
        }
        String[] name = gen.pick(bodies.names()).split(" ON ", -1);
        return name[1].equals("v")
                ? Pair.of("SELECT COUNT(*) FROM v")
                : Pair.of(
                        "ALTER TABLE %s %s TRIGGER %s"
                                .formatted(
                                        name[1], gen.chance(40) ? "DISABLE" : "ENABLE", name[0]));
    }

    private String set(String table) {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "n = n + 1",
                                "n = " + n(),
                                "n = n * 2 + id",
                                "n = NULL",
                                "n = (SELECT MAX(x.n) FROM " + table + " AS x)"));
        if (table.equals("c") || table.equals("u")) {
            all.add("p = " + id());
            all.add("p = NULL, n = n + 3");
        } else if (table.equals("d")) {
            all.add("c = " + id());
        }
        return gen.pick(all);
    }

    private String insert(String table) {
        String extra = table.equals("c") || table.equals("u") ? "p" : table.equals("d") ? "c" : "";
        StringBuilder rows = new StringBuilder();
        int count = gen.chance(60) ? 1 : 1 + gen.below(3);
        for (int i = 0; i < count; i++) {
            String key = gen.chance(70) ? String.valueOf(1 + gen.below(5)) : "NULL";
            rows.append(i == 0 ? "" : ", ")
                    .append("(%d, %d%s)".formatted(id(), n(), extra.isEmpty() ? "" : ", " + key));
        }
        return "INSERT INTO %s (id, n%s) VALUES %s"
                .formatted(table, extra.isEmpty() ? "" : ", " + extra, rows);
    }

    private String insertQuery() {
        String into = gen.pick(List.of("c", "m", "kept", "p"));
        return gen.chance(50)
                ? "INSERT INTO %s (id, n) SELECT id + %d, n FROM %s WHERE id > 0 ORDER BY id"
                        .formatted(into, 10, gen.pick(List.of("c", "m", "p")))
                : "INSERT INTO %s (id, n) SELECT x, x * 2 FROM generate_series(%d, %d) AS g(x)%s"
                        .formatted(
                                into,
                                id(),
                                id() + 3,
                                into.equals("m") ? "" : " ON CONFLICT DO NOTHING");
    }

    private String onConflict() {
        String table = gen.pick(List.of("p", "c", "kept", partitioned ? "h" : "kept"));
        return insert(table)
                + " ON CONFLICT (id) DO "
                + gen.pick(
                        List.of(
                                "NOTHING",
                                "UPDATE SET n = EXCLUDED.n",
                                "UPDATE SET n = " + table + ".n + EXCLUDED.n",
                                "UPDATE SET n = EXCLUDED.n WHERE " + table + ".n < 30"))
                + returning(table);
    }

    private String merge() {
        String table = gen.pick(List.of("p", "c", "m", "kept", partitioned ? "h" : "c"));
        String matched =
                gen.pick(
                        List.of(
                                "WHEN MATCHED THEN UPDATE SET n = s.n",
                                "WHEN MATCHED AND t.n > 20 THEN DELETE WHEN MATCHED THEN UPDATE SET n"
                                        + " = t.n + s.n",
                                "WHEN MATCHED THEN DELETE",
                                "WHEN MATCHED AND s.n > 30 THEN DO NOTHING WHEN MATCHED THEN UPDATE"
                                        + " SET n = 1"));
        String other =
                gen.chance(70) ? " WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, s.n)" : "";
        int first = id();
        return "MERGE INTO %s AS t USING (VALUES (%d, %d), (%d, %d)) AS s (id, n) ON t.id = s.id %s%s"
                .formatted(table, first, n(), first + 1 + gen.below(3), n(), matched, other);
    }

    private String joined() {
        return gen.pick(
                List.of(
                        "UPDATE c SET n = c.n + p.n FROM p WHERE c.p = p.id AND p.id = " + id(),
                        "DELETE FROM c USING p WHERE c.p = p.id AND p.n > " + n() + " AND p.id > 0",
                        "UPDATE p SET n = c.n FROM c WHERE c.id = p.id AND c.id > 0",
                        "DELETE FROM m USING c WHERE c.id = m.id AND c.n = " + n()));
    }

    private String with() {
        return gen.pick(
                List.of(
                        "WITH x AS (DELETE FROM m WHERE "
                                + where()
                                + " RETURNING id, n) INSERT INTO kept SELECT id, n FROM x ON CONFLICT"
                                + " (id) DO NOTHING",
                        "WITH x AS (UPDATE p SET n = n + 1 WHERE "
                                + where()
                                + " RETURNING id, n) UPDATE m SET n = x.n FROM x WHERE x.id = m.id",
                        "WITH x AS (INSERT INTO p (id, n) VALUES ("
                                + id()
                                + ", "
                                + n()
                                + ") RETURNING id) INSERT INTO c (id, p, n) SELECT id + 5, id, 1 FROM x",
                        "WITH x AS (DELETE FROM c WHERE "
                                + where()
                                + " RETURNING id) SELECT COUNT(*), SUM(id) FROM x"));
    }
}
