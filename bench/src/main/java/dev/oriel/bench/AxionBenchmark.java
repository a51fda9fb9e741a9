package dev.oriel.bench;

import dev.oriel.Database;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Random;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// The workload of the article on Axion: 5,000 rows of two short strings in a database on disk, an
/// index on the first, `first > ?` by a prepared statement, and the first 10 rows read, both
/// columns. An operation is a query.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(2)
public class AxionBenchmark {
    private static final int ROWS = 5_000;
    private static final int READ = 10;

    /// Which kind of index.
    @Param({"BTREE", "ARRAY"})
    public String index;

    private final Folder folder = new Folder();
    private Database database;
    private Connection connection;
    private PreparedStatement openEnded;
    private PreparedStatement limited;
    private PreparedStatement indexedOnly;
    private String[] words;
    private int next;

    /// Loads the table.
    @Setup
    public void open() throws SQLException, IOException {
        Path path = folder.make();
        database = Database.open(path);
        connection = database.connect();
        try (Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE mytable (first VARCHAR2(40), second VARCHAR2(40))");
            statement.execute("CREATE " + index + " INDEX myindex ON mytable (first)");
        }
        words = words(new Random(2003));
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO mytable VALUES (?, ?)")) {
            for (int i = 0; i < ROWS; i++) {
                insert.setString(1, words[i]);
                insert.setString(2, "value of " + words[i]);
                insert.addBatch();
            }
            insert.executeBatch();
        }
        connection.commit();
        connection.setAutoCommit(true);
        String query = "SELECT first, second FROM mytable WHERE first > ?";
        openEnded = connection.prepareStatement(query);
        limited = connection.prepareStatement(query + " ORDER BY first LIMIT 10");
        indexedOnly = connection.prepareStatement("SELECT first FROM mytable WHERE first > ?");
    }

    private static String[] words(Random random) {
        TreeSet<String> words = new TreeSet<>();
        while (words.size() < ROWS) {
            StringBuilder word = new StringBuilder();
            for (int i = 6 + random.nextInt(7); i > 0; i--) {
                word.append((char) ('a' + random.nextInt(26)));
            }
            words.add(word.toString());
        }
        String[] shuffled = words.toArray(new String[0]);
        for (int i = ROWS - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            String word = shuffled[i];
            shuffled[i] = shuffled[j];
            shuffled[j] = word;
        }
        return shuffled;
    }

    /// Closes the database and deletes it.
    @TearDown
    public void close() throws SQLException, IOException {
        connection.close();
        database.close();
        folder.delete();
    }

    /// Stops after 10 rows of an open-ended range.
    @Benchmark
    public void openEnded(Blackhole hole) throws SQLException {
        read(openEnded, hole, 2);
    }

    /// `ORDER BY first LIMIT 10`.
    @Benchmark
    public void limited(Blackhole hole) throws SQLException {
        read(limited, hole, 2);
    }

    /// Stops after 10 rows; reads the indexed column alone.
    @Benchmark
    public void indexedColumnAlone(Blackhole hole) throws SQLException {
        read(indexedOnly, hole, 1);
    }

    private void read(PreparedStatement statement, Blackhole hole, int columns)
            throws SQLException {
        statement.setString(1, words[next]);
        next = next + 1 == ROWS ? 0 : next + 1;
        try (ResultSet result = statement.executeQuery()) {
            for (int row = 0; row < READ && result.next(); row++) {
                for (int column = 1; column <= columns; column++) {
                    hole.consume(result.getString(column));
                }
            }
        }
    }
}
