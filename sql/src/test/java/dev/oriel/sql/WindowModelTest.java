package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.sql.engine.TestDatabase;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Random frames over small tables, against their definition: every row of the partition is tested for lying
/// between the two edges.
class WindowModelTest {
    private static final int TABLES = 60;
    private static final int QUERIES_A_TABLE = 25;

    private final TestDatabase database = opened();
    private final SplittableRandom random = Seed.of("windows", 20_260_722);
    private final List<Model> rows = new ArrayList<>();

    /// Database for the queries.
    TestDatabase opened() {
        return new TestDatabase();
    }

    @AfterEach
    void closeAndCheck() {
        database.close();
    }

    private record Model(long id, long part, @Nullable Long key, @Nullable Long value) {}

    private enum Unit {
        ROWS,
        RANGE,
        GROUPS
    }

    /// @param kind -2 UNBOUNDED PRECEDING, -1 PRECEDING, 0 CURRENT ROW, 1 and 2 the same after it
    private record Edge(int kind, int offset) {
        String sql() {
            return switch (kind) {
                case -2 -> "UNBOUNDED PRECEDING";
                case -1 -> offset + " PRECEDING";
                case 0 -> "CURRENT ROW";
                case 1 -> offset + " FOLLOWING";
                default -> "UNBOUNDED FOLLOWING";
            };
        }

        int signed() {
            return kind < 0 ? -offset : kind == 0 ? 0 : offset;
        }
    }

    private record Window(
            Unit unit, Edge start, Edge end, String exclude, boolean descending, boolean first) {
        String sql() {
            return "PARTITION BY part ORDER BY key"
                    + (descending ? " DESC" : "")
                    + (first ? " NULLS FIRST" : " NULLS LAST")
                    + (unit == Unit.ROWS ? ", id " : " ")
                    + unit
                    + " BETWEEN "
                    + start.sql()
                    + " AND "
                    + end.sql()
                    + exclude;
        }
    }

    @Test
    void framesHoldWhatTheirDefinitionSays() {
        database.update("CREATE TABLE w (id INT PRIMARY KEY, part INT, key INT, v INT)");
        int several = 0;
        for (int i = 0; i < TABLES; i++) {
            fill();
            for (int j = 0; j < QUERIES_A_TABLE; j++) {
                Window window = window();
                String query =
                        "SELECT id, SUM(v) OVER w, COUNT(*) OVER w, MIN(v) OVER w, COUNT(v) FILTER"
                                + " (WHERE v > 0) OVER w FROM w WINDOW w AS ("
                                + window.sql()
                                + ") ORDER BY id";
                List<String> expected = new ArrayList<>();
                for (Model row : rows) {
                    List<Model> seen = seen(row, window);
                    several += seen.size() > 1 ? 1 : 0;
                    expected.add(answer(row, seen));
                }
                assertEquals(expected, database.query(query), () -> query + "\n" + rows);
            }
        }
        assertTrue(several > 1_000, "frames with several rows: " + several);
    }

    /// A function that returns the value of another row, as written.
    private record Pick(String name, int number, boolean ignoresNulls) {
        String sql() {
            String arguments =
                    switch (name) {
                        case "NTH_VALUE" -> "(v, " + number + ")";
                        case "LAG", "LEAD" -> "(v, " + number + ", 99)";
                        default -> "(v)";
                    };
            return name + arguments + (ignoresNulls ? " IGNORE NULLS" : "") + " OVER w";
        }
    }

    @Test
    void valuesOfOtherRowsAreWhatTheirDefinitionSays() {
        database.update("CREATE TABLE w (id INT PRIMARY KEY, part INT, key INT, v INT)");
        int found = 0;
        for (int i = 0; i < TABLES; i++) {
            fill();
            for (int j = 0; j < QUERIES_A_TABLE; j++) {
                Window window = window();
                List<Pick> picks = new ArrayList<>();
                for (String name : List.of("FIRST_VALUE", "LAST_VALUE", "NTH_VALUE")) {
                    picks.add(new Pick(name, random.nextInt(1, 5), false));
                    picks.add(new Pick(name, random.nextInt(1, 5), true));
                }
                picks.add(new Pick("LAG", random.nextInt(-2, 4), true));
                picks.add(new Pick("LEAD", random.nextInt(-2, 4), true));
                List<String> columns = picks.stream().map(Pick::sql).toList();
                String query =
                        "SELECT id, "
                                + String.join(", ", columns)
                                + " FROM w WINDOW w AS ("
                                + window.sql()
                                + ") ORDER BY id";
                List<String> expected = new ArrayList<>();
                for (Model row : rows) {
                    StringBuilder line = new StringBuilder().append(row.id);
                    for (Pick pick : picks) {
                        Long value = picked(row, pick, window);
                        found += value == null ? 0 : 1;
                        line.append('|').append(value == null ? "NULL" : value);
                    }
                    expected.add(line.toString());
                }
                assertEquals(expected, database.query(query), () -> query + "\n" + rows);
            }
        }
        assertTrue(found > 10_000, "values that were found: " + found);
    }

    private @Nullable Long picked(Model row, Pick pick, Window window) {
        boolean shifts = pick.name.startsWith("L") && !pick.name.equals("LAST_VALUE");
        if (shifts && pick.number == 0) {
            return row.value;
        }
        List<Model> among = new ArrayList<>(shifts ? partition(row, window) : seen(row, window));
        int own = among.indexOf(row);
        List<Model> before = shifts ? new ArrayList<>(among.subList(0, own).reversed()) : among;
        List<Model> after = shifts ? among.subList(own + 1, among.size()) : among;
        boolean backwards = pick.name.equals("LAG") == pick.number > 0;
        List<Model> from =
                switch (pick.name) {
                    case "LAST_VALUE" -> among.reversed();
                    case "LAG", "LEAD" -> backwards ? before : after;
                    default -> among;
                };
        List<Model> left =
                from.stream().filter(other -> !pick.ignoresNulls || other.value != null).toList();
        int number = pick.name.endsWith("T_VALUE") ? 1 : Math.abs(pick.number);
        if (number > left.size()) {
            return shifts ? 99L : null;
        }
        return left.get(number - 1).value;
    }

    private void fill() {
        database.update("TRUNCATE w");
        rows.clear();
        int count = random.nextInt(12);
        for (int i = 0; i < count; i++) {
            Model row = new Model(i, random.nextInt(2), small(), small());
            rows.add(row);
            database.update(
                    "INSERT INTO w VALUES (%d, %d, %s, %s)"
                            .formatted(row.id, row.part, row.key, row.value));
        }
    }

    private @Nullable Long small() {
        return random.nextInt(5) == 0 ? null : Long.valueOf(random.nextInt(-2, 5));
    }

    private Window window() {
        Edge start = new Edge(random.nextInt(-2, 2), random.nextInt(4));
        Edge end = new Edge(random.nextInt(Math.max(start.kind, -1), 3), random.nextInt(4));
        String[] excludes = {
            "", " EXCLUDE CURRENT ROW", " EXCLUDE GROUP", " EXCLUDE TIES", " EXCLUDE NO OTHERS"
        };
        return new Window(
                Unit.values()[random.nextInt(3)],
                start,
                end,
                excludes[random.nextInt(excludes.length)],
                random.nextBoolean(),
                random.nextBoolean());
    }

    private static Comparator<Model> order(Window window) {
        Comparator<Long> keys =
                window.descending ? Comparator.reverseOrder() : Comparator.naturalOrder();
        Comparator<Model> order =
                Comparator.comparing(
                        Model::key,
                        window.first ? Comparator.nullsFirst(keys) : Comparator.nullsLast(keys));
        return window.unit == Unit.ROWS ? order.thenComparingLong(Model::id) : order;
    }

    /// In the order of the window; peers in the order of the table.
    private List<Model> partition(Model row, Window window) {
        List<Model> partition =
                new ArrayList<>(rows.stream().filter(other -> other.part == row.part).toList());
        partition.sort(order(window));
        return partition;
    }

    private List<Model> seen(Model row, Window window) {
        Comparator<Model> order = order(window);
        List<Model> partition = partition(row, window);
        List<Model> seen = new ArrayList<>();
        for (Model other : partition) {
            boolean within =
                    reaches(row, other, window, partition, window.start, true)
                            && reaches(row, other, window, partition, window.end, false);
            boolean peer = order.compare(row, other) == 0;
            boolean excluded =
                    switch (window.exclude) {
                        case " EXCLUDE CURRENT ROW" -> other.equals(row);
                        case " EXCLUDE GROUP" -> peer;
                        case " EXCLUDE TIES" -> peer && !other.equals(row);
                        default -> false;
                    };
            if (within && !excluded) {
                seen.add(other);
            }
        }
        return seen;
    }

    /// Whether `other` is not before the start, or not after the end.
    private static boolean reaches(
            Model row,
            Model other,
            Window window,
            List<Model> partition,
            Edge edge,
            boolean start) {
        if (Math.abs(edge.kind) == 2) {
            return true;
        }
        Comparator<Model> order = order(window);
        long distance;
        if (window.unit == Unit.ROWS) {
            distance = (long) partition.indexOf(other) - partition.indexOf(row);
        } else if (window.unit == Unit.GROUPS) {
            distance = group(other, partition, order) - group(row, partition, order);
        } else if (edge.kind == 0 || row.key == null) {
            int sign = Integer.signum(order.compare(other, row));
            return start ? sign >= 0 : sign <= 0;
        } else if (other.key == null) {
            return start != window.first;
        } else {
            distance = window.descending ? row.key - other.key : other.key - row.key;
        }
        return start ? distance >= edge.signed() : distance <= edge.signed();
    }

    private static long group(Model row, List<Model> partition, Comparator<Model> order) {
        long groups = 0;
        for (int i = 1; i < partition.size(); i++) {
            if (order.compare(partition.get(i), row) <= 0
                    && order.compare(partition.get(i - 1), partition.get(i)) != 0) {
                groups++;
            }
        }
        return groups;
    }

    private static String answer(Model row, List<Model> seen) {
        List<Long> values = seen.stream().map(Model::value).filter(Objects::nonNull).toList();
        Object sum = values.isEmpty() ? "NULL" : values.stream().mapToLong(v -> v).sum();
        Object min = values.isEmpty() ? "NULL" : values.stream().mapToLong(v -> v).min().orElse(0);
        long positive = values.stream().filter(v -> v > 0).count();
        return row.id + "|" + sum + "|" + seen.size() + "|" + min + "|" + positive;
    }
}
