package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Updates that move keys among rows, against a map. Keys are compared after all rows of the statement have got
/// theirs. The database checks all its indexes when it is closed.
class KeyExchangeTest {
    private final TestDatabase database = new TestDatabase();
    private final SplittableRandom random = Seed.of("key exchange", 27);

    /// Values of `v`, by `id`.
    private Map<Integer, Integer> model = new TreeMap<>();

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    private void create() {
        database.update("CREATE TABLE t (id INT PRIMARY KEY, v INT, s TEXT NOT NULL)");
        database.update("CREATE UNIQUE INDEX t_v ON t (v)");
        database.update("CREATE UNIQUE ARRAY INDEX t_va ON t (v, s)");
        database.update("CREATE UNIQUE INDEX t_term ON t ((v * 2)) WHERE v > 3");
        database.update("CREATE INDEX t_s ON t (s, v)");
        database.update("CREATE SEARCH INDEX t_words ON t (s)");
        for (int id = 0; id < 12; id++) {
            database.update("INSERT INTO t VALUES (" + id + ", " + id + ", 'a b" + id % 3 + "')");
            model.put(id, id);
        }
    }

    @Test
    void keysAreComparedAtTheEndOfTheStatement() {
        create();
        int refused = 0;
        for (int round = 0; round < 400; round++) {
            boolean ids = random.nextBoolean();
            Map<Integer, Integer> moves = moves(ids);
            String update = update(ids, moves);
            Map<Integer, Integer> expected = after(ids, moves);
            String answer = TestDatabase.run(database.session(), update);
            if (expected == null) {
                assertTrue(answer.startsWith("ConstraintException"), update + ": " + answer);
                refused++;
            } else {
                assertEquals(moves.size() + " changed", answer, update);
                model = expected;
            }
            String rows =
                    model.entrySet().stream()
                            .map(row -> row.getKey() + "|" + row.getValue())
                            .collect(Collectors.joining("\n"));
            String found = String.join("\n", database.query("SELECT id, v FROM t ORDER BY id"));
            assertEquals(rows, found, update);
        }
        assertTrue(refused > 20 && refused < 380, refused + " of 400 were refused");
    }

    /// New values of the column for some rows, by id.
    private Map<Integer, Integer> moves(boolean ids) {
        List<Integer> rows = new ArrayList<>(model.keySet());
        List<Integer> values = new ArrayList<>(ids ? model.keySet() : model.values());
        int count = 1 + random.nextInt(rows.size());
        int turn = random.nextInt(rows.size());
        Map<Integer, Integer> moves = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            int to = values.get((i * 5 + turn) % rows.size()); // 5 and 12 have no common factor
            moves.put(rows.get(i * 7 % rows.size()), random.nextInt(25) == 0 ? to + 12 : to);
        }
        return moves;
    }

    private String update(boolean ids, Map<Integer, Integer> moves) {
        if (random.nextBoolean()) {
            String values =
                    moves.entrySet().stream()
                            .map(move -> "(" + move.getKey() + ", " + move.getValue() + ")")
                            .collect(Collectors.joining(", "));
            String set = " SET " + (ids ? "id" : "v") + " = m.to_be";
            return random.nextBoolean()
                    ? "UPDATE t"
                            + set
                            + " FROM (VALUES "
                            + values
                            + ") m(id, to_be) WHERE t.id = m.id"
                    : "MERGE INTO t USING (VALUES "
                            + values
                            + ") m(id, to_be) ON t.id = m.id WHEN MATCHED THEN UPDATE"
                            + set;
        }
        String cases =
                moves.entrySet().stream()
                        .map(move -> "WHEN " + move.getKey() + " THEN " + move.getValue())
                        .collect(Collectors.joining(" "));
        String rows =
                moves.keySet().stream().map(String::valueOf).collect(Collectors.joining(", "));
        return "UPDATE t SET "
                + (ids ? "id" : "v")
                + " = CASE id "
                + cases
                + " END WHERE id IN ("
                + rows
                + ")";
    }

    /// The rows after `moves`; null if two have the same key then.
    private @Nullable Map<Integer, Integer> after(boolean ids, Map<Integer, Integer> moves) {
        Map<Integer, Integer> after = new TreeMap<>();
        for (Map.Entry<Integer, Integer> row : model.entrySet()) {
            Integer to = moves.get(row.getKey());
            int id = ids && to != null ? to : row.getKey();
            int v = !ids && to != null ? to : row.getValue();
            if (after.put(id, v) != null) {
                return null;
            }
        }
        return new HashSet<>(after.values()).size() == after.size() ? after : null;
    }

    /// The keys exceed the memory budget by far.
    @Test
    void manyRowsMoveByOne() {
        database.update("CREATE TABLE m (id INT PRIMARY KEY, s TEXT)");
        database.update(
                "INSERT INTO m SELECT g, 'some words of the row ' || g FROM GENERATE_SERIES(1, 20000) g");
        assertEquals(20_000, database.update("UPDATE m SET id = id + 1"));
        assertEquals(
                List.of("2|20001|20000|0"),
                database.query(
                        "SELECT MIN(id), MAX(id), COUNT(*), COUNT(*) FILTER (WHERE s <>"
                                + " 'some words of the row ' || id - 1) FROM m"));
    }
}
