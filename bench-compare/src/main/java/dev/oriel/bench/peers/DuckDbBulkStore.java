package dev.oriel.bench.peers;

import dev.oriel.bench.jdbm.RecordStore;
import dev.oriel.bench.measure.Sums;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;
import org.jspecify.annotations.Nullable;

/// Records in a table of DuckDB, over one connection.
final class DuckDbBulkStore implements RecordStore {
    private final DuckDBConnection connection;
    private final ReentrantLock role = new ReentrantLock();

    DuckDbBulkStore(Path folder) {
        try {
            connection =
                    DriverManager.getConnection("jdbc:duckdb:" + folder.resolve("records.duckdb"))
                            .unwrap(DuckDBConnection.class);
            try (Statement statement = connection.createStatement()) {
                statement.execute(
                        "CREATE TABLE IF NOT EXISTS records (id BIGINT PRIMARY KEY, value BLOB)");
            }
            connection.setAutoCommit(false);
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public Session session() {
        return new DuckDbSession();
    }

    /// Writes a checkpoint.
    @Override
    public void close() {
        try {
            connection.close();
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    private final class DuckDbSession implements Session {
        private @Nullable DuckDBAppender appender;

        @Override
        public void begin() {
            role.lock();
            try {
                appender = connection.createAppender("records");
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void insert(long id, byte[] value) {
            try {
                Objects.requireNonNull(appender).beginRow().append(id).append(value).endRow();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void commit() {
            try {
                Objects.requireNonNull(appender).close();
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            } finally {
                role.unlock();
            }
        }

        @Override
        public void beginRead() {
            // the transaction begins with its first statement
        }

        @Override
        public long get(long id) {
            try (PreparedStatement get =
                    connection.prepareStatement("SELECT value FROM records WHERE id = ?")) {
                get.setLong(1, id);
                try (ResultSet rows = get.executeQuery()) {
                    return rows.next() ? sum(rows.getBytes(1)) : Sums.ABSENT;
                }
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public long scan() {
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery("SELECT id, value FROM records ORDER BY id")) {
                long sum = 0;
                while (rows.next()) {
                    sum += sum(rows.getBytes(2)) ^ rows.getLong(1);
                }
                return sum;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        private static long sum(byte[] value) {
            return Sums.of(value, 0, value.length);
        }

        @Override
        public void endRead() {
            try {
                connection.commit();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            // it has no resources of its own
        }
    }
}
