package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.cli.RowPrinter.Column;
import dev.oriel.profiler.Watched;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// The work of the demo: loads the air routes into a new database, queries and changes it, and opens it again.
/// Reports each step on the screen, and returns the measured rates.
final class Demo {
    private static final int LONGEST_ROUTES = 10;
    private static final String B_TREE = "range query by B-tree index";
    private static final String POINT = "point query by code";
    private static final String ARRAY = "range query by array index";

    private final Screen screen;
    private final Path path;
    private final Size size;
    private final List<Rate> rates = new ArrayList<>();

    /// Amount of work in each part.
    ///
    /// @param warmUp queries of each kind before the measured ones
    /// @param queries measured queries of each kind
    /// @param updates transactions that change every airport
    record Size(int warmUp, int queries, int updates) {
        static final Size WHOLE = new Size(20_000, 50_000, 100);
        static final Size QUICK = new Size(1_000, 5_000, 10);
        static final Size PROFILED = new Size(0, 100_000, 50);
        static final Size PROFILED_QUICK = new Size(0, 20_000, 10);
    }

    /// Creates a demo with a database in the folder `path`, which must not exist.
    Demo(Screen screen, Path path, Size size) {
        this.screen = screen;
        this.path = path;
        this.size = size;
    }

    @Watched
    List<Rate> run() throws SQLException, IOException, Failure, InterruptedException {
        try (Database database = Database.open(path)) {
            try (Connection connection = database.connect()) {
                load(connection);
                AirQueries queries = new AirQueries(connection);
                ranges(queries);
                points(queries);
                longestRoutes(queries);
            }
            update(database);
        }
        reopen();
        return rates;
    }

    private void load(Connection connection) throws SQLException, IOException {
        heading("Loading the air routes (c) Kelvin R. Lawrence");
        AirRoutes.createTables(connection);
        for (String table : List.of("airports", "airports_array")) {
            long started = System.nanoTime();
            try (Progress progress = progress(table, AirRoutes.AIRPORTS)) {
                AirRoutes.loadAirports(connection, table, progress::at);
            }
            rate(
                    "load " + table + (rates.isEmpty() ? " (JVM cold)" : ""),
                    AirRoutes.AIRPORTS,
                    System.nanoTime() - started);
        }
        long started = System.nanoTime();
        try (Progress progress = progress("routes", AirRoutes.ROUTES)) {
            AirRoutes.loadRoutes(connection, progress::at);
        }
        rate("load routes", AirRoutes.ROUTES, System.nanoTime() - started);
        started = System.nanoTime();
        AirRoutes.createIndexes(connection);
        say("  4 indexes built in " + Figures.time(System.nanoTime() - started));
    }

    private Progress progress(String what, long total) {
        return new Progress(screen, what, total, System::nanoTime);
    }

    private void rate(String what, long rows, long nanos) {
        rates.add(new Rate(what, rows, rows, nanos));
    }

    private void ranges(AirQueries queries) throws SQLException {
        heading("Range queries, the first 10 rows read: SELECT name, city ... WHERE name > ?");
        queries.ranges(B_TREE, "airports", size.warmUp);
        queries.ranges(ARRAY, "airports_array", size.warmUp);
        Rate tree = queries.ranges(B_TREE, "airports", size.queries);
        Rate array = queries.ranges(ARRAY, "airports_array", size.queries);
        rates.add(tree);
        rates.add(array);
        List<Column> columns =
                List.of(
                        Column.text("index"),
                        Column.number("queries/s"),
                        Column.number("rows/s"),
                        Column.text("where"));
        TablePrinter table = new TablePrinter(screen, columns);
        table.row(hereAndNow("B-tree", tree));
        table.row(hereAndNow("array", array));
        for (List<@Nullable String> row : Axion2003.RATES) {
            table.row(row);
        }
        table.finish();
    }

    private static List<@Nullable String> hereAndNow(String index, Rate rate) {
        return List.of(
                index, rate.operationsPerSecond(), rate.rowsPerSecond(), "Oriel, here and now");
    }

    private void points(AirQueries queries) throws SQLException, Failure {
        heading("Single airports by code: SELECT name, city, elev ... WHERE code = ?");
        queries.points(POINT, size.warmUp);
        Rate points = queries.points(POINT, size.queries);
        rates.add(points);
        say("  %s queries/s".formatted(points.operationsPerSecond()));
    }

    private void longestRoutes(AirQueries queries) throws SQLException {
        heading(
                "The longest routes: ... WHERE source < target ORDER BY distance DESC LIMIT "
                        + LONGEST_ROUTES);
        List<Column> columns =
                List.of(Column.number("miles"), Column.text("between"), Column.text("and"));
        TablePrinter table = new TablePrinter(screen, columns);
        long started = System.nanoTime();
        List<List<@Nullable String>> routes = queries.longestRoutes(LONGEST_ROUTES);
        long nanos = System.nanoTime() - started;
        routes.forEach(table::row);
        table.finish();
        say("  in " + Figures.time(nanos));
    }

    private void update(Database database) throws SQLException, Failure, InterruptedException {
        heading("Changing all elevations while another thread reads them");
        ElevationCheck.Outcome outcome =
                new ElevationCheck(database).run("update every airport", size.updates);
        Rate updates = outcome.updates();
        rates.add(updates);
        say(
                "  %s, %s rows/s; meanwhile a reader added up %s, all consistent"
                        .formatted(
                                Figures.count(updates.operations(), "transaction"),
                                updates.rowsPerSecond(),
                                Figures.count(outcome.snapshots(), "snapshot")));
    }

    private void reopen() throws SQLException, Failure {
        heading("Closing the database and opening it again");
        long started = System.nanoTime();
        try (Database database = Database.open(path);
                Connection connection = database.connect()) {
            AirQueries queries = new AirQueries(connection);
            long opened = System.nanoTime() - started;
            long airports = queries.number("SELECT COUNT(*) FROM airports");
            long routes = queries.number("SELECT COUNT(*) FROM routes");
            if (airports != AirRoutes.AIRPORTS || routes != AirRoutes.ROUTES) {
                throw new Failure(
                        String.format(
                                Locale.ROOT,
                                "after reopening there are %,d airports and %,d routes, not %,d and %,d",
                                airports,
                                routes,
                                AirRoutes.AIRPORTS,
                                AirRoutes.ROUTES));
            }
            say(
                    "  open after %s; %s and %s, as loaded"
                            .formatted(
                                    Figures.time(opened),
                                    Figures.count(airports, "airport"),
                                    Figures.count(routes, "route")));
        }
    }

    private void heading(String text) {
        screen.out().println();
        screen.out().println(screen.bold(text));
        screen.out().flush();
    }

    private void say(String text) {
        screen.out().println(text);
        screen.out().flush();
    }
}
