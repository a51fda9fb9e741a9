package dev.oriel.conformance.random;

import java.math.BigDecimal;
import java.math.MathContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What a database answers: rows as text that is the same for all databases, or an error.
///
/// @param rows sorted, unless the query orders them
/// @param state the SQLState of the error; null where there are rows
record Answer(List<String> rows, @Nullable String state, String message) {
    private static final MathContext DIGITS = new MathContext(9);
    private static final int ROWS_SHOWN = 20;
    private static final long ROWS_KEPT = 100_000;
    private static final Pattern NUMBER =
            Pattern.compile("[-+]?[0-9]*\\.?[0-9]+(?:[eE][-+]?[0-9]+)?");
    private static final Pattern OF_VALUES =
            Pattern.compile("(?i)overflow|out of range|conversion error|could not convert");

    /// Asks `connection`. What is no error of SQL passes through.
    static Answer of(Connection connection, String sql, List<Sort> columns, boolean ordered) {
        return of(connection, sql, columns, ordered, Long.MAX_VALUE);
    }

    /// The same, of which nobody looks at more than whether it is another one's: where it is too long to keep, it is
    /// the number of its rows and a sum of them in no order.
    static Answer brief(Connection connection, String sql, List<Sort> columns, boolean ordered) {
        return of(connection, sql, columns, ordered, ROWS_KEPT);
    }

    private static Answer of(
            Connection connection, String sql, List<Sort> columns, boolean ordered, long kept) {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = rows(result, columns, kept);
            return ordered ? new Answer(rows, null, "") : of(rows);
        } catch (SQLException failure) {
            return failed(failure);
        }
    }

    /// Asks `connection` with parameters.
    static Answer of(Connection connection, Parameters parameters, List<Sort> columns) {
        try (PreparedStatement statement =
                connection.prepareStatement(parameters.query().toString())) {
            for (int i = 0; i < parameters.values().size(); i++) {
                statement.setString(i + 1, parameters.values().get(i));
            }
            try (ResultSet result = statement.executeQuery()) {
                return of(rows(result, columns, Long.MAX_VALUE));
            }
        } catch (SQLException failure) {
            return failed(failure);
        }
    }

    private static List<String> rows(ResultSet result, List<Sort> columns, long kept)
            throws SQLException {
        List<String> rows = new ArrayList<>();
        long count = 0;
        long sum = 0;
        while (result.next()) {
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < columns.size(); i++) {
                row.append(i == 0 ? "" : "|").append(text(result, i + 1, columns.get(i)));
            }
            count++;
            sum += hash(row);
            if (count <= kept) {
                rows.add(row.toString());
            } else {
                rows.clear();
            }
        }
        return count <= kept
                ? List.copyOf(rows)
                : List.of(count + " rows, in sum " + Long.toHexString(sum));
    }

    private static long hash(CharSequence row) {
        long hash = row.length();
        for (int i = 0; i < row.length(); i++) {
            hash = (hash ^ row.charAt(i)) * 0x9E37_79B9_7F4A_7C15L;
            hash ^= hash >>> 32;
        }
        return hash;
    }

    static Answer failed(SQLException failure) {
        String message = String.valueOf(failure.getMessage());
        String state = failure.getSQLState() == null ? "" : failure.getSQLState();
        // Some drivers have no states.
        boolean value = state.isEmpty() && OF_VALUES.matcher(message).find();
        return new Answer(List.of(), value ? "22000" : state, message);
    }

    static Answer of(List<String> rows) {
        return new Answer(rows.stream().sorted().toList(), null, "");
    }

    private static String text(ResultSet result, int column, Sort sort) throws SQLException {
        Object value = result.getObject(column);
        if (value == null) {
            return "NULL";
        }
        return switch (sort) {
            case INTEGER, BIGINT, DECIMAL -> number(value, sort);
            case DOUBLE -> number(value, sort);
            case BOOLEAN ->
                    value instanceof Number number
                            ? number.intValue() == 0 ? "false" : "true"
                            : value.toString().toLowerCase(Locale.ROOT);
            // As text, for the old classes of dates have another calendar before 1582.
            case DATE -> unsigned(result.getString(column)).split("[ T]", 2)[0];
            case TIMESTAMP -> moment(result.getString(column));
            default -> value.toString();
        };
    }

    private static String number(Object value, Sort sort) {
        String text = value instanceof Boolean truth ? truth ? "1" : "0" : value.toString();
        if (!NUMBER.matcher(text).matches()) {
            return text;
        }
        BigDecimal number = new BigDecimal(text);
        BigDecimal kept = sort.isExact() ? number : number.round(DIGITS);
        return kept.signum() == 0 ? "0" : kept.stripTrailingZeros().toPlainString();
    }

    /// Some write `+10000-01-01`.
    private static String unsigned(String text) {
        return text.startsWith("+") ? text.substring(1) : text;
    }

    /// `2024-02-29 12:30:00.250000` and `2024-02-29T12:30:00.25` are one moment.
    private static String moment(String text) {
        String moment = unsigned(text).replace('T', ' ');
        if (moment.length() == 16) {
            moment += ":00";
        }
        while (moment.contains(".") && (moment.endsWith("0") || moment.endsWith("."))) {
            moment = moment.substring(0, moment.length() - 1);
        }
        return moment;
    }

    boolean failed() {
        return state != null;
    }

    /// Whether it is an error of the values, which may or may not be met on the way to an answer.
    boolean failedByValue() {
        return state != null && state.startsWith("22");
    }

    @Override
    public String toString() {
        if (state != null) {
            return "error " + state + ": " + message;
        }
        return rows.size() > ROWS_SHOWN
                ? rows.size() + " rows: " + rows.subList(0, ROWS_SHOWN) + "..."
                : rows.size() + " rows: " + rows;
    }
}
