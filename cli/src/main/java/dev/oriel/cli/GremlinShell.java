package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.Transaction;
import dev.oriel.graph.OrielGraph;
import dev.oriel.graph.TableGraph;
import dev.oriel.io.FileAccess;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinAntlrToJava;
import org.apache.tinkerpop.gremlin.language.grammar.GremlinQueryParser;
import org.apache.tinkerpop.gremlin.language.grammar.VariableResolver.DirectVariableResolver;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.AbstractExplanation;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jline.reader.Completer;
import org.jline.reader.Parser;
import org.jspecify.annotations.Nullable;

/// Runs Gremlin statements and the shell's own commands, which begin with a colon, over a graph, and prints the
/// results. TinkerPop's grammar parses the statements; it knows only traversals of `g`, so they cannot run code.
///
/// A successful statement is committed, a failed one rolled back, unless `:begin` has begun a transaction.
final class GremlinShell implements Language {
    private static final int INCLUDE_DEPTH_MAX = 16;
    private static final int EXPLANATION_COLUMNS = 160;
    private static final String HELP =
            """
            A statement is a traversal of g. It ends with its line, unless a bracket is open, the line ends
            with a dot or a comma, or the next one begins with a dot; several in a line are parted by semicolons.
              :schema              labels, property keys and indexes
              :explain TRAVERSAL   what strategies make of a traversal, without running it
              :profile TRAVERSAL   run a traversal and show how long each step took
              :load FILE           run the statements in a file, up to the first error
              :begin               keep what follows in one transaction, SQL too
              :commit, :rollback   end it
              :sql STATEMENT       run SQL over the same database, in the transaction that is open
              :format F            show results as table, blocks, csv, json or markdown
              :timing              show times, or stop showing them (on, off)
              :help                this help
              :quit                leave (so does Ctrl-D); Ctrl-C cancels the running statement\
            """;

    private final @Nullable Database database;
    private final String name;
    private final Graph own;

    /// Transaction over SQL and the graph begun by `:begin`, if there is one.
    private @Nullable Transaction shared;

    /// The graph that statements use now.
    private Graph graph;

    private GraphTraversalSource g;
    private final Supplier<Screen> screens;
    private final AtomicReference<@Nullable Thread> running = new AtomicReference<>();
    private OutputFormat format;
    private boolean timing;
    private boolean begun;
    private int includeDepth;

    /// Whether the user has stopped the work begun at the prompt.
    private volatile boolean stopped;

    /// Creates a shell over a graph in its database.
    ///
    /// @param screens gives the current screen: a window may be resized
    GremlinShell(Place place, OutputFormat format, Supplier<Screen> screens) {
        this(place.database, place.name, place.graph, format, screens);
    }

    /// A graph in its database.
    ///
    /// @param name name of the graph
    record Place(Database database, Graph graph, String name) {}

    /// Creates a shell over a graph alone, or over the graph of a transaction, which it does not end.
    GremlinShell(Graph graph, OutputFormat format, Supplier<Screen> screens) {
        this(null, "", graph, format, screens);
    }

    private GremlinShell(
            @Nullable Database database,
            String name,
            Graph graph,
            OutputFormat format,
            Supplier<Screen> screens) {
        this.database = database;
        this.name = name;
        this.own = graph;
        this.graph = graph;
        this.g = graph.traversal();
        this.format = format;
        this.screens = screens;
        this.timing = screens.get().terminal();
    }

    /// Leaves the end of the transaction to the caller.
    GremlinShell joined() {
        begun = true;
        return this;
    }

    @Override
    public String greeting() {
        return "Type a traversal of g. :help for help, :quit or Ctrl-D to leave.";
    }

    @Override
    public String prompt() {
        return "gremlin> ";
    }

    @Override
    public Parser parser() {
        return new StatementParser(
                line -> isCommand(line) || GremlinSplitter.complete(line),
                "a bracket or a string is open",
                ':');
    }

    @Override
    public Completer completer() {
        return new GremlinCompleter(this::names);
    }

    @Override
    public String historyName() {
        return "gremlin-history";
    }

    @Override
    public boolean isCommand(String line) {
        return line.stripLeading().startsWith(":");
    }

    @Override
    public void cancel() {
        stopped = true;
        Thread thread = running.get();
        if (thread != null) {
            thread.interrupt();
        }
    }

    @Override
    public void run(String typed) throws Failure {
        stopped = false;
        GremlinSplitter splitter = new GremlinSplitter();
        typed.lines().forEach(splitter::add);
        splitter.end();
        for (GremlinSplitter.Statement s = splitter.next(); s != null; s = splitter.next()) {
            checkGoesOn();
            execute(s.text());
        }
    }

    private void checkGoesOn() throws Failure {
        if (stopped) {
            throw new Failure(Shell.STOPPED);
        }
    }

    /// Runs one statement and prints its result.
    private void execute(String statement) throws Failure {
        inTransaction(() -> {
            long started = System.nanoTime();
            Object parsed = parse(statement);
            NamedLabels named = NamedLabels.of(parsed);
            show(parsed, started);
            if (!named.isEmpty()) {
                named.unknown(names()).forEach(this::say);
            }
        });
    }

    /// Does `work`, then commits its transaction, or rolls it back on a failure.
    private void inTransaction(Runnable work) throws Failure {
        running.set(Thread.currentThread());
        boolean done = false;
        try {
            work.run();
            if (!begun && graph.tx().isOpen()) {
                graph.tx().commit();
            }
            done = true;
        } catch (TraversalInterruptedException _) {
            throw new Failure("the statement was cancelled");
        } catch (RuntimeException e) {
            throw new Failure("ERROR: " + message(e), e);
        } finally {
            running.set(null);
            boolean _ = Thread.interrupted(); // drops a cancellation that came too late
            if (!done && !begun && graph.tx().isOpen()) {
                graph.tx().rollback();
            }
            screens.get().out().flush();
        }
    }

    /// Returns the message of `e`, or its class if it has none.
    private static String message(RuntimeException e) {
        Throwable cause = e.getMessage() == null && e.getCause() != null ? e.getCause() : e;
        return Objects.requireNonNullElse(cause.getMessage(), cause.toString());
    }

    /// Parses the statement, most often to a traversal that has not begun yet.
    private @Nullable Object parse(String statement) {
        return GremlinQueryParser.parse(
                statement, new GremlinAntlrToJava(g, new DirectVariableResolver(Map.of())));
    }

    private GraphTraversal<?, ?> traversal(String statement) {
        if (parse(statement) instanceof GraphTraversal<?, ?> traversal) {
            return traversal;
        }
        throw new IllegalArgumentException("not a traversal, or one that has ended: " + statement);
    }

    private void show(@Nullable Object result, long started) {
        switch (result) {
            case null -> close("done", started);
            case AbstractExplanation explanation -> text(explain(explanation));
            case Iterator<?> results -> showAll(results, started);
            case Iterable<?> results -> showAll(results.iterator(), started);
            default -> showAll(List.of(result).iterator(), started);
        }
    }

    private void showAll(Iterator<?> results, long started) {
        Screen screen = screens.get();
        if (!results.hasNext() && !format.forPrograms()) {
            close(Figures.count(0, "result"), started);
            return;
        }
        if (format == OutputFormat.JSON) {
            json(results, screen.out());
            return;
        }
        Iterator<?> shown = results;
        if (results.hasNext()) {
            Object first = results.next();
            if (first instanceof TraversalMetrics metrics) {
                text(metrics.toString());
                return;
            }
            shown = new Resumed(first, results);
        }
        ResultRows rows = new ResultRows(screen, columns -> format.printer(screens.get(), columns));
        long count = rows.print(shown);
        if (!format.forPrograms()) {
            close(Figures.count(count, "result"), started);
        }
    }

    /// An iterator that returns a first element already taken, then the rest.
    private static final class Resumed implements Iterator<@Nullable Object> {
        private final @Nullable Object first;
        private final Iterator<?> rest;
        private boolean began;

        Resumed(@Nullable Object first, Iterator<?> rest) {
            this.first = first;
            this.rest = rest;
        }

        @Override
        public boolean hasNext() {
            return !began || rest.hasNext();
        }

        @Override
        public @Nullable Object next() {
            if (began) {
                return rest.next();
            }
            began = true;
            return first;
        }
    }

    private static void json(Iterator<?> results, PrintWriter out) {
        out.print('[');
        boolean first = true;
        while (results.hasNext()) {
            StringBuilder line = new StringBuilder(first ? "\n" : ",\n");
            first = false;
            ResultJson.append(line, results.next());
            out.print(line);
        }
        out.print(first ? "]\n" : "\n]\n");
    }

    private String explain(AbstractExplanation explanation) {
        Screen screen = screens.get();
        return explanation.prettyPrint(screen.terminal() ? screen.columns() : EXPLANATION_COLUMNS);
    }

    private void text(String text) {
        screens.get().out().println(text);
    }

    private void close(String what, long started) {
        String time = timing ? ", " + Figures.time(System.nanoTime() - started) : "";
        say(screens.get().dim("(" + what + time + ")"));
    }

    /// Prints a line that is no result, if a person is to read it.
    private void say(String line) {
        if (!format.forPrograms()) {
            text(line);
        }
    }

    @Override
    public boolean command(String line) throws IOException, Failure {
        String[] words = line.strip().split("\\s+", 2);
        String argument = words.length > 1 ? words[1].strip() : "";
        Screen screen = screens.get();
        if (includeDepth == 0) {
            stopped = false;
        }
        switch (words[0]) {
            case ":quit", ":q" -> {
                return false;
            }
            case ":help", ":?" -> screen.out().println(HELP);
            case ":schema" -> inTransaction(() -> schema(screen.out()));
            case ":explain" -> {
                needs(argument, ":explain needs a traversal");
                inTransaction(() -> text(explain(traversal(argument).explain())));
            }
            case ":profile" -> {
                needs(argument, ":profile needs a traversal");
                inTransaction(() -> text(traversal(argument).profile().next().toString()));
            }
            case ":load" -> include(argument);
            case ":begin" -> begin();
            case ":commit" -> end((commit, _) -> commit.run(), "committed");
            case ":rollback" -> end((_, rollback) -> rollback.run(), "rolled back");
            case ":sql" -> sql(argument);
            case ":format" -> showAs(argument);
            case ":timing" -> {
                timing = Shell.toggled(":timing", timing, argument);
                say("Times are " + (timing ? "shown." : "not shown."));
            }
            default -> throw new Failure("there is no command " + words[0] + ": :help lists all");
        }
        screen.out().flush();
        return true;
    }

    private void showAs(String argument) throws Failure {
        boolean asked = argument.isEmpty();
        format = asked ? format : OutputFormat.of(argument);
        if (asked || !format.forPrograms()) {
            text("Results are shown as " + format.word() + ".");
        }
    }

    private static void needs(String argument, String message) throws Failure {
        if (argument.isEmpty()) {
            throw new Failure(message);
        }
    }

    private void begin() throws Failure {
        if (begun) {
            throw new Failure("a transaction is open already; :commit or :rollback ends it");
        }
        Database of = database;
        if (of != null) {
            if (own.tx().isOpen()) {
                own.tx().rollback(); // it has only read
            }
            Transaction transaction = of.begin();
            shared = transaction;
            graph =
                    own instanceof TableGraph
                            ? TableGraph.in(transaction, name)
                            : OrielGraph.in(transaction, name);
            g = graph.traversal();
        }
        begun = true;
        say("(begun)");
    }

    /// Runs SQL statements, in the open transaction, or each in its own.
    private void sql(String statements) throws Failure {
        needs(statements, ":sql needs a statement");
        Database of = database;
        if (of == null) {
            throw new Failure("this graph has no database for SQL");
        }
        Transaction transaction = shared;
        try {
            if (transaction == null && own.tx().isOpen()) {
                own.tx().rollback(); // it has only read
            }
            if (transaction != null) {
                new Shell(transaction.connection(), format, screens).run(statements + ";");
            } else {
                try (Connection connection = of.connect()) {
                    new Shell(connection, format, screens).run(statements + ";");
                }
            }
        } catch (SQLException e) {
            throw new Failure(Failures.message(e), e);
        }
    }

    /// Ends a transaction by one of its two actions, commit and rollback.
    private interface Ending {
        void accept(Runnable commit, Runnable rollback);
    }

    private void end(Ending ending, String what) throws Failure {
        if (!begun) {
            throw new Failure("there is no transaction; :begin begins one");
        }
        begun = false;
        Transaction transaction = shared;
        if (transaction == null) {
            inTransaction(() -> {
                if (graph.tx().isOpen()) {
                    ending.accept(graph.tx()::commit, graph.tx()::rollback);
                }
            });
        } else {
            shared = null;
            graph = own;
            g = own.traversal();
            inTransaction(() -> {
                try (transaction) {
                    ending.accept(transaction::commit, transaction::rollback);
                }
            });
        }
        say("(" + what + ")");
    }

    /// Closes the transaction, if one is still open.
    void close() {
        Transaction transaction = shared;
        if (transaction != null) {
            transaction.close();
        }
    }

    /// Returns the current names; the transaction is left as it was.
    private GraphNames names() {
        boolean open = own.tx().isOpen();
        try {
            return GraphNames.of(own);
        } finally {
            if (!open && own.tx().isOpen()) {
                own.tx().rollback();
            }
        }
    }

    private void schema(PrintWriter out) {
        GraphNames names = names();
        out.println("vertex labels  " + String.join(", ", names.vertexLabels()));
        out.println("edge labels    " + String.join(", ", names.edgeLabels()));
        out.println("property keys  " + String.join(", ", names.propertyKeys()));
        out.println("indexes        " + String.join(", ", names.indexes()));
    }

    private void include(String file) throws IOException, Failure {
        needs(file, ":load needs the name of a file");
        if (includeDepth == INCLUDE_DEPTH_MAX) {
            throw new Failure("files load each other more than " + INCLUDE_DEPTH_MAX + " deep");
        }
        includeDepth++;
        try (BufferedReader in = Files.newBufferedReader(FileAccess.ALL.locate(Path.of(file)))) {
            script(in, file);
        } finally {
            includeDepth--;
        }
    }

    /// Runs all statements and commands of a text, up to the first error or `:quit`.
    ///
    /// @param name name of the text in errors; empty to omit it
    /// @return whether to continue
    @Override
    public boolean script(BufferedReader in, String name) throws IOException, Failure {
        GremlinSplitter splitter = new GremlinSplitter();
        int number = 0;
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            number++;
            if (splitter.between() && isCommand(line)) {
                splitter.skip();
                runReady(splitter, name);
                if (!commandAt(line, name, number)) {
                    return false;
                }
                continue;
            }
            splitter.add(line);
            runReady(splitter, name);
        }
        splitter.end();
        runReady(splitter, name);
        return true;
    }

    private void runReady(GremlinSplitter splitter, String name) throws Failure {
        for (GremlinSplitter.Statement s = splitter.next(); s != null; s = splitter.next()) {
            try {
                checkGoesOn();
                execute(s.text());
            } catch (Failure e) {
                throw new Failure(Shell.place(name, s.line()) + e.getMessage(), e);
            }
        }
    }

    private boolean commandAt(String line, String name, int number) throws Failure {
        try {
            checkGoesOn();
            return command(line);
        } catch (IOException | Failure e) {
            throw new Failure(Shell.place(name, number) + Failures.message(e), e);
        }
    }
}
