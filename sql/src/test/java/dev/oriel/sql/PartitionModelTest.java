package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A partitioned table beside an ordinary one, under random changes of rows and partitions. Rows are refused if, and
/// only if, the bounds say so. The database checks all its indexes when it is closed.
class PartitionModelTest {
    private static final int KEYS = 40;

    private final TestDatabase database = new TestDatabase();
    private final SplittableRandom random = Seed.of("partitions", 11);

    /// Partitions as `from, to`; the DEFAULT one is not among them.
    private final List<int[]> ranges = new ArrayList<>();

    private boolean rest;
    private int number;

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    @Test
    void rowsAndRefusalsAreThoseOfAnOrdinaryTable() {
        database.update("CREATE TABLE p (k INT, v INT, s TEXT) PARTITION BY RANGE (k)");
        database.update("CREATE UNIQUE INDEX p_kv ON p (k, v)");
        database.update("CREATE TABLE o (k INT, v INT, s TEXT)");
        database.update("CREATE UNIQUE INDEX o_kv ON o (k, v)");
        int refused = 0;
        for (int round = 0; round < 600; round++) {
            switch (random.nextInt(12)) {
                case 0 -> add();
                case 1 -> remove();
                case 2 -> detachAndAttach();
                case 3 -> rest();
                case 4, 5 -> refused += move() ? 0 : 1;
                case 6 -> both("DELETE FROM % WHERE k % 7 = " + random.nextInt(7));
                default -> refused += insert() ? 0 : 1;
            }
            if (round % 10 == 0) {
                compare();
            }
        }
        compare();
        assertTrue(refused > 20, "refused " + refused);
    }

    private void add() {
        int from = random.nextInt(KEYS);
        int to = from + 1 + random.nextInt(8);
        boolean overlaps = ranges.stream().anyMatch(r -> from < r[1] && r[0] < to);
        boolean taken =
                rest && !rows("SELECT 1 FROM o WHERE k >= " + from + " AND k < " + to).isEmpty();
        String answer =
                TestDatabase.run(
                        database.session(),
                        "CREATE TABLE p_%d PARTITION OF p FOR VALUES FROM (%d) TO (%d)"
                                .formatted(number, from, to));
        if (overlaps || taken) {
            assertTrue(
                    answer.startsWith(overlaps ? "OBJECT_DEFINITION" : "ConstraintException"),
                    answer);
        } else {
            assertEquals("0 changed", answer);
            ranges.add(new int[] {from, to, number++});
        }
    }

    private void remove() {
        if (ranges.isEmpty() || random.nextInt(3) > 0) {
            return;
        }
        int[] gone = ranges.remove(random.nextInt(ranges.size()));
        database.update("DROP TABLE p_" + gone[2]);
        database.update("DELETE FROM o WHERE k >= " + gone[0] + " AND k < " + gone[1]);
    }

    private void detachAndAttach() {
        if (ranges.isEmpty()) {
            return;
        }
        int[] moved = ranges.get(random.nextInt(ranges.size()));
        String name = "p_" + moved[2];
        List<String> before = rows("SELECT k, v, s FROM " + name + " ORDER BY k, v");
        database.update("ALTER TABLE p DETACH PARTITION " + name);
        assertEquals(before, rows("SELECT k, v, s FROM " + name + " ORDER BY k, v"));
        assertEquals(
                List.of(), rows("SELECT k FROM p WHERE k >= " + moved[0] + " AND k < " + moved[1]));
        database.update(
                "ALTER TABLE p ATTACH PARTITION %s FOR VALUES FROM (%d) TO (%d)"
                        .formatted(name, moved[0], moved[1]));
        assertEquals(before, rows("SELECT k, v, s FROM " + name + " ORDER BY k, v"));
    }

    private void rest() {
        if (rest && random.nextInt(3) == 0) {
            database.update("DROP TABLE p_rest");
            database.update("DELETE FROM o WHERE NOT COALESCE(" + taken() + ", FALSE)");
            rest = false;
        } else if (!rest) {
            database.update("CREATE TABLE p_rest PARTITION OF p DEFAULT");
            rest = true;
        }
    }

    /// The condition that a range takes the key.
    private String taken() {
        StringBuilder taken = new StringBuilder("FALSE");
        for (int[] range : ranges) {
            taken.append(" OR (k >= ").append(range[0]);
            taken.append(" AND k < ").append(range[1]).append(')');
        }
        return "(" + taken + ")";
    }

    private boolean isTaken(Integer key) {
        return rest || (key != null && ranges.stream().anyMatch(r -> key >= r[0] && key < r[1]));
    }

    private boolean insert() {
        Integer key = random.nextInt(20) == 0 ? null : random.nextInt(KEYS + 5);
        int[] range = ranges.isEmpty() ? null : ranges.get(random.nextInt(ranges.size()));
        boolean direct = range != null && random.nextInt(4) == 0;
        boolean within = direct ? key != null && key >= range[0] && key < range[1] : isTaken(key);
        String values = " VALUES (" + key + ", " + random.nextInt(6) + ", 's')";
        String answer =
                TestDatabase.run(
                        database.session(),
                        "INSERT INTO " + (direct ? "p_" + range[2] : "p") + values);
        if (!within) {
            assertTrue(direct || answer.contains("artition"), answer);
            assertTrue(answer.startsWith("ConstraintException"), answer);
            return false;
        }
        String expected = TestDatabase.run(database.session(), "INSERT INTO o" + values);
        assertEquals(
                expected.startsWith("1 changed"),
                answer.startsWith("1 changed"),
                answer + expected);
        return true;
    }

    /// Gives rows other keys, through the table or a partition.
    private boolean move() {
        int by = random.nextInt(9) - 4;
        int which = random.nextInt(5);
        int[] range = ranges.isEmpty() ? null : ranges.get(random.nextInt(ranges.size()));
        boolean direct = range != null && random.nextBoolean();
        String set = " SET k = k + " + by + " WHERE v = " + which;
        String where = direct ? set + " AND k >= " + range[0] + " AND k < " + range[1] : set;
        boolean fits = true;
        for (String key : rows("SELECT k FROM o" + where.substring(where.indexOf(" WHERE")))) {
            int after = key.equals("NULL") ? -1 : Integer.parseInt(key) + by;
            Integer moved = key.equals("NULL") ? null : Integer.valueOf(after);
            fits &= direct ? after >= range[0] && after < range[1] : isTaken(moved);
        }
        String answer =
                TestDatabase.run(
                        database.session(), "UPDATE " + (direct ? "p_" + range[2] : "p") + set);
        if (!fits) {
            assertTrue(answer.startsWith("ConstraintException"), answer);
            return false;
        }
        assertEquals(
                TestDatabase.run(database.session(), "UPDATE o" + where),
                answer.replace("table=p", "table=o").replace("p_kv", "o_kv"));
        return true;
    }

    private void both(String statement) {
        String answer = TestDatabase.run(database.session(), statement.replaceFirst("%", "p"));
        assertEquals(
                TestDatabase.run(database.session(), statement.replaceFirst("%", "o")), answer);
    }

    private void compare() {
        String order = " ORDER BY k, v, s";
        List<String> all = rows("SELECT * FROM o" + order);
        assertEquals(all, rows("SELECT * FROM p" + order));
        int found = 0;
        for (int[] range : ranges) {
            String where = " WHERE k >= " + range[0] + " AND k < " + range[1];
            List<String> part = rows("SELECT * FROM p_" + range[2] + order);
            assertEquals(rows("SELECT * FROM o" + where + order), part);
            found += part.size();
        }
        assertEquals(all.size() - found, rest ? rows("SELECT * FROM p_rest").size() : 0);
    }

    private List<String> rows(String query) {
        String answer = TestDatabase.run(database.session(), query);
        return answer.isEmpty() ? List.of() : answer.lines().toList();
    }
}
