package dev.oriel.graph.attack;

import dev.oriel.Database;
import dev.oriel.graph.OrielGraph;
import dev.oriel.kv.Codec;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/// Rules that every snapshot satisfies, whatever runs concurrently.
final class Invariants {
    private static final long SUM = World.ACCOUNTS * World.OPENING_BALANCE;

    /// Queries that return rows only after damage.
    private static final List<String> EMPTY =
            List.of(
                    "SELECT c.id FROM child c LEFT JOIN parent p ON p.id = c.parent WHERE p.id IS NULL",
                    "SELECT code FROM parent WHERE code IS NOT NULL GROUP BY code HAVING COUNT(*) > 1",
                    "SELECT id FROM parent GROUP BY id HAVING COUNT(*) > 1",
                    "SELECT SUM(balance) FROM account HAVING SUM(balance) <> " + SUM);

    private Invariants() {}

    /// Checks all rules.
    static void check(Database database, Findings findings) throws SQLException {
        List<String> wrong = database.check();
        if (!wrong.isEmpty()) {
            findings.add("check: " + wrong);
        }
        try (Connection connection = database.connect()) {
            checkRows(connection, findings);
        }
        checkEntries(database, findings);
        try (OrielGraph graph = OrielGraph.open(database, "g")) {
            checkEdges(graph, findings);
        }
    }

    static void checkRows(Connection connection, Findings findings) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String sql : EMPTY) {
                try (ResultSet result = statement.executeQuery(sql)) {
                    if (result.next()) {
                        findings.add("rows break a rule: " + sql + ": " + result.getObject(1));
                    }
                }
            }
        }
    }

    static void checkEntries(Database database, Findings findings) {
        List<String> accounts = new ArrayList<>();
        for (int i = 0; i < World.ACCOUNTS; i++) {
            accounts.add("a" + i);
        }
        long sum = 0;
        for (String value : database.bucket("money", Codec.text()).getAll(accounts).values()) {
            sum += Long.parseLong(value);
        }
        if (sum != SUM) {
            findings.add("entries add up to " + sum + ", not " + SUM);
        }
    }

    /// Checks the edges, in a transaction that has not written yet.
    static void checkEdges(OrielGraph graph, Findings findings) {
        long sum = 0;
        long there = 0;
        Iterator<Edge> edges = graph.traversal().E().hasLabel("moved");
        while (edges.hasNext()) {
            sum += edges.next().<Long>value("amount");
            there++;
        }
        if (sum != 0 || (there & 1) != 0) {
            findings.add("%d edges add up to %d, not 0".formatted(there, sum));
        }
        graph.tx().rollback();
    }

    /// Checks that each thread's keys and all counters match the acknowledged changes.
    static void checkModel(World world, Database database) throws SQLException {
        Map<Integer, Map<Integer, String>> rows = new HashMap<>();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("SELECT thread, k, v FROM own")) {
            while (result.next()) {
                rows.computeIfAbsent(result.getInt(1), _ -> new HashMap<>())
                        .put(result.getInt(2), result.getString(3));
            }
        }
        Map<Integer, Map<Integer, String>> entries = new HashMap<>();
        database.bucket("own", Codec.text())
                .scan(
                        "",
                        entry -> {
                            String[] parts = entry.key().split("-", 2);
                            entries.computeIfAbsent(
                                            Integer.parseInt(parts[0]), _ -> new HashMap<>())
                                    .put(Integer.parseInt(parts[1]), entry.value());
                        });
        Map<Integer, Map<Integer, String>> vertices = new HashMap<>();
        try (OrielGraph graph = OrielGraph.open(database, "g")) {
            Iterator<Vertex> own = graph.traversal().V().hasLabel("own");
            while (own.hasNext()) {
                Vertex vertex = own.next();
                long id = (Long) vertex.id();
                vertices.computeIfAbsent((int) (id / GraphCalls.FIRST_ID) - 1, _ -> new HashMap<>())
                        .put((int) (id % GraphCalls.FIRST_ID), vertex.value("v"));
            }
        }
        compare("row", world.rows, rows, world.findings);
        compare("entry", world.entries, entries, world.findings);
        compare("vertex", world.vertices, vertices, world.findings);
        for (int i = 0; i < World.COUNTERS; i++) {
            String text = database.bucket("counters", Codec.text()).get("c" + i);
            long found = text == null ? 0 : Long.parseLong(text);
            long least = world.counted[i].get();
            long most = world.maybeCounted[i].get();
            if (found < least || found > most) {
                world.findings.add(
                        "counter %d is %d, not %d to %d".formatted(i, found, least, most));
            }
        }
    }

    private static void compare(
            String what,
            List<PrivateKeys> threads,
            Map<Integer, Map<Integer, String>> found,
            Findings findings) {
        for (int i = 0; i < threads.size(); i++) {
            String difference = threads.get(i).difference(found.getOrDefault(i, Map.of()));
            if (difference != null) {
                findings.add("%s of thread %d: %s".formatted(what, i, difference));
            }
        }
    }
}
