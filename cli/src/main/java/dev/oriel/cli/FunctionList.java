package dev.oriel.cli;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Prints descriptions of functions from `sys.functions`: the command `\df`.
final class FunctionList {
    private static final String OF_USERS =
            "family IN ('sql', 'java') AND schema IS DISTINCT FROM 'sys'";

    private final Connection connection;
    private final Screen screen;

    FunctionList(Connection connection, Screen screen) {
        this.connection = connection;
        this.screen = screen;
    }

    /// Lists the functions that users have added, or those whose names match `pattern`, in which a star stands for any
    /// characters. A single function comes with its examples.
    void print(String pattern) throws SQLException, Failure {
        String given = pattern.endsWith(";") ? pattern.substring(0, pattern.length() - 1) : pattern;
        String wanted = given.strip().toLowerCase(Locale.ROOT);
        boolean all = wanted.isEmpty();
        TablePrinter printer =
                new TablePrinter(
                        screen,
                        List.of(
                                RowPrinter.Column.text("function"),
                                RowPrinter.Column.text("result"),
                                RowPrinter.Column.text("description")));
        int count = 0;
        List<String> examples = new ArrayList<>();
        try (PreparedStatement query =
                connection.prepareStatement(
                        "SELECT signature, result, description, example, answer FROM sys.functions"
                                + " WHERE "
                                + (all ? OF_USERS : "LOWER(name) LIKE ?")
                                + " ORDER BY name, signature")) {
            if (!all) {
                query.setString(1, like(wanted));
            }
            try (ResultSet rows = query.executeQuery()) {
                while (rows.next()) {
                    List<@Nullable String> cells = new ArrayList<>();
                    cells.add(rows.getString(1));
                    cells.add(orEmpty(rows.getString(2)));
                    cells.add(orEmpty(rows.getString(3)));
                    printer.row(cells);
                    String example = rows.getString(4);
                    String line = example + " --> " + rows.getString(5);
                    if (example != null && !examples.contains(line)) {
                        examples.add(line);
                    }
                    count++;
                }
            }
        }
        if (count == 0 && !all) {
            throw new Failure("there is no function " + given.strip() + ": \\df * lists all");
        } else if (count == 0) {
            screen.out()
                    .println(
                            "There are no functions of your own yet; \\df * lists the built-in ones.");
            return;
        }
        printer.finish();
        if (!all && wanted.indexOf('*') < 0) {
            examples.forEach(screen.out()::println);
        }
    }

    private static String like(String pattern) {
        return pattern.replace("\\", "\\\\")
                .replace("_", "\\_")
                .replace("%", "\\%")
                .replace('*', '%');
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
