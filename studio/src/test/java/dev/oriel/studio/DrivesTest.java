package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.Database;
import io.trino.tpch.TpchColumn;
import io.trino.tpch.TpchEntity;
import io.trino.tpch.TpchTable;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every view as a person uses it, on the air routes, while other sessions read and write. With `-Ddrive=whole` on TPC-H
/// too; then indexes are measured, runs are compared, and axe-core judges each view. With `-Dpictures=FOLDER` the air routes are drawn into files, some of which are in docs/studio.
class DrivesTest extends BrowserTest {
    private static final boolean WHOLE = "whole".equals(System.getProperty("drive"));
    private static final double SCALE = 0.01;
    private static final Path AIR_ROUTES =
            Path.of("..", "cli", "src", "main", "resources", "dev", "oriel", "cli", "airroutes");

    private static final Map<String, String> KEYS =
            Map.of(
                    "region", "regionkey",
                    "nation", "nationkey",
                    "supplier", "suppkey",
                    "part", "partkey",
                    "partsupp", "partkey, suppkey",
                    "customer", "custkey",
                    "orders", "orderkey",
                    "lineitem", "orderkey, linenumber");

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Person person;

    @BeforeEach
    void open() throws Exception {
        person = new Person(page);
        database = Database.open(folder.resolve("db"));
    }

    private String one(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(sql)) {
            rows.next();
            return rows.getString(1);
        }
    }

    /// What a person looks at.
    ///
    /// @param table the largest one
    /// @param sorted an indexed column of it
    /// @param reference a column that refers to `referenced`
    /// @param edited a text of the row of `referenced` with the key 1
    /// @param question a query of at least two columns
    /// @param slow a query whose filter no index has
    /// @param working a part of a statement of the load
    /// @param index a definition that makes the load faster
    private record Tour(
            String table,
            String sorted,
            String reference,
            String referenced,
            String key,
            String edited,
            String question,
            String slow,
            String working,
            String index) {}

    private void picture(String name) throws Exception {
        String folder = System.getProperty("pictures");
        if (folder != null) {
            page.run("document.activeElement?.blur()");
            page.run("document.getElementById('status').classList.remove('shown')");
            Files.createDirectories(Path.of(folder));
            Files.write(Path.of(folder, name + ".png"), page.picture());
        }
    }

    private void drive(Tour tour, String graph) throws Exception {
        enter();
        explore(tour);
        edit(tour);
        ask(tour, graph);
        why(tour);
        observe(tour);
        profile(tour);
        if (WHOLE) {
            compare(tour);
            page.size(375, 700);
            person.press("#tabs a", "Explore");
            person.reads("Largest tables");
            picture(tour.table + "-phone");
        }
    }

    private void explore(Tour tour) throws Exception {
        person.reads("Largest tables");
        assertEquals(tour.table, text("#view tbody tr a"));
        picture(tour.table + "-explore");
        person.isContent(WHOLE);
        person.press("#view td a", tour.table);
        person.sees(".grid .row");
        person.scrolls(1_500);
        person.press(".grid .head button", tour.sorted);
        page.await(
                "document.querySelector('.grid [aria-sort=ascending]')?.innerText.startsWith('"
                        + tour.sorted
                        + "')");
        person.press(".drawer button.plain", tour.reference);
        person.reads("different");
        person.chooses("select[aria-label=Column]", tour.reference);
        person.fills("input[aria-label=Value]", "1");
        person.enter();
        person.reads(tour.reference + " = 1");
        pick(1);
        person.press(".drawer dd a", "1");
        person.isAt(tour.referenced);
        page.await("document.querySelectorAll('.grid .row').length === 1");
        pick(1);
        page.await("/by .* rows?/.test(document.querySelector('.drawer').innerText)");
        picture(tour.table + "-table");
        person.isContent(WHOLE);
        person.goesBack();
        person.isAt(tour.table);
    }

    private void edit(Tour tour) throws Exception {
        person.opens("explore/table/public/" + tour.referenced + "/" + tour.key + "/1");
        page.await("document.querySelectorAll('.grid .row').length === 1");
        pick(1);
        person.press(".drawer button", "Edit");
        page.act(
                "dialog textarea",
                "x.labels[0].textContent === " + json(tour.edited),
                "it.dataset.edited = ''");
        person.fills("dialog [data-edited]", "Changed by hand");
        reads("dialog pre", "UPDATE");
        person.isContent(WHOLE);
        save();
        assertEquals(
                "Changed by hand",
                one(
                        "SELECT "
                                + tour.edited
                                + " FROM "
                                + tour.referenced
                                + " WHERE "
                                + tour.key
                                + " = 1"));
    }

    private void ask(Tour tour, String graph) throws Exception {
        person.press("#tabs a", "Ask");
        person.asks(tour.question);
        person.sees(".result .grid .row");
        assertEquals(one(tour.question), text(".result .grid .row .cell"));
        person.press(".result button", "Chart");
        person.sees(".result canvas");
        picture(tour.table + "-ask");
        person.isContent(WHOLE);
        person.press(".result button", "Graph");
        person.reads("Press a vertex");
        person.isContent(WHOLE);
        if (!graph.isEmpty()) {
            person.opens("ask/gremlin/" + graph);
            person.asks("g.V().has('airport', 'code', 'VIE').outE('route').limit(20)");
            person.reads("20 edges");
            person.reads("airport (21)");
            picture(tour.table + "-graph");
            page.focus(".picture");
            page.press("ArrowRight", RIGHT, 0);
            person.enter();
            page.await(
                    "/, (2[1-9]|[3-9][0-9]|[0-9]{3}) edges/.test(document.querySelector('.result p.dim')?.innerText ?? '')");
            person.isContent(WHOLE);
        }
    }

    private void why(Tour tour) throws Exception {
        person.press("#tabs a", "Why");
        person.asks(tour.slow);
        person.sees("[role=treeitem]");
        person.sees(".advice");
        picture(tour.table + "-methods");
        page.click(".plan .node");
        person.reads("pick it again for all");
        if (WHOLE) {
            person.press("button.primary", "Measure it");
            person.sees("p.verdict");
            picture(tour.table + "-why");
        }
        person.isContent(WHOLE);
    }

    private void observe(Tour tour) throws Exception {
        person.press("#tabs a", "Observe");
        person.press("button.card", "Statements");
        person.sees("figure canvas");
        page.act("button.code", "x.textContent.includes(" + json(tour.working) + ")", "it.click()");
        person.reads("executions were timed");
        picture(tour.table + "-figures");
        person.press("#view button", "Pause");
        person.isContent(WHOLE);
        person.press("#view button", "Go on");
    }

    private void profile(Tour tour) throws Exception {
        person.press("#tabs a", "Profile");
        person.fills("input[aria-label=Seconds]", "1");
        person.press("section:has(input[aria-label=Seconds]) button.primary", "Record");
        person.sees(".flame canvas");
        person.reads("By statement");
        picture(tour.table + "-profile");
        person.press("button", "Rings");
        person.sees(".rings canvas");
        picture(tour.table + "-rings");
        person.isContent(WHOLE);
    }

    /// Records the program before and after an index was made.
    private void compare(Tour tour) throws Exception {
        person.press("#tabs a", "Profile");
        person.fills("input[aria-label='Seconds each']", "1");
        person.fills("input[aria-label='Number of recordings']", "4");
        person.press("#view button.primary", "Record");
        page.await("document.querySelector('input[aria-label=Name]').value === 'after'");
        execute(tour.index);
        person.press("#view button.primary", "Record");
        page.await("document.querySelectorAll('.drop tbody tr').length === 8");
        person.press("#view button.primary", "Compare A with B");
        person.sees("p.verdict");
        person.reads("B's flame graph");
        picture(tour.table + "-compare");
        page.run(
                "document.querySelector('section.after:last-of-type .flame')?.scrollIntoView({block: 'end'})");
        picture(tour.table + "-difference");
        person.isContent(true);
    }

    @Test
    void theAirRoutesUnderLoad() throws Exception {
        execute(
                "CREATE TABLE airports (id INTEGER PRIMARY KEY, code VARCHAR(3) NOT NULL, icao VARCHAR(4), name VARCHAR(80) NOT NULL, region VARCHAR(8), country VARCHAR(2), city VARCHAR(40), runways INTEGER, longest INTEGER, elev INTEGER, lat DOUBLE, lon DOUBLE)",
                "CREATE TABLE routes (source INTEGER REFERENCES airports (id), target INTEGER REFERENCES airports (id), distance INTEGER NOT NULL, PRIMARY KEY (source, target))",
                copy("airports"),
                copy("routes"),
                "CREATE UNIQUE INDEX airports_code ON airports (code)",
                "CREATE INDEX routes_target ON routes (target)",
                "CREATE INDEX routes_distance ON routes (distance)",
                "CREATE PROPERTY GRAPH air VERTEX TABLES (airports LABEL airport) EDGE TABLES (routes SOURCE KEY (source) REFERENCES airports (id) DESTINATION KEY (target) REFERENCES airports (id) LABEL route)",
                "ANALYZE");
        String question =
                "SELECT a.code, b.code AS \"to\", r.distance FROM routes r JOIN airports a ON a.id = r.source JOIN airports b ON b.id = r.target WHERE r.distance > 9000 ORDER BY r.distance DESC, a.code";
        Tour tour =
                new Tour(
                        "routes",
                        "distance",
                        "target",
                        "airports",
                        "id",
                        "city",
                        question,
                        "SELECT name FROM airports WHERE longest = 12390",
                        "region = ?",
                        "CREATE INDEX airports_region ON airports (region)");
        try (Load _ =
                new Load(
                        database,
                        n ->
                                "SELECT COUNT(*) FROM routes WHERE source = "
                                        + (1 + n % 3_000)
                                        + " AND distance > 500",
                        n ->
                                "SELECT name, elev FROM airports WHERE region = 'US-"
                                        + (n % 2 == 0 ? "AK" : "TX")
                                        + "' ORDER BY elev DESC",
                        n ->
                                "UPDATE airports SET elev = elev + 1 WHERE id = "
                                        + (100 + n % 3_000))) {
            drive(tour, "air");
        }
    }

    private static String copy(String table) throws IOException {
        Path file = AIR_ROUTES.resolve(table + ".csv").toRealPath();
        return "COPY %s FROM '%s' (FORMAT CSV, HEADER)".formatted(table, file);
    }

    @Test
    void tpchUnderLoad() throws Exception {
        assumeTrue(WHOLE, "skipped: TPC-H is driven with -Ddrive=whole");
        for (TpchTable<?> table : TpchTable.getTables()) {
            load(table);
        }
        execute(
                "CREATE INDEX l_ship ON lineitem (shipdate)",
                "CREATE INDEX o_cust ON orders (custkey)",
                "ALTER TABLE lineitem ADD FOREIGN KEY (orderkey) REFERENCES orders (orderkey)",
                "ANALYZE");
        String question =
                "SELECT o.orderpriority, l.shipmode, COUNT(*) AS n FROM orders o JOIN lineitem l ON l.orderkey = o.orderkey WHERE l.commitdate < l.receiptdate GROUP BY o.orderpriority, l.shipmode ORDER BY 1, 2";
        Tour tour =
                new Tour(
                        "lineitem",
                        "shipdate",
                        "orderkey",
                        "orders",
                        "orderkey",
                        "clerk",
                        question,
                        "SELECT extendedprice FROM lineitem WHERE partkey = 7",
                        "GROUP BY shipmode",
                        "CREATE INDEX l_part ON lineitem (partkey)");
        try (Load _ =
                new Load(
                        database,
                        n ->
                                "SELECT shipmode, COUNT(*) FROM lineitem WHERE orderkey < "
                                        + (100 + n % 900)
                                        + " GROUP BY shipmode",
                        n -> "SELECT SUM(quantity) FROM lineitem WHERE partkey = " + (1 + n % 200),
                        n ->
                                n % 2 == 0
                                        ? "INSERT INTO region VALUES (" + (10 + n) + ", 'NEW', 'x')"
                                        : "DELETE FROM region WHERE regionkey = " + (9 + n))) {
            drive(tour, "");
        }
    }

    /// Makes a table of TPC-H and loads its rows from a file.
    private <E extends TpchEntity> void load(TpchTable<E> table) throws IOException, SQLException {
        String name = table.getTableName();
        String columns =
                table.getColumns().stream()
                        .map(DrivesTest::definition)
                        .collect(Collectors.joining(", "));
        Path file = folder.resolve(name + ".csv");
        try (BufferedWriter out = Files.newBufferedWriter(file)) {
            for (E row : table.createGenerator(SCALE, 1, 1)) {
                String line = row.toLine(); // it ends in a separator
                out.write(line, 0, line.length() - 1);
                out.write('\n');
            }
        }
        execute(
                "CREATE TABLE %s (%s, PRIMARY KEY (%s))".formatted(name, columns, KEYS.get(name)),
                "COPY %s FROM '%s' (FORMAT CSV, DELIMITER '|')".formatted(name, file));
    }

    private static String definition(TpchColumn<?> column) {
        String type =
                switch (column.getType().getBase()) {
                    case INTEGER, IDENTIFIER -> "INTEGER";
                    case DOUBLE -> "DECIMAL(15, 2)";
                    case DATE -> "DATE";
                    case VARCHAR -> "VARCHAR(200)";
                };
        return column.getSimplifiedColumnName().toLowerCase(Locale.ROOT) + " " + type + " NOT NULL";
    }
}
