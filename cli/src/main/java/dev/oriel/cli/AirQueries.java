package dev.oriel.cli;

import dev.oriel.profiler.Watched;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/// The queries of the demo. Each is prepared once and runs many times.
final class AirQueries {
    private static final int ROWS_READ = 10;
    private static final long SHUFFLE_SEED = 2003;

    private final Connection connection;

    AirQueries(Connection connection) {
        this.connection = connection;
    }

    /// The query of "The Pleasures of Profiling": a range without an upper end, whose first ten rows are read
    /// with all columns.
    ///
    @Watched
    Rate ranges(String what, String table, int count) throws SQLException {
        List<String> names = shuffled("SELECT name FROM airports");
        String sql = "SELECT name, city FROM " + table + " WHERE name > ?";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            long rows = 0;
            long started = System.nanoTime();
            for (int i = 0; i < count; i++) {
                rows += range(query, names.get(i % names.size()));
            }
            return new Rate(what, count, rows, System.nanoTime() - started);
        }
    }

    @Watched
    private static int range(PreparedStatement query, String after) throws SQLException {
        query.setString(1, after);
        try (ResultSet rows = query.executeQuery()) {
            int count = 0;
            while (count < ROWS_READ && rows.next()) {
                rows.getString(1);
                rows.getString(2);
                count++;
            }
            return count;
        }
    }

    /// Reads single airports by their codes, which have a unique index.
    ///
    /// @throws Failure if one is not found
    @Watched
    Rate points(String what, int count) throws SQLException, Failure {
        List<String> codes = shuffled("SELECT code FROM airports");
        String sql = "SELECT name, city, elev FROM airports WHERE code = ?";
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            long started = System.nanoTime();
            for (int i = 0; i < count; i++) {
                point(query, codes.get(i % codes.size()));
            }
            return new Rate(what, count, count, System.nanoTime() - started);
        }
    }

    @Watched
    private static void point(PreparedStatement query, String code) throws SQLException, Failure {
        query.setString(1, code);
        try (ResultSet row = query.executeQuery()) {
            if (!row.next()) {
                throw new Failure("the airport " + code + " was loaded and is not found");
            }
            row.getString(1);
            row.getString(2);
            row.getInt(3);
        }
    }

    /// Returns the longest routes, each in one direction only: the distance in miles and the two airports.
    @Watched
    List<List<@Nullable String>> longestRoutes(int count) throws SQLException {
        List<List<@Nullable String>> routes = new ArrayList<>();
        String longest =
                "SELECT distance, source, target FROM routes WHERE source < target"
                        + " ORDER BY distance DESC LIMIT ?";
        String byId = "SELECT code, name FROM airports WHERE id = ?";
        try (PreparedStatement query = connection.prepareStatement(longest);
                PreparedStatement airport = connection.prepareStatement(byId)) {
            query.setInt(1, count);
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    List<@Nullable String> route = new ArrayList<>();
                    route.add(Figures.count(rows.getInt(1)));
                    route.add(airport(airport, rows.getInt(2)));
                    route.add(airport(airport, rows.getInt(3)));
                    routes.add(route);
                }
            }
        }
        return routes;
    }

    private static @Nullable String airport(PreparedStatement query, int id) throws SQLException {
        query.setInt(1, id);
        try (ResultSet row = query.executeQuery()) {
            return row.next() ? row.getString(1) + " " + row.getString(2) : null;
        }
    }

    /// Returns the single number of a query.
    long number(String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            if (!row.next()) {
                throw new SQLException("no row: " + sql);
            }
            return row.getLong(1);
        }
    }

    private List<String> shuffled(String sql) throws SQLException {
        List<String> values = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            while (rows.next()) {
                values.add(rows.getString(1));
            }
        }
        Collections.shuffle(values, new Random(SHUFFLE_SEED));
        return values;
    }
}
