package dev.oriel.cli;

import dev.oriel.profiler.Watched;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.function.LongConsumer;

/// The air routes data set that comes with the command, and its tables. The airports are stored twice, the second time
/// with an ARRAY index, to compare the two kinds of index.
final class AirRoutes {
    static final int AIRPORTS = 3_504;
    static final int ROUTES = 50_637;

    private static final int BATCH_ROWS = 1_000;
    private static final String AIRPORT_COLUMNS =
            """
            (id INTEGER PRIMARY KEY, code VARCHAR(3) NOT NULL, icao VARCHAR(4),
             name VARCHAR(80) NOT NULL, region VARCHAR(8), country VARCHAR(2), city VARCHAR(40),
             runways INTEGER, longest INTEGER, elev INTEGER, lat DOUBLE, lon DOUBLE)\
            """;
    private static final List<String> TABLES =
            List.of(
                    "CREATE TABLE airports " + AIRPORT_COLUMNS,
                    "CREATE TABLE airports_array " + AIRPORT_COLUMNS,
                    """
                    CREATE TABLE routes
                    (source INTEGER, target INTEGER, distance INTEGER NOT NULL,
                     PRIMARY KEY (source, target))\
                    """);
    private static final List<String> INDEXES =
            List.of(
                    "CREATE BTREE INDEX airports_name ON airports (name)",
                    "CREATE UNIQUE INDEX airports_code ON airports (code)",
                    "CREATE ARRAY INDEX airports_array_name ON airports_array (name)",
                    "CREATE BTREE INDEX routes_distance ON routes (distance)");

    private AirRoutes() {}

    @Watched
    static void createTables(Connection connection) throws SQLException {
        execute(connection, TABLES);
    }

    @Watched
    static void createIndexes(Connection connection) throws SQLException {
        execute(connection, INDEXES);
    }

    private static void execute(Connection connection, List<String> definitions)
            throws SQLException {
        try (Statement statement = connection.createStatement()) {
            for (String definition : definitions) {
                statement.execute(definition);
            }
        }
    }

    /// Loads the airports into `table`, in batches that commit on their own.
    ///
    /// @param done receives the number loaded so far
    @Watched
    static void loadAirports(Connection connection, String table, LongConsumer done)
            throws SQLException, IOException {
        String sql = "INSERT INTO " + table + " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)";
        load(connection, sql, "airports.csv", AirRoutes::bindAirport, done);
    }

    /// Loads the routes.
    ///
    /// @param done receives the number loaded so far
    @Watched
    static void loadRoutes(Connection connection, LongConsumer done)
            throws SQLException, IOException {
        String sql = "INSERT INTO routes VALUES (?, ?, ?)";
        load(connection, sql, "routes.csv", AirRoutes::bindRoute, done);
    }

    private interface Binder {
        void bind(PreparedStatement statement, List<String> row) throws SQLException;
    }

    private static void load(
            Connection connection, String sql, String file, Binder binder, LongConsumer done)
            throws SQLException, IOException {
        try (CsvReader csv = open(file);
                PreparedStatement insert = connection.prepareStatement(sql)) {
            csv.read(); // the header
            long rows = 0;
            for (List<String> row = csv.read(); row != null; row = csv.read()) {
                binder.bind(insert, row);
                insert.addBatch();
                rows++;
                if (rows % BATCH_ROWS == 0) {
                    insert.executeBatch();
                    done.accept(rows);
                }
            }
            insert.executeBatch();
            done.accept(rows);
        }
    }

    private static void bindAirport(PreparedStatement insert, List<String> row)
            throws SQLException {
        insert.setInt(1, Integer.parseInt(row.get(0)));
        for (int text = 1; text <= 6; text++) {
            insert.setString(text + 1, row.get(text));
        }
        for (int number = 7; number <= 9; number++) {
            insert.setInt(number + 1, Integer.parseInt(row.get(number)));
        }
        insert.setDouble(11, Double.parseDouble(row.get(10)));
        insert.setDouble(12, Double.parseDouble(row.get(11)));
    }

    private static void bindRoute(PreparedStatement insert, List<String> row) throws SQLException {
        for (int i = 0; i < 3; i++) {
            insert.setInt(i + 1, Integer.parseInt(row.get(i)));
        }
    }

    /// Opens a file of the data set.
    static CsvReader open(String file) throws IOException {
        InputStream in = AirRoutes.class.getResourceAsStream("airroutes/" + file);
        if (in == null) {
            throw new IOException("airroutes/" + file + " is missing from the build");
        }
        return new CsvReader(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
    }
}
