package dev.oriel.bench.tpcc;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.List;
import java.util.SplittableRandom;

/// The tables of TPC-C and their initial rows. Texts are short, as they only have to be stored.
public final class TpccLoader {
    /// The time of all loaded rows, in milliseconds; its value does not matter.
    public static final long LOADED_MILLIS = 1_700_000_000_000L;

    private static final int BATCH = 1_000;

    private static final List<String> SYLLABLES =
            List.of("BAR", "OUGHT", "ABLE", "PRI", "PRES", "ESE", "ANTI", "CALLY", "ATION", "EING");

    private static final List<String> TABLES =
            List.of(
                    "CREATE TABLE warehouse (w_id INTEGER NOT NULL PRIMARY KEY, w_name VARCHAR(10),"
                            + " w_tax DECIMAL(4, 4), w_ytd DECIMAL(12, 2))",
                    "CREATE TABLE district (d_w_id INTEGER NOT NULL REFERENCES warehouse, d_id INTEGER NOT NULL,"
                            + " d_name VARCHAR(10), d_tax DECIMAL(4, 4), d_ytd DECIMAL(12, 2),"
                            + " d_next_o_id INTEGER, PRIMARY KEY (d_w_id, d_id))",
                    "CREATE TABLE customer (c_w_id INTEGER NOT NULL, c_d_id INTEGER NOT NULL,"
                            + " c_id INTEGER NOT NULL,"
                            + " c_last VARCHAR(16), c_first VARCHAR(16), c_credit CHAR(2),"
                            + " c_discount DECIMAL(4, 4), c_balance DECIMAL(12, 2),"
                            + " c_ytd_payment DECIMAL(12, 2), c_payment_cnt INTEGER,"
                            + " c_delivery_cnt INTEGER, c_data VARCHAR(500),"
                            + " PRIMARY KEY (c_w_id, c_d_id, c_id),"
                            + " FOREIGN KEY (c_w_id, c_d_id) REFERENCES district)",
                    "CREATE INDEX customer_name ON customer (c_w_id, c_d_id, c_last, c_first)",
                    "CREATE TABLE history (h_c_id INTEGER, h_c_d_id INTEGER, h_c_w_id INTEGER,"
                            + " h_d_id INTEGER, h_w_id INTEGER, h_date TIMESTAMP,"
                            + " h_amount DECIMAL(6, 2), h_data VARCHAR(24))",
                    "CREATE TABLE item (i_id INTEGER NOT NULL PRIMARY KEY, i_name VARCHAR(24),"
                            + " i_price DECIMAL(5, 2), i_data VARCHAR(50))",
                    "CREATE TABLE stock (s_w_id INTEGER NOT NULL REFERENCES warehouse,"
                            + " s_i_id INTEGER NOT NULL REFERENCES item, s_quantity INTEGER,"
                            + " s_ytd DECIMAL(8, 0), s_order_cnt INTEGER, s_remote_cnt INTEGER,"
                            + " s_data VARCHAR(50), PRIMARY KEY (s_w_id, s_i_id))",
                    "CREATE TABLE orders (o_w_id INTEGER NOT NULL, o_d_id INTEGER NOT NULL,"
                            + " o_id INTEGER NOT NULL,"
                            + " o_c_id INTEGER, o_entry_d TIMESTAMP, o_carrier_id INTEGER,"
                            + " o_ol_cnt INTEGER, o_all_local INTEGER,"
                            + " PRIMARY KEY (o_w_id, o_d_id, o_id),"
                            + " FOREIGN KEY (o_w_id, o_d_id, o_c_id) REFERENCES customer)",
                    "CREATE INDEX orders_customer ON orders (o_w_id, o_d_id, o_c_id, o_id)",
                    "CREATE TABLE new_order (no_w_id INTEGER NOT NULL,"
                            + " no_d_id INTEGER NOT NULL, no_o_id INTEGER NOT NULL,"
                            + " PRIMARY KEY (no_w_id, no_d_id, no_o_id),"
                            + " FOREIGN KEY (no_w_id, no_d_id, no_o_id) REFERENCES orders)",
                    "CREATE TABLE order_line (ol_w_id INTEGER NOT NULL,"
                            + " ol_d_id INTEGER NOT NULL, ol_o_id INTEGER NOT NULL,"
                            + " ol_number INTEGER NOT NULL, ol_i_id INTEGER, ol_supply_w_id INTEGER,"
                            + " ol_delivery_d TIMESTAMP, ol_quantity INTEGER,"
                            + " ol_amount DECIMAL(6, 2),"
                            + " PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number),"
                            + " FOREIGN KEY (ol_w_id, ol_d_id, ol_o_id) REFERENCES orders)");

    private final Connection connection;
    private final TpccSize scale;
    private final SplittableRandom random;

    /// @param random source of all rows
    public TpccLoader(Connection connection, TpccSize scale, SplittableRandom random) {
        this.connection = connection;
        this.scale = scale;
        this.random = random;
    }

    /// Creates the tables and fills them, in a transaction for each district.
    public void load() throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            for (String table : TABLES) {
                statement.execute(table);
            }
        }
        connection.commit();
        items();
        connection.commit();
        for (int warehouse = 1; warehouse <= scale.warehouses(); warehouse++) {
            warehouse(warehouse);
        }
        connection.commit();
    }

    /// The last name with that number, of 0 to 999.
    static String lastName(int number) {
        return SYLLABLES.get(number / 100)
                + SYLLABLES.get(number / 10 % 10)
                + SYLLABLES.get(number % 10);
    }

    /// Whether a batch of `size` ends with number `at` of `count`; no driver gets an empty one.
    private static boolean ends(int at, int size, int count) {
        return at % size == 0 || at == count;
    }

    private void items() throws SQLException {
        try (PreparedStatement insert =
                connection.prepareStatement("INSERT INTO item VALUES (?, ?, ?, ?)")) {
            for (int item = 1; item <= scale.items(); item++) {
                insert.setInt(1, item);
                insert.setString(2, "item " + item);
                insert.setBigDecimal(3, BigDecimal.valueOf(random.nextInt(100, 10_001), 2));
                insert.setString(4, random.nextInt(10) == 0 ? "ORIGINAL" : "copy");
                insert.addBatch();
                if (ends(item, BATCH, scale.items())) {
                    insert.executeBatch();
                }
            }
        }
    }

    private void warehouse(int warehouse) throws SQLException {
        try (PreparedStatement insert =
                        connection.prepareStatement("INSERT INTO warehouse VALUES (?, ?, ?, ?)");
                PreparedStatement stock =
                        connection.prepareStatement(
                                "INSERT INTO stock VALUES (?, ?, ?, 0, 0, 0, 'stock')")) {
            insert.setInt(1, warehouse);
            insert.setString(2, "house " + warehouse);
            insert.setBigDecimal(3, BigDecimal.valueOf(random.nextInt(2_001), 4));
            insert.setBigDecimal(4, BigDecimal.valueOf(30_000L * scale.districts()));
            insert.executeUpdate();
            for (int item = 1; item <= scale.items(); item++) {
                stock.setInt(1, warehouse);
                stock.setInt(2, item);
                stock.setInt(3, random.nextInt(10, 101));
                stock.addBatch();
                if (ends(item, BATCH, scale.items())) {
                    stock.executeBatch();
                }
            }
        }
        for (int district = 1; district <= scale.districts(); district++) {
            district(warehouse, district);
            connection.commit();
        }
    }

    private void district(int warehouse, int district) throws SQLException {
        try (PreparedStatement insert =
                        connection.prepareStatement(
                                "INSERT INTO district VALUES (?, ?, ?, ?, 30000, ?)");
                PreparedStatement customer =
                        connection.prepareStatement(
                                "INSERT INTO customer VALUES (?, ?, ?, ?, ?, ?, ?, -10, 10, 1, 0,"
                                        + " 'data')")) {
            insert.setInt(1, warehouse);
            insert.setInt(2, district);
            insert.setString(3, "place " + district);
            insert.setBigDecimal(4, BigDecimal.valueOf(random.nextInt(2_001), 4));
            insert.setInt(5, scale.customers() + 1);
            insert.executeUpdate();
            for (int id = 1; id <= scale.customers(); id++) {
                customer.setInt(1, warehouse);
                customer.setInt(2, district);
                customer.setInt(3, id);
                customer.setString(4, lastName((id - 1) % 1_000));
                customer.setString(5, "first " + random.nextInt(100));
                customer.setString(6, random.nextInt(10) == 0 ? "BC" : "GC");
                customer.setBigDecimal(7, BigDecimal.valueOf(random.nextInt(5_001), 4));
                customer.addBatch();
            }
            customer.executeBatch();
        }
        orders(warehouse, district);
    }

    /// Makes an order of each customer; the last three tenths of them are not delivered.
    private void orders(int warehouse, int district) throws SQLException {
        try (PreparedStatement order =
                        connection.prepareStatement(
                                "INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?, ?, 1)");
                PreparedStatement fresh =
                        connection.prepareStatement("INSERT INTO new_order VALUES (?, ?, ?)");
                PreparedStatement line =
                        connection.prepareStatement(
                                "INSERT INTO order_line VALUES (?, ?, ?, ?, ?, ?, ?, 5, ?)")) {
            Timestamp loaded = new Timestamp(LOADED_MILLIS);
            for (int id = 1; id <= scale.customers(); id++) {
                boolean delivered = id <= scale.customers() * 7 / 10;
                int lines = random.nextInt(5, 16);
                order.setInt(1, warehouse);
                order.setInt(2, district);
                order.setInt(3, id);
                order.setInt(4, id);
                order.setTimestamp(5, loaded);
                if (delivered) {
                    order.setInt(6, random.nextInt(1, 11));
                } else {
                    order.setNull(6, Types.INTEGER);
                }
                order.setInt(7, lines);
                order.addBatch();
                if (!delivered) {
                    fresh.setInt(1, warehouse);
                    fresh.setInt(2, district);
                    fresh.setInt(3, id);
                    fresh.addBatch();
                }
                for (int number = 1; number <= lines; number++) {
                    line.setInt(1, warehouse);
                    line.setInt(2, district);
                    line.setInt(3, id);
                    line.setInt(4, number);
                    line.setInt(5, random.nextInt(1, scale.items() + 1));
                    line.setInt(6, warehouse);
                    line.setTimestamp(7, delivered ? loaded : null);
                    line.setBigDecimal(
                            8,
                            delivered
                                    ? BigDecimal.ZERO
                                    : BigDecimal.valueOf(random.nextInt(1, 999_999), 2));
                    line.addBatch();
                }
                if (ends(id, BATCH / 10, scale.customers())) {
                    order.executeBatch();
                    line.executeBatch();
                }
            }
            fresh.executeBatch();
        }
    }
}
