package dev.oriel.cli;

import dev.oriel.io.FileAccess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// The command `\copy`: copies rows from a CSV file into a table, or from a table or query into a file. The first
/// line of the file names the columns. All rows of a file are imported, or none. A file written from a table can
/// be read into it again.
final class Copy {
    private static final int BATCH_ROWS = 1_000;
    private static final String SAVEPOINT = "oriel_copy";

    /// SQLSTATE of a statement that needs a transaction, if none is open.
    private static final String NO_TRANSACTION = "25P01";

    /// The syntax of the command. Names have letters and signs of any language.
    private static final Pattern COMMAND =
            Pattern.compile(
                    "(?is)(?<what>\\(.*\\)|\"[^\"]+\"|[\\w.$[^\\p{ASCII}]]+)\\s+"
                            + "(?<way>from|to)\\s+(?:'(?<quoted>[^']+)'|(?<file>\\S+?))\\s*;?");

    private final Connection connection;
    private final AtomicReference<java.sql.@Nullable Statement> running;
    private final BooleanSupplier stopped;

    /// @param running receives the running statement, so that it can be cancelled
    /// @param stopped whether the user has stopped the command
    Copy(
            Connection connection,
            AtomicReference<java.sql.@Nullable Statement> running,
            BooleanSupplier stopped) {
        this.connection = connection;
        this.running = running;
        this.stopped = stopped;
    }

    /// Executes the argument of `\copy`; returns the number of rows copied.
    long run(String argument) throws SQLException, IOException, Failure {
        Matcher command = COMMAND.matcher(argument);
        if (!command.matches()) {
            throw new Failure("\\copy takes TABLE FROM FILE, TABLE TO FILE or (QUERY) TO FILE");
        }
        String what = command.group("what");
        String file = command.group("quoted");
        if (file == null) {
            file = command.group("file");
            if (file.equalsIgnoreCase("stdin") || file.equalsIgnoreCase("stdout")) {
                throw new Failure(
                        "\\copy reads and writes files: \\format csv shows rows on the screen");
            }
        }
        Path path = FileAccess.ALL.locate(Path.of(file)); // not onto a file of a database
        if (command.group("way").equalsIgnoreCase("to")) {
            return write(what, path);
        }
        if (what.startsWith("(")) {
            throw new Failure("\\copy FROM needs a table, not a query");
        }
        return read(what, path);
    }

    private long write(String what, Path path) throws SQLException, IOException, Failure {
        String query =
                what.startsWith("(")
                        ? what.substring(1, what.length() - 1)
                        : "SELECT " + stored(what) + " FROM " + what;
        try (java.sql.Statement statement = connection.createStatement()) {
            running.set(statement);
            try (ResultSet rows = statement.executeQuery(query);
                    PrintWriter out = new PrintWriter(Files.newBufferedWriter(path))) {
                long count = write(rows, out);
                if (out.checkError()) {
                    throw new IOException("the file cannot be written: " + path);
                }
                return count;
            }
        } finally {
            running.set(null);
        }
    }

    private long write(ResultSet rows, PrintWriter out) throws SQLException, Failure {
        List<RowPrinter.Column> columns = Cells.columns(rows.getMetaData());
        CsvPrinter printer = new CsvPrinter(out, columns);
        long count = 0;
        while (rows.next()) {
            if (stopped.getAsBoolean()) {
                throw new Failure("stopped: the file has " + Figures.count(count, "row"));
            }
            printer.row(texts(rows, columns.size()));
            count++;
        }
        printer.finish();
        return count;
    }

    /// Returns the columns of `table` except the generated ones, which cannot be given values.
    private String stored(String table) throws SQLException {
        DatabaseMetaData database = connection.getMetaData();
        String pattern = Description.pattern(database, table.replace("\"", ""));
        List<String> stored = new ArrayList<>();
        boolean generated = false;
        try (ResultSet columns = database.getColumns(null, null, pattern, "%")) {
            while (columns.next()) {
                if (columns.getString("IS_GENERATEDCOLUMN").equals("YES")) {
                    generated = true;
                } else {
                    stored.add(quoted(columns.getString("COLUMN_NAME")));
                }
            }
        }
        return generated ? String.join(", ", stored) : "*";
    }

    private static String quoted(String name) {
        return "\"" + name.replace("\"", "\"\"") + "\"";
    }

    /// Returns the row in the form that the database can read back; bytes are not in SQL's notation.
    private static List<@Nullable String> texts(ResultSet rows, int columns) throws SQLException {
        List<@Nullable String> texts = new ArrayList<>(columns);
        for (int i = 1; i <= columns; i++) {
            texts.add(rows.getString(i));
        }
        return texts;
    }

    private long read(String table, Path path) throws SQLException, IOException, Failure {
        try (BufferedReader in = Files.newBufferedReader(path);
                CsvReader csv = new CsvReader(in)) {
            List<String> columns = csv.read();
            if (columns == null) {
                throw new Failure(path + " is empty: its first line is to name the columns");
            }
            return isWithinTransaction() ? within(table, columns, csv) : alone(table, columns, csv);
        }
    }

    /// Whether a transaction is open, by SQL or by JDBC; sets a savepoint in it then. JDBC does not notice a
    /// BEGIN, and would end that transaction if told to begin one.
    private boolean isWithinTransaction() throws SQLException {
        try {
            execute("SAVEPOINT " + SAVEPOINT);
            return true;
        } catch (SQLException refused) {
            if (!NO_TRANSACTION.equals(refused.getSQLState())) {
                throw refused;
            }
            return false;
        }
    }

    /// Imports as part of the open transaction, from its savepoint on.
    private long within(String table, List<String> columns, CsvReader csv)
            throws SQLException, IOException, Failure {
        long count;
        try {
            count = insert(table, columns, csv);
        } catch (SQLException | IOException | Failure | RuntimeException failure) {
            try {
                execute("ROLLBACK TO SAVEPOINT " + SAVEPOINT);
                execute("RELEASE SAVEPOINT " + SAVEPOINT);
            } catch (SQLException ended) {
                failure.addSuppressed(ended);
            }
            throw failure;
        }
        execute("RELEASE SAVEPOINT " + SAVEPOINT);
        return count;
    }

    /// Imports in its own transaction.
    private long alone(String table, List<String> columns, CsvReader csv)
            throws SQLException, IOException, Failure {
        connection.setAutoCommit(false);
        boolean done = false;
        try {
            long count = insert(table, columns, csv);
            connection.commit();
            done = true;
            return count;
        } finally {
            if (!done) {
                connection.rollback();
            }
            connection.setAutoCommit(true);
        }
    }

    private void execute(String sql) throws SQLException {
        try (java.sql.Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private long insert(String table, List<String> columns, CsvReader csv)
            throws SQLException, IOException, Failure {
        String sql =
                "INSERT INTO "
                        + table
                        + " ("
                        + String.join(", ", columns.stream().map(Copy::quoted).toList())
                        + ") OVERRIDING SYSTEM VALUE VALUES ("
                        + String.join(", ", columns.stream().map(name -> "?").toList())
                        + ")";
        long count = 0;
        try (PreparedStatement insert = connection.prepareStatement(sql)) {
            running.set(insert);
            for (List<String> row = csv.read(); row != null; row = csv.read()) {
                if (row.size() != columns.size()) {
                    throw new Failure(
                            "row "
                                    + (count + 1)
                                    + " has "
                                    + row.size()
                                    + " fields for "
                                    + columns.size()
                                    + " columns");
                }
                for (int i = 0; i < row.size(); i++) {
                    boolean none = row.get(i).isEmpty() && !csv.wasQuoted(i);
                    insert.setString(i + 1, none ? null : row.get(i));
                }
                insert.addBatch();
                count++;
                if (count % BATCH_ROWS == 0) {
                    execute(insert);
                }
            }
            if (count % BATCH_ROWS != 0) {
                execute(insert);
            }
        } finally {
            running.set(null);
        }
        return count;
    }

    private void execute(PreparedStatement batch) throws SQLException, Failure {
        if (stopped.getAsBoolean()) {
            throw new Failure("stopped: no row was copied");
        }
        batch.executeBatch();
    }
}
