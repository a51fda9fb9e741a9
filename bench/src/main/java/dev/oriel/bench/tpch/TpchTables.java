package dev.oriel.bench.tpch;

import dev.oriel.bench.sql.SqlDialect;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Date;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The tables of TPC-H: their definitions, and their rows as files and in databases.
public final class TpchTables {
    /// The columns of each table: I integer, D decimal, T text, W date.
    private static final Map<String, String> COLUMNS =
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

    private static final int BATCH = 1_000;
    private static final int COMMIT = 10_000;

    private TpchTables() {}

    /// Names of the tables, in an order in which they can be filled.
    public static List<String> names() {
        return TpchTable.getTables().stream().map(TpchTable::getTableName).toList();
    }

    /// The statement that makes a table.
    ///
    /// @param keyed whether it has a primary key
    public static String create(String table, boolean keyed) {
        List<String> parts = new ArrayList<>();
        for (String column : columns(table)) {
            String type =
                    switch (column.charAt(column.length() - 1)) {
                        case 'I' -> "INTEGER";
                        case 'D' -> "DECIMAL(15, 2)";
                        case 'W' -> "DATE";
                        default -> "VARCHAR(200)";
                    };
            parts.add(column.substring(0, column.length() - 1) + type + " NOT NULL");
        }
        if (keyed) {
            parts.add("PRIMARY KEY (" + KEYS.get(table) + ")");
        }
        return "CREATE TABLE " + table + " (" + String.join(", ", parts) + ")";
    }

    /// The statements that index the foreign keys that are not a prefix of a primary key.
    public static List<String> indexes() {
        return List.of(
                "CREATE INDEX n_region ON nation (n_regionkey)",
                "CREATE INDEX s_nation ON supplier (s_nationkey)",
                "CREATE INDEX c_nation ON customer (c_nationkey)",
                "CREATE INDEX ps_supp ON partsupp (ps_suppkey)",
                "CREATE INDEX o_cust ON orders (o_custkey)",
                "CREATE INDEX l_part ON lineitem (l_partkey, l_suppkey)",
                "CREATE INDEX l_supp ON lineitem (l_suppkey)");
    }

    private static String[] columns(String table) {
        String columns = COLUMNS.get(table);
        if (columns == null) {
            throw new IllegalArgumentException(table);
        }
        return columns.split(", *", -1);
    }

    /// Writes the rows of a table, a line each, to `file`; returns their number.
    ///
    /// @param scale 1 for six million lines of orders
    public static long write(String table, double scale, Path file) throws IOException {
        return write(table, scale, file, false);
    }

    /// Writes the rows of a table with a choice of text format.
    ///
    /// @param quoted whether texts are in double quotes
    public static long write(String table, double scale, Path file, boolean quoted)
            throws IOException {
        String[] columns = columns(table);
        long rows = 0;
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (TpchEntity row : TpchTable.getTable(table).createGenerator(scale, 1, 1)) {
                String ended = row.toLine();
                String line = ended.substring(0, ended.length() - 1); // it ends in a separator
                out.write(quoted ? quoted(line, columns) : line);
                out.write('\n');
                rows++;
            }
        }
        return rows;
    }

    private static String quoted(String line, String[] columns) {
        if (line.indexOf('"') >= 0) {
            throw new IllegalArgumentException("a quote in " + line);
        }
        String[] values = line.split("\\|", -1);
        for (int i = 0; i < columns.length; i++) {
            if (columns[i].endsWith("T")) {
                values[i] = '"' + values[i] + '"';
            }
        }
        return String.join("|", values);
    }

    /// Inserts the rows of `file` in batches, in transactions of ten of these.
    public static void insert(Connection connection, String table, Path file)
            throws SQLException, IOException {
        insert(connection, table, file, SqlDialect.STANDARD);
    }

    static void insert(Connection connection, String table, Path file, SqlDialect dialect)
            throws SQLException, IOException {
        String[] columns = columns(table);
        String places = "?, ".repeat(columns.length - 1) + "?";
        connection.setAutoCommit(false);
        try (PreparedStatement insert =
                        connection.prepareStatement(
                                "INSERT INTO " + table + " VALUES (" + places + ")");
                BufferedReader lines = Files.newBufferedReader(file)) {
            int rows = 0;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                set(insert, columns, line.split("\\|", -1), dialect.keepsDecimals());
                insert.addBatch();
                rows++;
                if (rows % BATCH == 0) {
                    insert.executeBatch();
                }
                if (rows % COMMIT == 0) {
                    connection.commit();
                }
            }
            if (rows % BATCH != 0) {
                insert.executeBatch();
            }
        }
        connection.commit();
        connection.setAutoCommit(true);
    }

    private static void set(
            PreparedStatement insert, String[] columns, String[] values, boolean exact)
            throws SQLException {
        for (int i = 0; i < columns.length; i++) {
            char kind = columns[i].charAt(columns[i].length() - 1);
            if (kind == 'I') {
                insert.setInt(i + 1, Integer.parseInt(values[i]));
            } else if (kind == 'D' && exact) {
                insert.setBigDecimal(i + 1, new BigDecimal(values[i]));
            } else if (kind == 'D') {
                insert.setDouble(i + 1, Double.parseDouble(values[i]));
            } else if (kind == 'W' && exact) {
                insert.setDate(i + 1, Date.valueOf(values[i]));
            } else {
                insert.setString(i + 1, values[i]);
            }
        }
    }
}
