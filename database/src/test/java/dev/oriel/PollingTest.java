package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Readers that ask again and again for the rows after the last one that they know, as docs/frameworks.md advises.
class PollingTest {
    private static final int WRITERS = 3;
    private static final int EVENTS_EACH = 200;

    private Database db;
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @BeforeEach
    void create() throws SQLException {
        db = Database.inMemory();
        try (Connection connection = db.connect();
                Statement s = connection.createStatement()) {
            s.execute("CREATE TABLE numbered (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY)");
            s.execute("CREATE TABLE event (id BIGINT PRIMARY KEY, text VARCHAR NOT NULL)");
            s.execute("CREATE TABLE last_event (id BIGINT NOT NULL)");
            s.execute("INSERT INTO last_event VALUES (0)");
            s.execute(
                    "CREATE TABLE outbox (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, text VARCHAR NOT NULL)");
        }
    }

    @AfterEach
    void close() throws InterruptedException {
        threads.shutdownNow();
        threads.awaitTermination(1, TimeUnit.MINUTES);
        db.close();
    }

    private Connection transactions() throws SQLException {
        Connection connection = db.connect();
        connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
        connection.setAutoCommit(false);
        return connection;
    }

    private static List<Long> after(Connection connection, String table, long last, int most)
            throws SQLException {
        List<Long> found = new ArrayList<>();
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT id FROM " + table + " WHERE id > ? ORDER BY id LIMIT ?")) {
            query.setLong(1, last);
            query.setInt(2, most);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    found.add(rows.getLong(1));
                }
            }
        }
        return found;
    }

    /// The trap: numbers of a sequence are given before the commit, in an order of their own.
    @Test
    void rowsOfASequenceMayBeCommittedBehindTheLastOneRead() throws SQLException {
        try (Connection first = transactions();
                Connection second = transactions();
                Connection reader = db.connect();
                Statement slow = first.createStatement();
                Statement fast = second.createStatement()) {
            slow.execute("INSERT INTO numbered DEFAULT VALUES");
            fast.execute("INSERT INTO numbered DEFAULT VALUES");
            second.commit();
            assertEquals(List.of(2L), after(reader, "numbered", 0, 10));
            first.commit();
            assertEquals(List.of(), after(reader, "numbered", 2, 10));
            assertEquals(List.of(1L, 2L), after(reader, "numbered", 0, 10));
        }
    }

    /// A number that is counted in a row: the next writer waits for the commit, so numbers and commits have one order.
    @Test
    void noneIsLostIfTheNumberIsCountedInARow() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Future<List<Long>> reader =
                threads.submit(() -> {
                    List<Long> all = new ArrayList<>();
                    try (Connection connection = db.connect()) {
                        boolean last;
                        do {
                            last = done.get();
                            List<Long> more;
                            do {
                                long known = all.isEmpty() ? 0 : all.getLast();
                                more = after(connection, "event", known, 7);
                                all.addAll(more);
                            } while (!more.isEmpty());
                        } while (!last);
                    }
                    return all;
                });
        write((connection, at) -> {
            try (Statement s = connection.createStatement()) {
                s.execute("UPDATE last_event SET id = id + 1");
                s.execute("INSERT INTO event SELECT id, 'event " + at + "' FROM last_event");
            }
        });
        done.set(true);
        assertEquals(committed(), count("event"));
        List<Long> expected = new ArrayList<>();
        for (long i = 1; i <= count("event"); i++) {
            expected.add(i);
        }
        assertEquals(expected, reader.get(1, TimeUnit.MINUTES));
    }

    /// Rows that their readers take away: two readers, and each row goes to one of them.
    @Test
    void eachRowOfAnOutboxIsTakenOnce() throws Exception {
        AtomicBoolean done = new AtomicBoolean();
        Callable<List<String>> take =
                () -> {
                    List<String> all = new ArrayList<>();
                    try (Connection connection = transactions();
                            Statement s = connection.createStatement()) {
                        boolean last;
                        do {
                            last = done.get();
                            while (take(s, all) > 0) {
                                connection.commit();
                            }
                            connection.commit();
                        } while (!last);
                    }
                    return all;
                };
        Future<List<String>> one = threads.submit(take);
        Future<List<String>> other = threads.submit(take);
        write((connection, at) -> {
            try (Statement s = connection.createStatement()) {
                s.execute("INSERT INTO outbox (text) VALUES ('event " + at + "')");
            }
        });
        done.set(true);
        List<String> all = new ArrayList<>(one.get(1, TimeUnit.MINUTES));
        all.addAll(other.get(1, TimeUnit.MINUTES));
        assertEquals(committed(), all.size());
        Set<String> distinct = new HashSet<>(all);
        assertEquals(all.size(), distinct.size());
        assertEquals(0, count("outbox"));
    }

    private static int take(Statement s, List<String> into) throws SQLException {
        int before = into.size();
        try (ResultSet rows =
                s.executeQuery(
                        "DELETE FROM outbox WHERE id IN (SELECT id FROM outbox ORDER BY id LIMIT 5 FOR UPDATE"
                                + " SKIP LOCKED) RETURNING text")) {
            while (rows.next()) {
                into.add(rows.getString(1));
            }
        }
        return into.size() - before;
    }

    /// A transaction that writes one event.
    private interface Writing {
        void write(Connection connection, int at) throws SQLException;
    }

    private static boolean isRolledBack(int at) {
        return at % 10 == 3;
    }

    private static int committed() {
        int committed = 0;
        for (int i = 0; i < WRITERS * EVENTS_EACH; i++) {
            committed += isRolledBack(i) ? 0 : 1;
        }
        return committed;
    }

    /// Runs the transactions of all writers, some of which are rolled back.
    private void write(Writing writing) throws Exception {
        List<Future<?>> writers = new ArrayList<>();
        for (int w = 0; w < WRITERS; w++) {
            int first = w * EVENTS_EACH;
            writers.add(
                    threads.submit(() -> {
                        try (Connection connection = transactions()) {
                            for (int i = first; i < first + EVENTS_EACH; i++) {
                                writing.write(connection, i);
                                if (isRolledBack(i)) {
                                    connection.rollback();
                                } else {
                                    connection.commit();
                                }
                            }
                        }
                        return null;
                    }));
        }
        for (Future<?> writer : writers) {
            writer.get(1, TimeUnit.MINUTES);
        }
    }

    private int count(String table) throws SQLException {
        try (Connection connection = db.connect();
                Statement s = connection.createStatement();
                ResultSet rows = s.executeQuery("SELECT COUNT(*) FROM " + table)) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
