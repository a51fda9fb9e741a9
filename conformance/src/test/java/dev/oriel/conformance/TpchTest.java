package dev.oriel.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The 22 queries of TPC-H at a hundredth of its size, or at `-Dtpch.scale=`: the answers are those of
/// DuckDB.
class TpchTest {
    private static final double SCALE =
            Double.parseDouble(System.getProperty("tpch.scale", "0.01"));

    /// The columns of each table: I integer, D decimal, T text, W date.
    private static final Map<String, String> TABLES =
            Map.of(
                    "region", "r_regionkey I, r_name T, r_comment T",
                    "nation", "n_nationkey I, n_name T, n_regionkey I, n_comment T",
                    "supplier",
                            "s_suppkey I, s_name T, s_address T, s_nationkey I, s_phone T,"
                                    + " s_acctbal D, s_comment T",
                    "part",
                            "p_partkey I, p_name T, p_mfgr T, p_brand T, p_type T, p_size I,"
                                    + " p_container T, p_retailprice D, p_comment T",
                    "partsupp",
                            "ps_partkey I, ps_suppkey I, ps_availqty I, ps_supplycost D,"
                                    + " ps_comment T",
                    "customer",
                            "c_custkey I, c_name T, c_address T, c_nationkey I, c_phone T,"
                                    + " c_acctbal D, c_mktsegment T, c_comment T",
                    "orders",
                            "o_orderkey I, o_custkey I, o_orderstatus T, o_totalprice D,"
                                    + " o_orderdate W, o_orderpriority T, o_clerk T,"
                                    + " o_shippriority I, o_comment T",
                    "lineitem",
                            "l_orderkey I, l_partkey I, l_suppkey I, l_linenumber I, l_quantity D,"
                                    + " l_extendedprice D, l_discount D, l_tax D, l_returnflag T,"
                                    + " l_linestatus T, l_shipdate W, l_commitdate W,"
                                    + " l_receiptdate W, l_shipinstruct T, l_shipmode T,"
                                    + " l_comment T");

    private static final Map<String, String> KEYS =
            Map.of(
                    "region", "r_regionkey",
                    "nation", "n_nationkey",
                    "supplier", "s_suppkey",
                    "part", "p_partkey",
                    "partsupp", "ps_partkey, ps_suppkey",
                    "customer", "c_custkey",
                    "orders", "o_orderkey",
                    "lineitem", "l_orderkey, l_linenumber");

    private static final List<String> INDEXES =
            List.of(
                    "CREATE INDEX l_part ON lineitem (l_partkey, l_suppkey)",
                    "CREATE INDEX o_cust ON orders (o_custkey)",
                    "CREATE INDEX ps_supp ON partsupp (ps_suppkey)");

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
            List<String> queries = queries();
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
        for (TpchTable<?> table : TpchTable.getTables()) {
            String name = table.getTableName();
            create(ours, name);
            create(duck, name);
            List<String> lines = new ArrayList<>();
            for (TpchEntity row : table.createGenerator(SCALE, 1, 1)) {
                String line = row.toLine();
                lines.add(line.substring(0, line.length() - 1));
            }
            Path file = folder.resolve(name + ".csv");
            Files.write(file, lines);
            try (Statement statement = duck.createStatement()) {
                statement.execute(
                        "COPY " + name + " FROM '" + file + "' (DELIMITER '|', HEADER false)");
            }
            insert(ours, name, lines);
        }
        try (Statement statement = ours.createStatement()) {
            for (String index : INDEXES) {
                statement.execute(index);
            }
        }
    }

    private static String[] columns(String table) {
        return TABLES.getOrDefault(table, "").split(", *", -1);
    }

    private static void create(Connection connection, String table) throws SQLException {
        List<String> columns = new ArrayList<>();
        for (String column : columns(table)) {
            String type =
                    switch (column.charAt(column.length() - 1)) {
                        case 'I' -> "INTEGER";
                        case 'D' -> "DECIMAL(15, 2)";
                        case 'W' -> "DATE";
                        default -> "VARCHAR";
                    };
            columns.add(column.substring(0, column.length() - 1) + type + " NOT NULL");
        }
        try (Statement statement = connection.createStatement()) {
            statement.execute(
                    "CREATE TABLE %s (%s, PRIMARY KEY (%s))"
                            .formatted(table, String.join(", ", columns), KEYS.get(table)));
        }
    }

    private static void insert(Connection ours, String table, List<String> lines)
            throws SQLException {
        String[] columns = columns(table);
        String places = "?, ".repeat(columns.length - 1) + "?";
        ours.setAutoCommit(false);
        try (PreparedStatement insert =
                ours.prepareStatement("INSERT INTO " + table + " VALUES (" + places + ")")) {
            for (String line : lines) {
                String[] values = line.split("\\|", -1);
                for (int i = 0; i < columns.length; i++) {
                    switch (columns[i].charAt(columns[i].length() - 1)) {
                        case 'I' -> insert.setInt(i + 1, Integer.parseInt(values[i]));
                        case 'D' -> insert.setBigDecimal(i + 1, new BigDecimal(values[i]));
                        case 'W' -> insert.setDate(i + 1, Date.valueOf(values[i]));
                        default -> insert.setString(i + 1, values[i]);
                    }
                }
                insert.addBatch();
            }
            insert.executeBatch();
        }
        ours.commit();
        ours.setAutoCommit(true);
    }

    private static List<String> queries() throws IOException {
        try (InputStream in = TpchTest.class.getResourceAsStream("tpch.sql")) {
            if (in == null) {
                throw new IOException("there is no tpch.sql");
            }
            String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            List<String> queries = new ArrayList<>();
            for (String part : text.split("(?m)^-- \\d+$", -1)) {
                if (part.contains("SELECT")) {
                    queries.add(part.strip());
                }
            }
            return queries;
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
