package dev.oriel.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.tpch.TpchQueries;
import dev.oriel.bench.tpch.TpchTables;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The 22 queries of TPC-H at a hundredth of its size, or at `-Dtpch.scale=`: the answers are those of
/// DuckDB.
class TpchTest {
    private static final double SCALE =
            Double.parseDouble(System.getProperty("tpch.scale", "0.01"));

    @TempDir Path folder;

    @Test
    void answersAreThoseOfDuckDb() throws SQLException, IOException {
        compare("jdbc:oriel:mem:tpch");
    }

    /// Hardly any of the rows that the queries sort, group and join fit into memory.
    @Test
    void theyAreTheSameWithLittleMemory() throws SQLException, IOException {
        compare("jdbc:oriel:" + folder.resolve("db") + "?durability=async&queryBytesMax=65536");
    }

    private void compare(String url) throws SQLException, IOException {
        try (Connection ours = DriverManager.getConnection(url);
                Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
            load(ours, duck);
            List<String> queries = TpchQueries.all();
            assertEquals(22, queries.size());
            int rows = 0;
            for (int i = 0; i < queries.size(); i++) {
                long started = System.nanoTime();
                List<List<String>> found = rows(ours, queries.get(i));
                double seconds = (System.nanoTime() - started) / 1e9;
                System.out.printf("Q%d: %d rows, %.3f s%n", i + 1, found.size(), seconds);
                assertEquals(rows(duck, queries.get(i)), found, "query " + (i + 1));
                rows += found.size();
            }
            assertTrue(rows > 500, "rows: " + rows);
        }
    }

    private void load(Connection ours, Connection duck) throws SQLException, IOException {
        for (String table : TpchTables.names()) {
            Path file = folder.resolve(table + ".csv");
            TpchTables.write(table, SCALE, file);
            for (Connection connection : List.of(ours, duck)) {
                try (Statement statement = connection.createStatement()) {
                    statement.execute(TpchTables.create(table, true));
                }
            }
            try (Statement statement = duck.createStatement()) {
                statement.execute(
                        "COPY " + table + " FROM '" + file + "' (DELIMITER '|', HEADER false)");
            }
            TpchTables.insert(ours, table, file);
        }
        try (Statement statement = ours.createStatement()) {
            for (String index : TpchTables.indexes()) {
                statement.execute(index);
            }
        }
    }

    /// All rows as text; numbers with as many digits as a double keeps for sure, since DuckDB's
    /// averages are doubles.
    private static List<List<String>> rows(Connection connection, String query)
            throws SQLException {
        List<List<String>> rows = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(query)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(text(result.getObject(i)));
                }
                rows.add(row);
            }
        }
        return rows;
    }

    private static String text(@Nullable Object value) {
        if (!(value instanceof Number number)) {
            return String.valueOf(value);
        }
        BigDecimal decimal =
                number instanceof BigDecimal exact ? exact : new BigDecimal(number.toString());
        BigDecimal rounded = decimal.round(new MathContext(12));
        return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
    }
}
