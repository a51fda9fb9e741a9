package dev.oriel.bench.tpcc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// The first four consistency conditions of TPC-C (its clause 3.3.2), each as a query for its violations.
public enum TpccConsistency {
    /// The takings of a warehouse are the sum of its districts'; a difference of cents is found in floating point
    /// too.
    PAID(
            "SELECT w_id, w_ytd, s FROM warehouse JOIN (SELECT d_w_id, SUM(d_ytd) AS s FROM district GROUP"
                    + " BY d_w_id) d ON d_w_id = w_id WHERE ABS(w_ytd - s) > 0.005"),
    /// A district's next order number follows the number of its last order, and of its last new order if there is
    /// any.
    NUMBERED(
            "SELECT d_w_id, d_id, d_next_o_id, o, n FROM district JOIN (SELECT o_w_id, o_d_id,"
                    + " MAX(o_id) AS o FROM orders GROUP BY o_w_id, o_d_id) x ON o_w_id = d_w_id AND"
                    + " o_d_id = d_id LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) AS n FROM"
                    + " new_order GROUP BY no_w_id, no_d_id) y ON no_w_id = d_w_id AND no_d_id = d_id"
                    + " WHERE d_next_o_id - 1 <> o OR o <> n"),
    /// The numbers of new orders of a district have no gap.
    WITHOUT_GAPS(
            "SELECT no_w_id, no_d_id, MIN(no_o_id), MAX(no_o_id), COUNT(*) FROM new_order GROUP BY"
                    + " no_w_id, no_d_id HAVING MAX(no_o_id) - MIN(no_o_id) + 1 <> COUNT(*)"),
    /// The orders of a district have as many lines as their counts say.
    LINES(
            "SELECT o_w_id, o_d_id, s, n FROM (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS s FROM orders GROUP"
                    + " BY o_w_id, o_d_id) x JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) AS n FROM"
                    + " order_line GROUP BY ol_w_id, ol_d_id) y ON ol_w_id = o_w_id AND ol_d_id ="
                    + " o_d_id WHERE s <> n");

    private final String breaking;

    TpccConsistency(String breaking) {
        this.breaking = breaking;
    }

    /// The violations, a line for each.
    public static List<String> broken(Connection connection) throws SQLException {
        List<String> broken = new ArrayList<>();
        for (TpccConsistency condition : values()) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery(condition.breaking)) {
                while (rows.next()) {
                    StringBuilder line = new StringBuilder(condition.name());
                    for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
                        line.append(' ').append(rows.getString(i));
                    }
                    broken.add(line.toString());
                }
            }
        }
        return broken;
    }
}
