package dev.oriel.crash;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.store.Durability;
import dev.oriel.testkit.Gen;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// A process whose database fills a small file system, alone, and then takes everything away again, by SQL. It
/// ends with code 0 if that was always possible. [FilledDiskTest] starts it within a mount of its own.
final class FilledDisk {
    private static final String DISK_FULL = "53100";
    private static final int REFUSALS = 3;

    /// Of taking everything away.
    private static final long WAYS = 8;

    /// So much less may go in the second time, because the log is longer by then.
    private static final long LOG_BYTES = 256 << 10;

    private final Gen gen;
    private final Path path;
    private final DatabaseOptions options;
    private final int style;
    private final int indexes;
    private final int rowsAtOnce;
    private final StringBuilder story = new StringBuilder();
    private Database database;
    private Connection connection;
    private int nextId;
    private int refusedLarge;

    private FilledDisk(Path path, SplittableRandom random) throws SQLException {
        this.gen = new Gen(random);
        this.path = path;
        this.style = gen.below(4);
        this.indexes = gen.below(4);
        this.rowsAtOnce = gen.chance(50) ? 2 + gen.below(600) : 1;
        this.options =
                DatabaseOptions.defaults()
                        .withDurability(gen.pick(List.of(Durability.values())))
                        .withCheckpointBytes(gen.pick(List.of(256L << 10, 4L << 20, 32L << 20)));
        say(
                "style %d, %d indexes, %d rows at once, %s"
                        .formatted(style, indexes, rowsAtOnce, options));
        this.database = Database.open(path, options);
        this.connection = database.connect();
    }

    /// Fills a small file system and empties it again.
    ///
    /// @param arguments a folder on the small file system, a seed
    public static void main(String[] arguments) throws Exception {
        Path path = Path.of(arguments[0]).resolve("database");
        long seed = Long.parseLong(arguments[1]);
        FilledDisk disk = new FilledDisk(path, new SplittableRandom(seed));
        long began = System.nanoTime();
        try {
            disk.run((int) Math.floorMod(seed, WAYS));
        } catch (SQLException | RuntimeException | Error e) {
            throw new AssertionError("seed " + seed + ": " + disk.story + disk.files(), e);
        }
        long millis = (System.nanoTime() - began) / 1_000_000;
        System.out.printf("seed %d: %s%d ms%n", seed, disk.story, millis);
    }

    private void say(String what) {
        story.append(what).append("; ");
    }

    private String files() throws IOException {
        try (Stream<Path> files = Files.list(path)) {
            return files.map(file -> file.getFileName() + "=" + file.toFile().length())
                    .collect(
                            Collectors.joining(
                                    " ", "free=" + path.toFile().getUsableSpace() + " ", ""));
        }
    }

    private void run(int way) throws SQLException {
        create();
        long first = fill();
        say("%d bytes in %d rows".formatted(first, rows()));
        reopen();
        takeAllAway(way);
        if (rows() != 0) {
            throw new AssertionError(rows() + " rows are left");
        }
        database.compact();
        demandWhole();
        reopen();
        long second = fill();
        say("%d bytes again, %d deletes refused as too large".formatted(second, refusedLarge));
        if (second < first * 0.85 - LOG_BYTES) {
            throw new AssertionError(second + " bytes after " + first);
        }
        execute("UPDATE t SET size = size + 1 WHERE id = (SELECT max(id) FROM t)");
        execute("DROP TABLE t");
        demandWhole();
        close();
    }

    private void create() throws SQLException {
        execute(
                "CREATE TABLE t (id INTEGER PRIMARY KEY, name VARCHAR, size INTEGER, body VARCHAR)");
        for (String columns : List.of("name", "size, name", "size DESC").subList(0, indexes)) {
            execute("CREATE INDEX i%d ON t (%s)".formatted(columns.length(), columns));
        }
    }

    /// Inserts until even the shortest row is refused, and returns the bytes of the values.
    private long fill() throws SQLException {
        long bytes = 0;
        int refused = 0;
        int rows = rowsAtOnce;
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?)")) {
            while (refused < REFUSALS) {
                long added = 0;
                for (int i = 0; i < rows; i++) {
                    added += addTo(insert, refused > 0);
                }
                try {
                    insert.executeBatch();
                    bytes += added;
                } catch (SQLException e) {
                    demandFull(e);
                    refused += rows == 1 ? 1 : 0;
                    rows = Math.max(1, rows / 2);
                }
            }
        }
        copyAll();
        return bytes;
    }

    /// Adds a row to the batch of `insert` and returns the bytes of its values.
    private long addTo(PreparedStatement insert, boolean small) throws SQLException {
        int at = nextId++;
        String body = small ? "" : "b".repeat(bodyBytes());
        String name = Integer.toString(gen.below(1_000_000_000), 36);
        insert.setInt(1, at % 2 == 0 ? at : -at);
        insert.setString(2, name);
        insert.setInt(3, gen.below(1_000_000));
        insert.setString(4, body);
        insert.addBatch();
        return 8L + body.length() + name.length();
    }

    /// Statements without room for them; their refusal takes nothing from later ones.
    private void copyAll() throws SQLException {
        for (String copying :
                List.of(
                        "CREATE TABLE copy AS SELECT * FROM t",
                        "INSERT INTO t SELECT id + 1000000000, name, size, body FROM t WHERE id > 0",
                        "CREATE INDEX whole ON t (body, name)")) {
            try {
                execute(copying);
                throw new AssertionError("there was room: " + copying);
            } catch (SQLException e) {
                demandFull(e);
            }
        }
    }

    private int bodyBytes() {
        return switch (style) {
            case 0 -> 20 + gen.below(80);
            case 1 -> gen.below(2_000);
            case 2 -> gen.below(gen.chance(3) ? 60_000 : 200);
            default -> 4_000 + gen.below(9_000);
        };
    }

    private void takeAllAway(int way) throws SQLException {
        say("way %d".formatted(way));
        switch (way) {
            case 0 -> execute("TRUNCATE TABLE t");
            case 1 -> {
                execute("DROP TABLE t");
                create();
            }
            case 2 -> scattered(1);
            case 3 -> scattered(185);
            case 4 -> {
                database.compact();
                scattered(20);
            }
            case 5 -> ranges();
            case 6 -> deleteWhere("id < 2000000000");
            default -> {
                execute("UPDATE t SET size = size + 1 WHERE id = (SELECT min(id) FROM t)");
                execute("TRUNCATE TABLE t");
                execute("DROP TABLE t");
                create();
            }
        }
    }

    /// Rows drawn at random, so many by one statement.
    private void scattered(int count) throws SQLException {
        List<Integer> ids = ids();
        gen.shuffle(ids);
        int reopening = gen.below(ids.size());
        for (int from = 0; from < ids.size(); from += count) {
            if (from <= reopening && reopening < from + count) {
                reopen();
            }
            delete(ids.subList(from, Math.min(ids.size(), from + count)));
        }
    }

    /// By one statement, or, if that is refused as too large, by two of half the size. A single row never is.
    private void delete(List<Integer> ids) throws SQLException {
        try {
            String list = ids.stream().map(String::valueOf).collect(Collectors.joining(","));
            execute("DELETE FROM t WHERE id IN (%s)".formatted(list));
        } catch (SQLException e) {
            demandFull(e);
            refusedLarge++;
            if (ids.size() == 1) {
                throw e;
            }
            delete(ids.subList(0, ids.size() / 2));
            delete(ids.subList(ids.size() / 2, ids.size()));
        }
    }

    private void ranges() throws SQLException {
        for (int from = nextId; from > -nextId; from -= nextId / 5) {
            deleteWhere("id >= " + from);
        }
        deleteWhere("id < 0");
    }

    /// A range of keys in one statement; if it is refused as too large, half of it first.
    private void deleteWhere(String condition) throws SQLException {
        long count = number("SELECT count(*) FROM t WHERE " + condition);
        if (count == 0) {
            return;
        }
        try {
            execute("DELETE FROM t WHERE " + condition);
        } catch (SQLException e) {
            demandFull(e);
            refusedLarge++;
            if (count == 1) {
                throw e;
            }
            long middle =
                    number(
                            "SELECT id FROM t WHERE %s ORDER BY id OFFSET %d ROWS FETCH FIRST ROW ONLY"
                                    .formatted(condition, count / 2));
            deleteWhere(condition + " AND id >= " + middle);
            deleteWhere(condition);
        }
    }

    private List<Integer> ids() throws SQLException {
        List<Integer> ids = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id FROM t")) {
            while (rows.next()) {
                ids.add(rows.getInt(1));
            }
        }
        return ids;
    }

    private long rows() throws SQLException {
        return number("SELECT count(*) FROM t");
    }

    private long number(String query) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            rows.next();
            return rows.getLong(1);
        }
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static void demandFull(SQLException e) throws SQLException {
        if (!DISK_FULL.equals(e.getSQLState())) {
            throw e;
        }
    }

    private void demandWhole() {
        List<String> wrong = database.check();
        if (!wrong.isEmpty()) {
            throw new AssertionError("" + wrong);
        }
    }

    private void reopen() throws SQLException {
        close();
        database = Database.open(path, options);
        connection = database.connect();
        demandWhole();
    }

    private void close() throws SQLException {
        connection.close();
        database.close();
    }
}
