package dev.oriel.bench.tpcc;

import dev.oriel.bench.sql.SqlDialect;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/// A terminal that runs transactions of TPC-C's five kinds, at its prescribed shares, and repeats a transaction
/// that conflicts with another. Belongs to one thread.
public final class TpccTerminal implements AutoCloseable {
    private final Connection connection;
    private final TpccSize scale;
    private final Manner manner;
    private final SplittableRandom random;
    private final Map<String, PreparedStatement> statements = new HashMap<>();
    private final int home;
    private int again;

    /// Style of the transactions.
    ///
    /// @param isolation a level of [Connection]
    /// @param locks whether rows are locked by `FOR UPDATE` before a change; otherwise they are changed first and read
    ///     then, for databases without that clause
    public record Manner(int isolation, boolean locks, SqlDialect dialect) {}

    /// The effects of a committed transaction.
    ///
    /// @param amount amount of a payment; zero for other kinds
    /// @param order the number of a new order; 0 for other kinds
    public record Done(String kind, int warehouse, int district, int order, BigDecimal amount) {
        static Done of(String kind) {
            return new Done(kind, 0, 0, 0, BigDecimal.ZERO);
        }
    }

    public TpccTerminal(
            Connection connection, TpccSize scale, Manner manner, SplittableRandom random)
            throws SQLException {
        this.connection = connection;
        this.scale = scale;
        this.manner = manner;
        this.random = random;
        home = 1 + random.nextInt(scale.warehouses());
        connection.setTransactionIsolation(manner.isolation());
    }

    /// Number of transactions that were run again.
    public int again() {
        return again;
    }

    /// Runs one transaction until it has committed, or was rolled back intentionally.
    public Done transact() throws SQLException {
        long seed = random.nextLong();
        while (true) {
            SplittableRandom choices = new SplittableRandom(seed);
            boolean begun = false;
            try {
                manner.dialect().beginWriting(connection);
                begun = true;
                int kind = choices.nextInt(100);
                Done done =
                        kind < 45
                                ? newOrder(choices)
                                : kind < 88
                                        ? payment(choices)
                                        : kind < 92
                                                ? orderStatus(choices)
                                                : kind < 96 ? delivery() : stockLevel(choices);
                if (done.kind().equals("unused item")) {
                    manner.dialect().rollback(connection);
                } else {
                    manner.dialect().commit(connection);
                }
                return done;
            } catch (SQLException failure) {
                if (begun) {
                    manner.dialect().rollback(connection);
                }
                if (manner.dialect().losesStatements()) {
                    forgetStatements();
                }
                if (!manner.dialect().isConflict(failure)) {
                    throw failure;
                }
                again++;
            }
        }
    }

    private void forgetStatements() throws SQLException {
        for (PreparedStatement statement : statements.values()) {
            statement.close();
        }
        statements.clear();
    }

    private PreparedStatement with(String sql, Object... values) throws SQLException {
        PreparedStatement statement = statements.get(sql);
        if (statement == null) {
            statement = connection.prepareStatement(manner.dialect().translate(sql));
            statements.put(sql, statement);
        }
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i]);
        }
        return statement;
    }

    private void change(int rows, String sql, Object... values) throws SQLException {
        int changed = with(sql, values).executeUpdate();
        if (changed != rows) {
            throw new IllegalStateException(changed + " rows changed by " + sql);
        }
    }

    private static void one(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            throw new IllegalStateException("no row");
        }
    }

    private Done newOrder(SplittableRandom choices) throws SQLException {
        int district = 1 + choices.nextInt(scale.districts());
        int customer = 1 + choices.nextInt(scale.customers());
        int count = choices.nextInt(5, 16);
        boolean unused = choices.nextInt(100) == 0;
        // In the order of their numbers, so that two orders seldom deadlock.
        int[] items =
                IntStream.generate(() -> 1 + choices.nextInt(scale.items()))
                        .limit(count)
                        .sorted()
                        .toArray();
        try (ResultSet rows =
                with(
                                "SELECT c_discount, c_last, c_credit, w_tax FROM customer JOIN warehouse"
                                        + " ON w_id = c_w_id WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
                                home,
                                district,
                                customer)
                        .executeQuery()) {
            one(rows);
        }
        int order = orderNumber(district);
        change(
                1,
                "INSERT INTO orders VALUES (?, ?, ?, ?, ?, NULL, ?, 1)",
                home,
                district,
                order,
                customer,
                new Timestamp(TpccLoader.LOADED_MILLIS + order),
                count);
        change(1, "INSERT INTO new_order VALUES (?, ?, ?)", home, district, order);
        for (int i = 0; i < count; i++) {
            if (unused && i == count - 1) {
                return Done.of("unused item");
            }
            line(district, order, i + 1, items[i], 1 + choices.nextInt(10));
        }
        return new Done("new order", home, district, order, BigDecimal.ZERO);
    }

    private int orderNumber(int district) throws SQLException {
        if (!manner.locks()) {
            change(
                    1,
                    "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?",
                    home,
                    district);
        }
        int next;
        try (ResultSet rows =
                with(
                                "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ?"
                                        + forUpdate(),
                                home,
                                district)
                        .executeQuery()) {
            one(rows);
            next = rows.getInt(1);
        }
        if (!manner.locks()) {
            return next - 1;
        }
        change(
                1,
                "UPDATE district SET d_next_o_id = ? WHERE d_w_id = ? AND d_id = ?",
                next + 1,
                home,
                district);
        return next;
    }

    private String forUpdate() {
        return manner.locks() ? " FOR UPDATE" : "";
    }

    private void line(int district, int order, int number, int item, int quantity)
            throws SQLException {
        BigDecimal price;
        try (ResultSet rows =
                with("SELECT i_price, i_name, i_data FROM item WHERE i_id = ?", item)
                        .executeQuery()) {
            one(rows);
            price = rows.getBigDecimal(1);
        }
        take(item, quantity);
        change(
                1,
                "INSERT INTO order_line VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?)",
                home,
                district,
                order,
                number,
                item,
                home,
                quantity,
                price.multiply(BigDecimal.valueOf(quantity)));
    }

    /// Takes from the stock, which is filled up if little is left.
    private void take(int item, int quantity) throws SQLException {
        if (!manner.locks()) {
            change(
                    1,
                    "UPDATE stock SET s_quantity = CASE WHEN s_quantity >= ? THEN s_quantity - ? ELSE"
                            + " s_quantity + ? END, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1"
                            + " WHERE s_w_id = ? AND s_i_id = ?",
                    quantity + 10,
                    quantity,
                    91 - quantity,
                    quantity,
                    home,
                    item);
        }
        int left;
        try (ResultSet rows =
                with(
                                "SELECT s_quantity, s_data FROM stock WHERE s_w_id = ? AND s_i_id = ?"
                                        + forUpdate(),
                                home,
                                item)
                        .executeQuery()) {
            one(rows);
            left = rows.getInt(1);
        }
        if (manner.locks()) {
            change(
                    1,
                    "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt +"
                            + " 1 WHERE s_w_id = ? AND s_i_id = ?",
                    left >= quantity + 10 ? left - quantity : left - quantity + 91,
                    quantity,
                    home,
                    item);
        }
    }

    private Done payment(SplittableRandom choices) throws SQLException {
        int district = 1 + choices.nextInt(scale.districts());
        boolean remote = scale.warehouses() > 1 && choices.nextInt(100) < 15;
        int house = remote ? 1 + home % scale.warehouses() : home;
        BigDecimal amount = BigDecimal.valueOf(choices.nextInt(100, 500_001), 2);
        change(1, "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?", amount, home);
        change(
                1,
                "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?",
                amount,
                home,
                district);
        int customer = customer(choices, house, district);
        change(
                1,
                "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,"
                        + " c_payment_cnt = c_payment_cnt + 1, c_data = CASE c_credit WHEN 'BC' THEN"
                        + " SUBSTR('paid ' || c_data, 1, 500) ELSE c_data END WHERE c_w_id = ? AND c_d_id ="
                        + " ? AND c_id = ?",
                amount,
                amount,
                house,
                district,
                customer);
        change(
                1,
                "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, 'payment')",
                customer,
                district,
                house,
                district,
                home,
                new Timestamp(TpccLoader.LOADED_MILLIS),
                amount);
        return new Done("payment", home, district, 0, amount);
    }

    /// A customer, in six of ten cases by name: of the customers of that name the one in the middle.
    private int customer(SplittableRandom choices, int house, int district) throws SQLException {
        int number = 1 + choices.nextInt(scale.customers());
        if (choices.nextInt(100) >= 60) {
            return number;
        }
        String name = TpccLoader.lastName((number - 1) % 1_000);
        try (ResultSet rows =
                with(
                                "SELECT c_id, c_first FROM customer WHERE c_w_id = ? AND c_d_id = ?"
                                        + " AND c_last = ? ORDER BY c_first",
                                house,
                                district,
                                name)
                        .executeQuery()) {
            List<Integer> called = new ArrayList<>();
            while (rows.next()) {
                called.add(rows.getInt(1));
            }
            return called.get((called.size() + 1) / 2 - 1);
        }
    }

    private Done orderStatus(SplittableRandom choices) throws SQLException {
        int district = 1 + choices.nextInt(scale.districts());
        int customer = customer(choices, home, district);
        int order;
        try (ResultSet rows =
                with(
                                "SELECT o_id, o_entry_d, o_carrier_id, o_ol_cnt FROM orders WHERE o_w_id"
                                        + " = ? AND o_d_id = ? AND o_c_id = ? ORDER BY o_id DESC LIMIT"
                                        + " 1",
                                home,
                                district,
                                customer)
                        .executeQuery()) {
            one(rows);
            order = rows.getInt(1);
        }
        try (ResultSet rows =
                with(
                                "SELECT ol_i_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line"
                                        + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
                                home,
                                district,
                                order)
                        .executeQuery()) {
            one(rows);
        }
        return Done.of("order status");
    }

    /// Delivers the oldest undelivered order of each district.
    private Done delivery() throws SQLException {
        int carrier = 1 + random.nextInt(10);
        for (int district = 1; district <= scale.districts(); district++) {
            int order = oldest(district);
            while (order > 0 && !delivered(district, order, carrier)) {
                order = oldest(district); // another transaction was first
            }
        }
        return Done.of("delivery");
    }

    /// The oldest undelivered order; 0 if all are delivered.
    private int oldest(int district) throws SQLException {
        try (ResultSet rows =
                with(
                                "SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ?"
                                        + " ORDER BY no_o_id LIMIT 1"
                                        + forUpdate(),
                                home,
                                district)
                        .executeQuery()) {
            return rows.next() ? rows.getInt(1) : 0;
        }
    }

    /// Delivers an order; false if it was delivered already.
    private boolean delivered(int district, int order, int carrier) throws SQLException {
        int deleted =
                with(
                                "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id"
                                        + " = ?",
                                home,
                                district,
                                order)
                        .executeUpdate();
        if (deleted == 0 && !manner.locks()) {
            return false;
        }
        if (deleted != 1) {
            throw new IllegalStateException(deleted + " orders deleted");
        }
        change(
                1,
                "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?",
                carrier,
                home,
                district,
                order);
        with(
                        "UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND"
                                + " ol_o_id = ?",
                        new Timestamp(TpccLoader.LOADED_MILLIS),
                        home,
                        district,
                        order)
                .executeUpdate();
        change(
                1,
                "UPDATE customer SET c_balance = c_balance + (SELECT SUM(ol_amount) FROM order_line"
                        + " WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?), c_delivery_cnt ="
                        + " c_delivery_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = (SELECT o_c_id"
                        + " FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?)",
                home,
                district,
                order,
                home,
                district,
                home,
                district,
                order);
        return true;
    }

    private Done stockLevel(SplittableRandom choices) throws SQLException {
        int district = 1 + choices.nextInt(scale.districts());
        int next;
        try (ResultSet rows =
                with(
                                "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?",
                                home,
                                district)
                        .executeQuery()) {
            one(rows);
            next = rows.getInt(1);
        }
        try (ResultSet rows =
                with(
                                "SELECT COUNT(DISTINCT s_i_id) FROM order_line JOIN stock ON s_w_id ="
                                        + " ol_w_id AND s_i_id = ol_i_id WHERE ol_w_id = ? AND ol_d_id ="
                                        + " ? AND ol_o_id >= ? AND ol_o_id < ? AND s_quantity < ?",
                                home,
                                district,
                                next - 20,
                                next,
                                choices.nextInt(10, 21))
                        .executeQuery()) {
            one(rows);
        }
        return Done.of("stock level");
    }

    @Override
    public void close() throws SQLException {
        connection.close();
    }

    /// The sum of payments in `done`.
    public static BigDecimal paid(List<Done> done) {
        return done.stream().map(Done::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
