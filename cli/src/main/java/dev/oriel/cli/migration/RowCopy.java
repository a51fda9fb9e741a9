package dev.oriel.cli.migration;

import dev.oriel.cli.migration.SourceSchema.Column;
import dev.oriel.cli.migration.SourceSchema.PrimaryKey;
import dev.oriel.cli.migration.SourceSchema.Table;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Copies the rows of a table, and computes a checksum of the rows read, to be compared with the rows written.
final class RowCopy {
    private static final int BATCH_ROWS = 1_000;
    private static final int COMMIT_ROWS = 50_000;
    private static final int FETCH_ROWS = 1_000;
    private static final long ODD = 0x9E3779B97F4A7C15L;

    /// Number of rows, and a checksum that does not depend on their order.
    record Sum(long rows, long hash) {}

    private final Connection source;
    private final Connection target;
    private final Product product;

    /// @param source connection without auto-commit, so that drivers fetch rows in portions
    RowCopy(Connection source, Connection target, Product product) {
        this.source = source;
        this.target = target;
        this.product = product;
    }

    /// @param generated whether generated columns are generated here too; they enter the checksum and are not
    ///     copied
    /// @throws MigrationException with table and row if a value is refused
    Sum copy(Table table, boolean generated, LongConsumer progress)
            throws SQLException, MigrationException {
        List<Column> columns = table.columns();
        List<Column> moved =
                columns.stream().filter(column -> !(column.generated() && generated)).toList();
        String insert =
                "INSERT INTO %s (%s) VALUES (%s)"
                        .formatted(
                                name(table),
                                names(moved),
                                String.join(", ", Collections.nCopies(moved.size(), "?")));
        List<String> sent = new ArrayList<>(BATCH_ROWS);
        long rows = 0;
        long hash = 0;
        try (Statement query = source.createStatement();
                PreparedStatement batch = target.prepareStatement(insert)) {
            query.setFetchSize(FETCH_ROWS);
            try (ResultSet result =
                    query.executeQuery(
                            "SELECT " + expressions(columns) + " FROM " + table.from())) {
                while (result.next()) {
                    hash += move(result, batch, table, moved);
                    batch.addBatch();
                    sent.add(key(result, table));
                    rows++;
                    if (rows % BATCH_ROWS == 0) {
                        send(batch, table, sent);
                        progress.accept(rows);
                    }
                    if (rows % COMMIT_ROWS == 0) {
                        target.commit();
                    }
                }
            }
            send(batch, table, sent);
            target.commit();
            progress.accept(rows);
        }
        return new Sum(rows, hash);
    }

    /// @param keys keys of the rows in the batch
    private static void send(PreparedStatement batch, Table table, List<String> keys)
            throws SQLException, MigrationException {
        try {
            batch.executeBatch();
            keys.clear();
        } catch (SQLException e) {
            SQLException reason = e.getNextException() == null ? e : e.getNextException();
            int row = e instanceof BatchUpdateException some ? some.getUpdateCounts().length : -1;
            throw new MigrationException(
                    (row >= 0 && row < keys.size() ? keys.get(row) : "a row")
                            + " of table "
                            + table.name()
                            + " is refused: "
                            + reason.getMessage()
                            + "; correct it, or leave the table out with --tables",
                    e);
        }
    }

    private static String name(Table table) {
        return Definitions.quoted(table.name());
    }

    private static String names(List<Column> columns) {
        return Definitions.quoted(columns.stream().map(Column::name).toList());
    }

    /// Returns the select list for the source.
    private String expressions(List<Column> columns) {
        return columns.stream()
                .map(column -> {
                    String name = Definitions.quoted(column.name());
                    return product == Product.DERBY && column.type().source().equals(ColumnType.XML)
                            ? "XMLSERIALIZE(" + name + " AS CLOB)"
                            : name;
                })
                .collect(Collectors.joining(", "));
    }

    private long move(ResultSet result, PreparedStatement batch, Table table, List<Column> moved)
            throws MigrationException {
        List<Column> columns = table.columns();
        long hash = 1;
        int parameter = 0;
        for (int i = 0; i < columns.size(); i++) {
            ColumnType type = columns.get(i).type();
            try {
                Object value = read(result, i + 1, type, product);
                if (moved.size() == columns.size() || moved.contains(columns.get(i))) {
                    Values.write(batch, ++parameter, value, type);
                }
                hash = mixed(hash, Values.hash(value, type));
            } catch (SQLException | RuntimeException e) {
                throw new MigrationException(
                        "the value of column "
                                + columns.get(i).name()
                                + " in "
                                + key(result, table)
                                + " of table "
                                + table.name()
                                + " cannot be moved: "
                                + e.getMessage()
                                + "; correct it, or leave the table out with --tables",
                        e);
            }
        }
        return hash;
    }

    /// Describes the row in words, by its primary key.
    private static String key(ResultSet result, Table table) {
        PrimaryKey key = table.primaryKey();
        List<String> names = table.columns().stream().map(Column::name).toList();
        StringBuilder text = new StringBuilder();
        for (String column : key == null ? List.<String>of() : key.columns()) {
            String value;
            try {
                value = result.getString(names.indexOf(column) + 1);
            } catch (SQLException e) {
                value = "?"; // it may be the unreadable value
            }
            text.append(text.isEmpty() ? "the row " : ", ").append(column).append(" = ");
            text.append(value);
        }
        return text.isEmpty() ? "a row" : text.toString();
    }

    private static @Nullable Object read(
            ResultSet row, int i, ColumnType type, @Nullable Product product) throws SQLException {
        return Values.read(row, i, type, product == Product.SQLITE, product == Product.DERBY);
    }

    private static long mixed(long hash, long value) {
        long mixed = (hash ^ value) * ODD;
        return mixed ^ (mixed >>> 32);
    }

    /// Computes the checksum of the table's rows in the target.
    Sum arrived(Table table) throws SQLException {
        List<Column> columns = table.columns();
        String select = "SELECT " + names(columns) + " FROM " + name(table);
        long rows = 0;
        long sum = 0;
        try (Statement query = target.createStatement();
                ResultSet result = query.executeQuery(select)) {
            while (result.next()) {
                long hash = 1;
                for (int i = 0; i < columns.size(); i++) {
                    ColumnType type = columns.get(i).type();
                    hash = mixed(hash, Values.hash(read(result, i + 1, type, null), type));
                }
                sum += hash;
                rows++;
            }
        }
        return new Sum(rows, sum);
    }
}
