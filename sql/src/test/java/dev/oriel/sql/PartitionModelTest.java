package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A partitioned table beside an ordinary one, under random changes of rows and partitions. Rows are refused if, and
/// only if, the bounds say so. The database checks all its indexes when it is closed.
class PartitionModelTest {
    private static final int KEYS = 40;

    /// A range for no partition.
    private static final int[] NONE = {0, 0, -1};

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

    /// A partition of the tree `r`, and of the same tree `q` without constraints.
    ///
    /// @param name after the letter of the tree
    /// @param above name of the partition that it is one of; empty for the table
    /// @param barred value of `c` that its own check refuses; -1 for none
    /// @param once whether its own index makes `c` unique
    private record Place(
            String name, String above, String bound, boolean leaf, int barred, boolean once) {
        boolean constrained() {
            return once || barred >= 0;
        }
    }

    /// The places of the present tree, each before those below it.
    private final List<Place> places = new ArrayList<>();

    /// Trees of partitions of all kinds, some with checks and unique indexes of their own: each row is in one leaf,
    /// which its number names. It is refused, also by each leaf, if there is none or a constraint above says so.
    @Test
    void aRowIsInOneLeafOrRefusedByAll() {
        int refused = 0;
        for (int round = 0; round < 25; round++) {
            places.clear();
            twice("CREATE TABLE % (a INT, b TEXT, c INT, id INT) PARTITION BY " + key(0));
            grow("", strategy, 0);
            for (int i = 0; i < 40; i++) {
                refused += insertTwice(i) ? 0 : 1;
                if (i % 8 == 7) {
                    takeOutAndBack();
                }
            }
            List<String> found = new ArrayList<>();
            List<Place> leaves = places.stream().filter(Place::leaf).toList();
            for (Place leaf : leaves) {
                List<String> own = rows("SELECT * FROM r" + leaf.name);
                String number = " WHERE tableoid = 'r" + leaf.name + "'::regclass";
                assertEquals(sorted(own), sorted(rows("SELECT * FROM r" + number)));
                assertEquals(sorted(own), sorted(rows("SELECT * FROM q" + leaf.name)));
                found.addAll(own);
            }
            assertEquals(sorted(rows("SELECT * FROM r")), sorted(found));
            if (!leaves.isEmpty()) {
                String moved = "r" + leaves.get(random.nextInt(leaves.size())).name;
                List<String> own = rows("SELECT * FROM " + moved);
                database.update("DROP TABLE " + moved);
                assertEquals(found.size() - own.size(), rows("SELECT * FROM r").size());
            }
            twice("DROP TABLE %");
        }
        assertTrue(refused > 20, "refused " + refused);
        assertTrue(barred > 20, "barred " + barred);
        assertTrue(kept > 2, "kept " + kept);
    }

    /// Rows that constraints of partitions refused.
    private int barred;

    /// Partitions that were not moved, as ones below have constraints.
    private int kept;

    private void twice(String statement) {
        database.update(statement.replace("%", "q"));
        database.update(statement.replace("%", "r"));
    }

    private boolean insertTwice(int id) {
        String values = " VALUES (" + value(0) + ", " + value(1) + ", " + value(2) + ", ";
        String row = values + id + ")";
        boolean routed =
                TestDatabase.run(database.session(), "INSERT INTO q" + row).equals("1 changed");
        boolean fits = routed && fits(id);
        String answer = TestDatabase.run(database.session(), "INSERT INTO r" + row);
        assertEquals(fits, answer.equals("1 changed"), answer);
        if (routed && !fits) {
            database.update("DELETE FROM q WHERE id = " + id);
            barred++;
        }
        for (Place place : fits ? List.<Place>of() : places) {
            if (place.leaf) {
                String direct = "INSERT INTO r" + place.name + row;
                String other = TestDatabase.run(database.session(), direct);
                assertTrue(other.startsWith("ConstraintException"), other);
            }
        }
        return fits;
    }

    /// Whether no constraint of a partition refuses the row `id` of `q`.
    private boolean fits(int id) {
        for (Place place : places) {
            for (String c : rows("SELECT c FROM q" + place.name + " WHERE id = " + id)) {
                boolean known =
                        place.once
                                && !rows("SELECT 1 FROM r" + place.name + " WHERE c = " + c)
                                        .isEmpty();
                if (known || c.equals("" + place.barred)) {
                    return false;
                }
            }
        }
        return true;
    }

    private void takeOutAndBack() {
        if (places.isEmpty()) {
            return;
        }
        Place moved = places.get(random.nextInt(places.size()));
        String alter = "ALTER TABLE %" + moved.above;
        String out = alter + " DETACH PARTITION %" + moved.name;
        boolean stays =
                places.stream()
                        .anyMatch(place -> place.constrained() && isBelow(place, moved.name));
        if (stays) {
            String answer = TestDatabase.run(database.session(), out.replace("%", "r"));
            assertTrue(answer.startsWith("NOT_SUPPORTED"), answer);
            kept++;
            return;
        }
        twice(out);
        twice(alter + " ATTACH PARTITION %" + moved.name + " " + moved.bound);
    }

    private boolean isBelow(Place place, String name) {
        String above = place.above;
        for (Place each : places.reversed()) {
            if (above.equals(name)) {
                return true;
            } else if (each.name.equals(above)) {
                above = each.above;
            }
        }
        return above.equals(name);
    }

    private int strategy;

    private String key(int depth) {
        strategy = random.nextInt(4);
        return switch (strategy) {
            case 0 -> "RANGE (a)";
            case 1 -> "LIST (b)";
            case 2 -> "HASH (" + (depth % 2 == 0 ? "c, b" : "a") + ")";
            default -> "RANGE (c, a)";
        };
    }

    private String value(int column) {
        return random.nextInt(12) == 0
                ? "NULL"
                : column == 1
                        ? "'" + (char) ('a' + random.nextInt(5)) + "'"
                        : "" + random.nextInt(12);
    }

    /// Adds partitions of `parent`, which is partitioned by `kind`.
    private void grow(String parent, int kind, int depth) {
        List<String> bounds =
                switch (kind) {
                    case 0 ->
                            List.of(
                                    "FROM (1) TO (4)",
                                    "FROM (4) TO (9)",
                                    "FROM (10) TO (MAXVALUE)");
                    case 1 -> List.of("IN ('a', 'c')", "IN (NULL, 'b')", "IN ('e')");
                    case 2 ->
                            List.of(
                                    "WITH (MODULUS 2, REMAINDER 1)",
                                    "WITH (MODULUS 4, REMAINDER 0)",
                                    "WITH (MODULUS 8, REMAINDER 2)",
                                    "WITH (MODULUS 8, REMAINDER 6)");
                    default ->
                            List.of(
                                    "FROM (MINVALUE, MINVALUE) TO (3, 4)",
                                    "FROM (3, 4) TO (3, MAXVALUE)",
                                    "FROM (5, 2) TO (9, MINVALUE)");
                };
        List<String> all = new ArrayList<>();
        bounds.forEach(bound -> all.add("FOR VALUES " + bound));
        Collections.shuffle(all, new Random(random.nextLong()));
        if (kind != 2) {
            all.add(random.nextBoolean() ? 0 : all.size(), "DEFAULT");
        }
        for (String bound : all) {
            if (random.nextInt(4) == 0) {
                continue;
            }
            String name = "_" + number++;
            String create = "CREATE TABLE %" + name + " PARTITION OF %" + parent + " " + bound;
            boolean leaf = depth == 2 || random.nextInt(5) > 1;
            int no = random.nextInt(3) == 0 ? random.nextInt(12) : -1;
            Place place = new Place(name, parent, bound, leaf, no, random.nextInt(4) == 0);
            places.add(place);
            twice(leaf ? create : create + " PARTITION BY " + key(depth + 1));
            int own = strategy;
            boolean early = random.nextBoolean();
            if (early) {
                constrain(place);
            }
            if (!leaf) {
                grow(name, own, depth + 1);
            }
            if (!early) {
                constrain(place);
            }
        }
    }

    private void constrain(Place place) {
        if (place.barred >= 0) {
            database.update(
                    "ALTER TABLE r" + place.name + " ADD CHECK (c <> " + place.barred + ")");
        }
        if (place.once) {
            database.update("CREATE UNIQUE INDEX ON r" + place.name + " (c)");
        }
    }

    private static List<String> sorted(List<String> rows) {
        return rows.stream().sorted().toList();
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

    private boolean isTaken(@Nullable Integer key) {
        int at = key == null ? -1 : key; // in no range
        return rest || ranges.stream().anyMatch(r -> at >= r[0] && at < r[1]);
    }

    private boolean insert() {
        @Nullable Integer key = random.nextInt(20) == 0 ? null : random.nextInt(KEYS + 5);
        int[] range = ranges.isEmpty() ? NONE : ranges.get(random.nextInt(ranges.size()));
        boolean direct = range[2] >= 0 && random.nextInt(4) == 0;
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
        int[] range = ranges.isEmpty() ? NONE : ranges.get(random.nextInt(ranges.size()));
        boolean direct = range[2] >= 0 && random.nextBoolean();
        String set = " SET k = k + " + by + " WHERE v = " + which;
        String where = direct ? set + " AND k >= " + range[0] + " AND k < " + range[1] : set;
        boolean fits = true;
        for (String key : rows("SELECT k FROM o" + where.substring(where.indexOf(" WHERE")))) {
            int after = key.equals("NULL") ? -1 : Integer.parseInt(key) + by;
            @Nullable Integer moved = key.equals("NULL") ? null : Integer.valueOf(after);
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
