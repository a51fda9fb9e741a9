package dev.oriel.cli.migration;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/// Queries of a product's own catalog.
final class Catalog {
    private final Connection connection;
    private final Product product;
    private final String schema;

    /// @param schema empty if the product has none
    Catalog(Connection connection, Product product, String schema) {
        this.connection = connection;
        this.product = product;
        this.schema = schema;
    }

    /// Returns the rows of a query; each of its parameters is the schema.
    List<List<String>> ask(String query) throws SQLException {
        List<List<String>> found = new ArrayList<>();
        if (query.isEmpty()) {
            return found;
        }
        try (PreparedStatement statement = connection.prepareStatement(query)) {
            int parameters = (int) query.chars().filter(c -> c == '?').count();
            for (int i = 1; i <= parameters; i++) {
                statement.setString(i, schema);
            }
            try (ResultSet rows = statement.executeQuery()) {
                int columns = rows.getMetaData().getColumnCount();
                while (rows.next()) {
                    List<String> row = new ArrayList<>();
                    for (int i = 1; i <= columns; i++) {
                        row.add(rows.getString(i));
                    }
                    found.add(row);
                }
            }
        }
        return found;
    }

    /// Returns the losses found by these queries; a query that this version of the product does not support is a
    /// loss itself.
    List<SourceSchema.Loss> losses(List<String> queries) throws SQLException {
        List<SourceSchema.Loss> losses = new ArrayList<>();
        for (String query : queries) {
            Savepoint before = connection.setSavepoint();
            try {
                for (List<String> row : ask(query)) {
                    losses.add(new SourceSchema.Loss(row.get(0), row.get(1)));
                }
            } catch (SQLException e) {
                connection.rollback(before);
                losses.add(
                        new SourceSchema.Loss(
                                "perhaps more, as this version answers no question for it",
                                e.getMessage()));
            }
        }
        return losses;
    }

    /// Returns the FROM item that reads `table`.
    String from(String table) {
        return (schema.isEmpty() ? "" : Definitions.quoted(schema) + ".")
                + Definitions.quoted(table);
    }

    /// Returns the type of `expression`, which need not have a value.
    ColumnType describe(String expression, String from) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet none =
                        statement.executeQuery("SELECT " + expression + from + " WHERE 1 = 0")) {
            ResultSetMetaData metadata = none.getMetaData();
            return ColumnType.of(
                    metadata.getColumnType(1),
                    metadata.getColumnTypeName(1),
                    metadata.getPrecision(1),
                    metadata.getScale(1));
        }
    }

    /// Returns the base type of the domain `name`.
    ColumnType underDomain(String name) throws SQLException {
        String from = product == Product.HSQLDB ? " FROM (VALUES (0))" : "";
        return describe("CAST(NULL AS " + from(name) + ")", from);
    }

    /// Returns the next number of the PostgreSQL sequence `name`, which only the sequence itself knows.
    BigDecimal nextOf(String name, BigDecimal increment) throws SQLException {
        List<String> row = ask("SELECT last_value, is_called FROM " + name).get(0);
        BigDecimal last = new BigDecimal(row.get(0));
        return row.get(1).equals("t") || row.get(1).equals("true") ? last.add(increment) : last;
    }

    /// Returns the number after all numbers of a column, or `start` if it has none.
    BigDecimal behind(String table, String column, BigDecimal start, BigDecimal increment)
            throws SQLException {
        String name = Definitions.quoted(column);
        String last = increment.signum() < 0 ? "MIN(" : "MAX(";
        List<String> row = ask("SELECT " + last + name + ") FROM " + from(table)).get(0);
        if (row.get(0) == null) {
            return start;
        }
        BigDecimal next = new BigDecimal(row.get(0)).add(increment);
        return increment.signum() < 0 ? next.min(start) : next.max(start);
    }
}
