package dev.oriel.bench.peers;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Jars;
import dev.oriel.bench.faces.FacesStore;
import dev.oriel.bench.faces.FacesSubject;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/// A program without a database of several faces: rows and edges are in H2, entries in RocksDB, and it commits one
/// after the other. A crash between the two commits leaves one without the other.
final class H2RocksDbFaces implements FacesSubject {
    @Override
    public String name() {
        return "h2-rocksdb";
    }

    @Override
    public String product() {
        return "h2-rocksdb";
    }

    @Override
    public String settings() {
        return "H2 "
                + Jars.version("h2")
                + " for rows and edges (a table with two foreign keys and an index of the other direction), on"
                + " disk, MAX_COMPACT_TIME=0, WRITE_DELAY=0 for WRITTEN; RocksDB "
                + Peers.version("rocksdbjni")
                + " for entries, as in the workload of records; H2 is committed first. Not atomic.";
    }

    @Override
    public Set<Durability> durabilities() {
        return EnumSet.of(Durability.ASYNC, Durability.WRITTEN);
    }

    @Override
    public FacesStore open(Path folder, Durability durability) throws IOException {
        Files.createDirectories(folder);
        try {
            return new Pair(folder, durability);
        } catch (SQLException | RocksDBException e) {
            throw new IOException(e);
        }
    }

    /// Both databases, open.
    private static final class Pair implements FacesStore {
        private final Connection connection;
        private final PreparedStatement payment;
        private final PreparedStatement paid;
        private final RocksDbOptions options;
        private final RocksDB entries;
        private final ByteBuffer key = ByteBuffer.allocate(Long.BYTES);

        Pair(Path folder, Durability durability) throws SQLException, RocksDBException {
            String url = "jdbc:h2:" + folder.resolve("db") + ";MAX_COMPACT_TIME=0";
            connection =
                    DriverManager.getConnection(
                            durability == Durability.WRITTEN ? url + ";WRITE_DELAY=0" : url);
            try (Statement statement = connection.createStatement()) {
                for (String definition :
                        List.of(
                                "CREATE TABLE payment (id BIGINT PRIMARY KEY, amount BIGINT NOT"
                                        + " NULL, name VARCHAR(40) NOT NULL)",
                                "CREATE TABLE holder (id BIGINT PRIMARY KEY, place BIGINT NOT NULL)",
                                "CREATE TABLE paid (source BIGINT NOT NULL REFERENCES holder,"
                                        + " target BIGINT NOT NULL REFERENCES holder, number BIGINT,"
                                        + " amount BIGINT NOT NULL, PRIMARY KEY (source, target,"
                                        + " number))",
                                "CREATE INDEX paid_in ON paid (target, source, number)")) {
                    statement.execute(definition);
                }
                for (int i = 0; i < HOLDERS; i++) {
                    statement.execute("INSERT INTO holder VALUES (" + i + ", " + i + ")");
                }
            }
            connection.setAutoCommit(false);
            payment = connection.prepareStatement("INSERT INTO payment VALUES (?, ?, ?)");
            paid = connection.prepareStatement("INSERT INTO paid VALUES (?, ?, ?, ?)");
            options = new RocksDbOptions(durability, true, false);
            entries = RocksDB.open(options.options, folder.resolve("entries").toString());
        }

        @Override
        public void write(long number) {
            String text = FacesStore.text(number);
            long amount = FacesStore.amount(number);
            try {
                payment.setLong(1, number);
                payment.setLong(2, amount);
                payment.setString(3, text);
                payment.executeUpdate();
                paid.setLong(1, FacesStore.source(number));
                paid.setLong(2, FacesStore.target(number));
                paid.setLong(3, number);
                paid.setLong(4, amount);
                paid.executeUpdate();
                connection.commit();
                entries.put(
                        options.write,
                        key.putLong(0, number).array(),
                        text.getBytes(StandardCharsets.UTF_8));
            } catch (SQLException | RocksDBException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public long count() {
            long count = 0;
            try (RocksIterator all = entries.newIterator()) {
                for (all.seekToFirst(); all.isValid(); all.next()) {
                    count++;
                }
            }
            try (Statement statement = connection.createStatement();
                    ResultSet rows =
                            statement.executeQuery(
                                    "SELECT (SELECT COUNT(*) FROM payment) + (SELECT COUNT(*) FROM"
                                            + " paid)")) {
                return rows.next() ? count + rows.getLong(1) : count;
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void close() {
            try {
                entries.close();
                options.close();
                connection.close();
            } catch (SQLException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
