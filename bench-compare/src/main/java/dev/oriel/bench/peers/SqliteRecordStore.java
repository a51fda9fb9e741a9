package dev.oriel.bench.peers;

import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Records in a table of SQLite. It has one writer at a time. Threads take turns at one connection, which is
/// cheaper than contention for its file lock.
final class SqliteRecordStore implements RecordStore {
    private static final long MMAP_BYTES = 2L << 30;

    private final String url;
    private final String journal;
    private final String synchronous;
    private final Connection writer;
    private final PreparedStatement insert;
    private final Statement control;
    private final ReentrantLock role = new ReentrantLock();

    SqliteRecordStore(Path folder, String journal, String synchronous) {
        this.url = "jdbc:sqlite:" + folder.resolve("records.sqlite");
        this.journal = journal;
        this.synchronous = synchronous;
        try {
            writer = connect();
            control = writer.createStatement();
            control.execute(
                    "CREATE TABLE IF NOT EXISTS records (id INTEGER PRIMARY KEY, value BLOB)");
            insert = writer.prepareStatement("INSERT INTO records VALUES (?, ?)");
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private Connection connect() throws SQLException {
        Connection connection = DriverManager.getConnection(url);
        try (Statement statement = connection.createStatement()) {
            statement.execute("PRAGMA journal_mode = " + journal);
            statement.execute("PRAGMA synchronous = " + synchronous);
            statement.execute("PRAGMA cache_size = -" + (Peers.cacheBytes() >> 10));
            statement.execute("PRAGMA mmap_size = " + MMAP_BYTES);
        }
        return connection;
    }

    @Override
    public Session session() {
        return new SqliteSession();
    }

    /// Closing the last connection moves the log into the file and syncs it.
    @Override
    public void close() {
        try {
            writer.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class SqliteSession implements Session {
        private @Nullable Reader reader;

        @Override
        public void begin() {
            role.lock();
            execute("BEGIN IMMEDIATE");
        }

        @Override
        public void insert(long id, byte[] value) {
            try {
                insert.setLong(1, id);
                insert.setBytes(2, value);
                insert.executeUpdate();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void commit() {
            try {
                execute("COMMIT");
            } finally {
                role.unlock();
            }
        }

        private void execute(String sql) {
            try {
                control.execute(sql);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void beginRead() {
            try {
                if (reader == null) {
                    reader = new Reader(connect());
                }
                reader.begin();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public long get(long id) {
            try {
                return Objects.requireNonNull(reader).get(id);
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public long scan() {
            try {
                return Objects.requireNonNull(reader).scan();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void endRead() {
            try {
                Objects.requireNonNull(reader).end();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                if (reader != null) {
                    reader.close();
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /// A connection that reads.
    private static final class Reader {
        private final Connection connection;
        private final Statement control;
        private final PreparedStatement get;
        private final PreparedStatement scan;

        Reader(Connection connection) throws SQLException {
            this.connection = connection;
            control = connection.createStatement();
            get = connection.prepareStatement("SELECT value FROM records WHERE id = ?");
            scan = connection.prepareStatement("SELECT id, value FROM records ORDER BY id");
        }

        void begin() throws SQLException {
            control.execute("BEGIN");
        }

        long get(long id) throws SQLException {
            get.setLong(1, id);
            try (ResultSet rows = get.executeQuery()) {
                return rows.next() ? sum(rows.getBytes(1)) : Sums.ABSENT;
            }
        }

        long scan() throws SQLException {
            long sum = 0;
            try (ResultSet rows = scan.executeQuery()) {
                while (rows.next()) {
                    sum += sum(rows.getBytes(2)) ^ rows.getLong(1);
                }
            }
            return sum;
        }

        private static long sum(byte[] value) {
            return Sums.of(value, 0, value.length);
        }

        void end() throws SQLException {
            control.execute("COMMIT");
        }

        void close() throws SQLException {
            connection.close();
        }
    }
}
