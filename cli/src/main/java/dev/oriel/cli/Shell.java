package dev.oriel.cli;

import dev.oriel.Transaction;
import dev.oriel.cli.StatementSplitter.Statement;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.TableGraph;
import dev.oriel.io.FileAccess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jline.reader.Completer;
import org.jline.reader.Parser;
import org.jspecify.annotations.Nullable;

/// Runs SQL statements and the shell's own commands, which begin with a backslash, over a JDBC connection, and
/// prints the results. It does not handle keyboards; see [Repl].
///
/// Belongs to one thread; [#cancel()] alone may be called by any.
final class Shell implements Language {
    static final String STOPPED = "stopped: neither this nor the rest was run";
    private static final int INCLUDE_DEPTH_MAX = 16;
    private static final int FLUSH_ROWS = 1_000;
    private static final String NO_TRANSACTION = "25P01";

    /// A quoted file name, which may hold blanks.
    private static final Pattern QUOTED = Pattern.compile("^'([^']+)'$");

    /// Optional mark at the beginning of a file, which some programs write.
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private static final String HELP =
            """
            A statement may take several lines; it ends with a semicolon.
              \\d           the tables and views
              \\d TABLE     the columns, keys and indexes of a table
              \\df          the functions that users have added
              \\df PATTERN  functions by name, such as \\df lpad or \\df regexp*
              \\i FILE      run the statements in a file, up to the first error
              \\explain SQL run a statement and show how long each step took;
                          with > FILE.html before the SQL it becomes a page
              \\watch S N   run the last statement again every S seconds, N times
              \\top S N     what sessions do now, and which statements took most time
              \\copy T FROM FILE   rows of a CSV file into a table, all or none
              \\copy T TO FILE     a table, or a query in parentheses, into a CSV file
              \\gremlin T   run a traversal, in the transaction that is open
              \\graph NAME  the graph of \\gremlin; without NAME the one without a name
              \\format F    show rows as table, blocks, csv, json or markdown
              \\timing      show times, or stop showing them (on, off)
              \\x           show each row as a block of lines, or stop (on, off)
              \\?           this help
              \\q           leave (so does Ctrl-D); Ctrl-C cancels the running statement\
            """;

    private final Connection connection;
    private final Supplier<Screen> screens;
    private final AtomicReference<java.sql.@Nullable Statement> running = new AtomicReference<>();
    private final AtomicReference<@Nullable GremlinShell> traversals = new AtomicReference<>();
    private final WatchCommand repetition = new WatchCommand();
    private OutputFormat format;
    private boolean timing;
    private String last = "";
    private int includeDepth;

    /// Name of the graph for traversals.
    private String graph = "";

    /// Whether the user has stopped the work begun at the prompt.
    private volatile boolean stopped;

    /// Creates a shell over `connection`.
    ///
    /// @param format format of rows, until `\format` changes it
    /// @param screens gives the current screen: a window may be resized
    Shell(Connection connection, OutputFormat format, Supplier<Screen> screens) {
        this.connection = connection;
        this.format = format;
        this.screens = screens;
        this.timing = screens.get().terminal();
    }

    @Override
    public String greeting() {
        return "Statements end with a semicolon. \\? for help, \\q or Ctrl-D to leave.";
    }

    @Override
    public String prompt() {
        return "oriel> ";
    }

    @Override
    public Parser parser() {
        return StatementParser.ofSql();
    }

    @Override
    public Completer completer() {
        return new NameCompleter(connection);
    }

    @Override
    public String historyName() {
        return "history";
    }

    @Override
    public boolean isCommand(String line) {
        return isTyped(line);
    }

    /// Whether `line`, typed at a prompt, is a command: with a backslash, or a word known from other shells.
    static boolean isTyped(String line) {
        return isShellCommand(line) || !meant(word(line)).isEmpty();
    }

    /// Strips the final semicolon, which only statements need.
    private static String word(String line) {
        String text = line.strip();
        return text.endsWith(";") ? text.substring(0, text.length() - 1).strip() : text;
    }

    /// Returns the command for a word of other shells; empty if there is none.
    private static String meant(String word) {
        return switch (word.toLowerCase(Locale.ROOT)) {
            case "exit", "quit" -> "\\q";
            case "help" -> "\\?";
            default -> "";
        };
    }

    static boolean isShellCommand(String line) {
        String text = line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line;
        return text.stripLeading().startsWith("\\");
    }

    @Override
    public void run(String typed) throws SQLException, Failure {
        stopped = false;
        StatementSplitter splitter = new StatementSplitter();
        splitter.add(typed);
        for (Statement s = splitter.next(); s != null; s = splitter.next()) {
            checkGoesOn();
            execute(s.text());
        }
    }

    @Override
    public void cancel() {
        stopped = true;
        repetition.stop();
        GremlinShell traversal = traversals.get();
        if (traversal != null) {
            traversal.cancel();
        }
        java.sql.Statement statement = running.get();
        if (statement == null) {
            return;
        }
        try {
            statement.cancel();
        } catch (SQLException e) {
            Screen screen = screens.get();
            screen.out().println(Failures.message(e));
            screen.out().flush();
        }
    }

    /// Runs one statement and prints its result.
    void execute(String sql) throws SQLException {
        last = sql;
        long started = System.nanoTime();
        try (java.sql.Statement statement = connection.createStatement()) {
            running.set(statement);
            if (statement.execute(sql)) {
                try (ResultSet rows = statement.getResultSet()) {
                    print(rows, started);
                }
            } else {
                report(changed(sql, statement.getUpdateCount()), started);
            }
            for (SQLWarning warning = statement.getWarnings();
                    warning != null;
                    warning = warning.getNextWarning()) {
                screens.get().out().println("Warning: " + warning.getMessage());
            }
        } finally {
            running.set(null);
            screens.get().out().flush();
        }
    }

    @Override
    public boolean command(String line) throws SQLException, IOException, Failure {
        String text = word(line.startsWith(BYTE_ORDER_MARK) ? line.substring(1) : line);
        String known = meant(text);
        String[] words = (known.isEmpty() ? text : known).split("\\s+", 2);
        String argument = words.length > 1 ? words[1].strip() : "";
        Screen screen = screens.get();
        if (includeDepth == 0) {
            stopped = false;
        }
        switch (words[0]) {
            case "\\q" -> {
                return false;
            }
            case "\\?" -> screen.out().println(HELP);
            case "\\d" -> new Description(connection, screen).print(argument);
            case "\\df" -> new FunctionList(connection, screen).print(argument);
            case "\\i" -> include(QUOTED.matcher(argument).replaceFirst("$1"));
            case "\\explain" -> explain(argument);
            case "\\watch" -> watch(argument);
            case "\\top" -> top(argument);
            case "\\copy" -> {
                long count = new Copy(connection, running, () -> stopped).run(argument);
                say("(" + Figures.count(count, "row") + " copied)");
            }
            case "\\gremlin" -> gremlin(argument);
            case "\\graph" -> {
                graph = argument;
                say("Traversals run over " + (graph.isEmpty() ? "the graph." : graph + "."));
            }
            case "\\format" -> showAs(argument);
            case "\\timing" -> {
                timing = toggled("\\timing", timing, argument);
                say("Times are " + (timing ? "shown." : "not shown."));
            }
            case "\\x" -> {
                boolean blocks = toggled("\\x", format == OutputFormat.BLOCKS, argument);
                format = blocks ? OutputFormat.BLOCKS : OutputFormat.TABLE;
                say(blocks ? "Rows are shown as blocks." : "Rows are shown as lines.");
            }
            default -> throw new Failure("there is no command " + words[0] + ": \\? lists all");
        }
        screen.out().flush();
        return true;
    }

    /// Runs a traversal in the connection's transaction, or in its own if none is open. A failed one changes
    /// nothing.
    private void gremlin(String traversal) throws SQLException, Failure {
        if (traversal.isEmpty()) {
            throw new Failure("\\gremlin needs a traversal");
        }
        boolean alone = !isTransactionOpen();
        if (alone) {
            connection.setAutoCommit(false);
        }
        boolean done = false;
        try {
            Transaction transaction = Transaction.of(connection);
            Transaction.Savepoint before = transaction.savepoint();
            try {
                GremlinShell shell = new GremlinShell(graph(transaction), format, screens).joined();
                traversals.set(shell);
                shell.run(traversal);
                done = true;
            } finally {
                traversals.set(null);
                if (!done) {
                    transaction.rollbackTo(before);
                }
                transaction.release(before);
            }
            if (alone) {
                connection.commit();
            }
        } catch (RuntimeException e) {
            done = false;
            throw new Failure(Failures.message(e), e);
        } finally {
            if (alone) {
                if (!done) {
                    connection.rollback();
                }
                connection.setAutoCommit(true);
            }
        }
    }

    private Graph graph(Transaction transaction) {
        try {
            return TableGraph.in(transaction, graph);
        } catch (IllegalArgumentException _) {
            return OrielGraph.in(transaction, graph); // which lists the existing graphs
        }
    }

    private boolean isTransactionOpen() throws SQLException {
        try {
            Transaction _ = Transaction.of(connection);
            return true;
        } catch (SQLException e) {
            if (NO_TRANSACTION.equals(e.getSQLState())) {
                return false;
            }
            throw e;
        }
    }

    private void showAs(String argument) throws Failure {
        boolean asked = argument.isEmpty();
        format = asked ? format : OutputFormat.of(argument);
        if (asked || !format.forPrograms()) {
            screens.get().out().println("Rows are shown as " + format.word() + ".");
        }
    }

    /// Prints a line that is no row, if a person is to read it.
    private void say(String line) {
        if (!format.forPrograms()) {
            screens.get().out().println(line);
        }
    }

    private void explain(String argument) throws SQLException, IOException, Failure {
        String sql = argument;
        String file = "";
        if (argument.startsWith(">")) {
            String[] words = argument.substring(1).strip().split("\\s+", 2);
            file = words[0];
            sql = words.length > 1 ? words[1] : "";
        }
        if (sql.isEmpty()) {
            throw new Failure("\\explain needs a statement");
        }
        String format = file.isEmpty() ? "TEXT" : "HTML";
        try (java.sql.Statement statement = connection.createStatement()) {
            running.set(statement);
            try (ResultSet lines =
                    statement.executeQuery("EXPLAIN (ANALYZE, FORMAT " + format + ") " + sql)) {
                StringBuilder text = new StringBuilder();
                while (lines.next()) {
                    text.append(lines.getString(1)).append('\n');
                }
                if (file.isEmpty()) {
                    screens.get().out().print(text);
                } else {
                    Files.writeString(FileAccess.ALL.locate(Path.of(file)), text);
                    say("(written to " + file + ")");
                }
            }
        } finally {
            running.set(null);
        }
    }

    private void watch(String argument) throws SQLException, IOException, Failure {
        String sql = last;
        if (sql.isEmpty()) {
            throw new Failure("\\watch runs the last statement again, and there is none");
        }
        repetition.run("\\watch", argument, 0, () -> repeat(List.of(sql)));
    }

    /// Runs the statements once more; ends if the output has lost its reader.
    private void repeat(List<String> statements) throws SQLException {
        for (String sql : statements) {
            execute(sql);
        }
        if (screens.get().out().checkError()) {
            repetition.stop();
        }
    }

    private void top(String argument) throws SQLException, IOException, Failure {
        String before = last;
        repetition.run(
                "\\top", argument, screens.get().terminal() ? 0 : 1, () -> repeat(Top.QUERIES));
        last = before;
    }

    static boolean toggled(String command, boolean now, String argument) throws Failure {
        return switch (argument) {
            case "" -> !now;
            case "on" -> true;
            case "off" -> false;
            default -> throw new Failure(command + " takes on or off, not " + argument);
        };
    }

    private void include(String file) throws SQLException, IOException, Failure {
        if (file.isEmpty()) {
            throw new Failure("\\i needs the name of a file");
        }
        if (includeDepth == INCLUDE_DEPTH_MAX) {
            throw new Failure("files include each other more than " + INCLUDE_DEPTH_MAX + " deep");
        }
        includeDepth++;
        try (BufferedReader in = Files.newBufferedReader(FileAccess.ALL.locate(Path.of(file)))) {
            script(in, file);
        } finally {
            includeDepth--;
        }
    }

    /// Runs all statements and commands of a text, up to the first error or `\q`.
    ///
    /// @param name name of the text in errors; empty to omit it
    /// @return whether to continue
    @Override
    public boolean script(BufferedReader in, String name) throws IOException, Failure {
        StatementSplitter splitter = new StatementSplitter();
        int number = 0;
        for (String line = line(in); line != null; line = line(in)) {
            number++;
            if (splitter.between() && isShellCommand(line)) {
                splitter.skip();
                if (!commandAt(line, name, number)) {
                    return false;
                }
                continue;
            }
            splitter.add(line);
            for (Statement s = splitter.next(); s != null; s = splitter.next()) {
                executeAt(s, name);
            }
        }
        Statement rest = splitter.rest();
        if (rest != null) {
            executeAt(rest, name);
        }
        return true;
    }

    /// Returns the next line without the LF that ends it; null at the end. A CR stays: in a string it is text,
    /// elsewhere a blank.
    private static @Nullable String line(BufferedReader in) throws IOException {
        int c = in.read();
        if (c < 0) {
            return null;
        }
        StringBuilder line = new StringBuilder();
        while (c >= 0 && c != '\n') {
            line.append((char) c);
            c = in.read();
        }
        return line.toString();
    }

    private void executeAt(Statement statement, String name) throws Failure {
        try {
            checkGoesOn();
            execute(statement.text());
        } catch (SQLException | Failure e) {
            throw new Failure(place(name, statement.line()) + Failures.message(e), e);
        }
    }

    private boolean commandAt(String line, String name, int number) throws Failure {
        try {
            checkGoesOn();
            return command(line);
        } catch (SQLException | IOException | Failure e) {
            throw new Failure(place(name, number) + Failures.message(e), e);
        }
    }

    private void checkGoesOn() throws Failure {
        if (stopped) {
            throw new Failure(STOPPED);
        }
    }

    static String place(String name, int line) {
        return name.isEmpty() ? "" : name + ", line " + line + ": ";
    }

    private void print(ResultSet rows, long started) throws SQLException {
        Screen screen = screens.get();
        ResultSetMetaData shape = rows.getMetaData();
        List<RowPrinter.Column> columns = Cells.columns(shape);
        RowPrinter printer = format.printer(screen, columns);
        Cells cells = new Cells(rows, shape);
        long count = 0;
        while (rows.next()) {
            printer.row(cells.read());
            count++;
            if (count % FLUSH_ROWS == 0 && screen.out().checkError()) {
                return; // The reader has gone: `oriel sql ... | head`.
            }
        }
        long ended = System.nanoTime();
        printer.finish();
        say(screen.dim(closing(Figures.count(count, "row"), ended - started)));
    }

    private void report(String what, long started) {
        say(screens.get().dim(closing(what, System.nanoTime() - started)));
    }

    private String closing(String what, long nanos) {
        return timing ? "(" + what + ", " + Figures.time(nanos) + ")" : "(" + what + ")";
    }

    private static String changed(String sql, int count) {
        int end = 0;
        while (end < sql.length() && Character.isLetter(sql.charAt(end))) {
            end++;
        }
        return switch (sql.substring(0, end).toUpperCase(Locale.ROOT)) {
            case "INSERT" -> Figures.count(count, "row") + " inserted";
            case "UPDATE" -> Figures.count(count, "row") + " updated";
            case "DELETE" -> Figures.count(count, "row") + " deleted";
            case "MERGE" -> Figures.count(count, "row") + " merged";
            default -> "done";
        };
    }
}
