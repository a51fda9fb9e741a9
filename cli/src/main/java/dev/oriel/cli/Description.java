package dev.oriel.cli;

import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Prints descriptions of tables: the command `\d`.
final class Description {
    private final DatabaseMetaData database;
    private final Screen screen;

    Description(Connection connection, Screen screen) throws SQLException {
        this.database = connection.getMetaData();
        this.screen = screen;
    }

    /// Describes the table `name`, without regard to case, or lists all tables if it is empty.
    void print(String name) throws SQLException, Failure {
        if (name.isEmpty()) {
            printTables();
            return;
        }
        String wanted = name.endsWith(";") ? name.substring(0, name.length() - 1) : name;
        String table = find(wanted.replace("\"", ""));
        printColumns(table);
        printKeys(table);
    }

    private void printTables() throws SQLException {
        TablePrinter printer =
                new TablePrinter(
                        screen,
                        List.of(RowPrinter.Column.text("table"), RowPrinter.Column.text("kind")));
        int count = 0;
        for (Map.Entry<String, String> table : tables().entrySet()) {
            printer.row(List.of(table.getKey(), table.getValue()));
            count++;
        }
        if (count == 0) {
            screen.out().println("There are no tables yet.");
        } else {
            printer.finish();
        }
    }

    /// Returns names and kinds of all tables and views except the system's own.
    private Map<String, String> tables() throws SQLException {
        Map<String, String> tables = new TreeMap<>();
        try (ResultSet rows = database.getTables(null, null, "%", null)) {
            while (rows.next()) {
                String kind = rows.getString("TABLE_TYPE");
                boolean system =
                        kind.toUpperCase(Locale.ROOT).contains("SYSTEM")
                                || "INFORMATION_SCHEMA"
                                        .equalsIgnoreCase(rows.getString("TABLE_SCHEM"));
                if (!system) {
                    tables.put(rows.getString("TABLE_NAME"), kind.toLowerCase(Locale.ROOT));
                }
            }
        }
        return tables;
    }

    private String find(String name) throws SQLException, Failure {
        for (String table : tables().keySet()) {
            if (table.equalsIgnoreCase(name)) {
                return table;
            }
        }
        throw new Failure("there is no table " + name + ": \\d lists all");
    }

    /// Returns the [DatabaseMetaData] pattern that matches only the table `name`.
    static String pattern(DatabaseMetaData database, String name) throws SQLException {
        String escape = database.getSearchStringEscape();
        return name.replace(escape, escape + escape)
                .replace("_", escape + "_")
                .replace("%", escape + "%");
    }

    private void printColumns(String table) throws SQLException {
        TablePrinter printer =
                new TablePrinter(
                        screen,
                        List.of(
                                RowPrinter.Column.text("column"),
                                RowPrinter.Column.text("type"),
                                RowPrinter.Column.text("null"),
                                RowPrinter.Column.text("default")));
        try (ResultSet rows = database.getColumns(null, null, pattern(database, table), "%")) {
            while (rows.next()) {
                List<@Nullable String> cells = new ArrayList<>();
                cells.add(rows.getString("COLUMN_NAME"));
                cells.add(type(rows));
                boolean nullable = rows.getInt("NULLABLE") != DatabaseMetaData.columnNoNulls;
                cells.add(nullable ? "" : "not null");
                String value = rows.getString("COLUMN_DEF");
                cells.add(value == null ? "" : value);
                printer.row(cells);
            }
        }
        printer.finish();
    }

    /// Returns the type, with its length if the user chose one.
    private static String type(ResultSet column) throws SQLException {
        String name = column.getString("TYPE_NAME");
        int size = column.getInt("COLUMN_SIZE");
        int digits = column.getInt("DECIMAL_DIGITS");
        boolean chosen = size > 0 && size < Integer.MAX_VALUE && !name.contains("(");
        return switch (name.toUpperCase(Locale.ROOT)) {
            case "CHAR", "VARCHAR", "BINARY", "VARBINARY" ->
                    chosen ? name + "(" + size + ")" : name;
            case "DECIMAL", "NUMERIC" -> chosen ? name + "(" + size + ", " + digits + ")" : name;
            default -> name;
        };
    }

    private void printKeys(String table) throws SQLException {
        Map<Integer, String> key = new TreeMap<>();
        String keyName = "";
        try (ResultSet rows = database.getPrimaryKeys(null, null, table)) {
            while (rows.next()) {
                key.put(rows.getInt("KEY_SEQ"), rows.getString("COLUMN_NAME"));
                String name = rows.getString("PK_NAME");
                keyName = name == null ? "" : name;
            }
        }
        if (!key.isEmpty()) {
            screen.out().println("Primary key: (" + String.join(", ", key.values()) + ")");
        }
        Map<String, List<String>> indexes = new LinkedHashMap<>();
        try (ResultSet rows = database.getIndexInfo(null, null, table, false, true)) {
            while (rows.next()) {
                String name = rows.getString("INDEX_NAME");
                if (name != null && !name.equalsIgnoreCase(keyName)) {
                    String title = name + (rows.getBoolean("NON_UNIQUE") ? "" : ", unique");
                    String order = "D".equals(rows.getString("ASC_OR_DESC")) ? " DESC" : "";
                    indexes.computeIfAbsent(title, _ -> new ArrayList<>())
                            .add(rows.getString("COLUMN_NAME") + order);
                }
            }
        }
        if (!indexes.isEmpty()) {
            screen.out().println("Indexes:");
            indexes.forEach((title, columns) ->
                    screen.out().println("  " + title + ": (" + String.join(", ", columns) + ")"));
        }
    }
}
