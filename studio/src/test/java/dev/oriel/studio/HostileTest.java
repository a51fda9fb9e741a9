package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.sql.Connection;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The page in the hands of clumsy and hostile people: strange names and values, very wide and very long rows, other
/// sessions that change what is shown, pages that are closed and loaded again.
class HostileTest extends BrowserTest {
    private static final List<String> NAMES =
            List.of(
                    "quo\"te and 'quote'",
                    "</script><script>document.title='taken'</script>",
                    "\u202eRTL \u05e9\u05dc\u05d5\u05dd",
                    "\ud83e\udd89 \ud83d\udc69\u200d\ud83d\udc69\u200d\ud83d\udc67",
                    "\ud83e\udd89".repeat(250),
                    "a.b/c?d#e%20f&g=h",
                    " blank ",
                    "null",
                    "__proto__",
                    "constructor",
                    "line\nline\ttab");

    @BeforeEach
    void open() {
        database = Database.inMemory();
    }

    private String one(String sql) throws Exception {
        return Browser.inside(studio).query(sql).get(1).path("row").get(0).asText();
    }

    private void table(String name) throws Exception {
        String encoded = page.run("encodeURIComponent(" + json(name) + ")").asText();
        page.show("explore", WELCOME);
        page.show("explore/table/public/" + encoded, "document.querySelector('#view .bar h2')");
        page.await("document.querySelector('#view .grid .row, #view .empty, #view .body .error')");
    }

    /// Nothing of the data ran, nothing was said in the console, nothing lies beyond the edge.
    private void check() throws Exception {
        isQuiet();
        int over =
                page.run(
                                "document.documentElement.scrollWidth - document.documentElement.clientWidth")
                        .asInt();
        assertEquals(0, over, "pixels beyond the edge");
    }

    @Test
    void tablesAndColumnsOfAnyNameAreShownAndChanged() throws Exception {
        for (String name : NAMES) {
            String quoted = Names.quoted(name);
            execute(
                    "CREATE TABLE %1$s (%1$s INTEGER PRIMARY KEY, t VARCHAR, n INTEGER)"
                            .formatted(quoted));
            execute("INSERT INTO " + quoted + " VALUES (7, '" + name.replace("'", "''") + "', 1)");
        }
        execute("CREATE SCHEMA constructor");
        execute("CREATE TABLE constructor.__proto__ (id INTEGER PRIMARY KEY)");
        enter();
        for (String name : NAMES) {
            table(name);
            page.await("document.querySelectorAll('.grid .row').length === 1");
            page.click(".drawer button.plain", name.strip().substring(0, 2));
            page.await("document.querySelector('.drawer dl')?.innerText.includes('different')");
            pick(1);
            page.click(".drawer button", "Edit");
            fillField(2, "2", "UPDATE");
            save();
            assertEquals("2", one("SELECT n FROM " + Names.quoted(name)));
            check();
        }
        write("ask/sql", "SELECT * FROM constructor.");
        page.await("document.querySelector('.cm-tooltip-autocomplete')");
        check();
    }

    @Test
    void strangeValuesAreShown() throws Exception {
        execute(
                "CREATE TABLE odd (id INTEGER PRIMARY KEY, d DOUBLE, r REAL, n NUMERIC, day DATE, at TIMESTAMP, zoned TIMESTAMP WITH TIME ZONE, span INTERVAL, doc JSON, list INTEGER[], raw VARBINARY(10), id2 UUID, flag BOOLEAN, text VARCHAR)");
        execute("INSERT INTO odd (id) SELECT i FROM GENERATE_SERIES(1, 20) AS g(i)");
        execute(
                "INSERT INTO odd VALUES (21, 'NaN', 'Infinity', 'NaN', '0044-03-15 BC', '0044-03-15 12:00:00 BC', 'infinity', '-1 month', '{\"a\": null}', ARRAY[1, NULL], X'00', '123e4567-e89b-12d3-a456-426614174000', TRUE, ''),"
                        + " (22, '-Infinity', 'NaN', 'Infinity', '-infinity', 'infinity', '2026-01-01 00:00:00+05', '1 day', '[]', ARRAY[2], X'', NULL, FALSE, 'x'),"
                        + " (23, 1.5, 1, 2, '2026-01-01', '2026-01-01', '2026-01-01', '1 day', '1', NULL, NULL, NULL, NULL, 'y'),"
                        + " (24, 2.5, 3, 4, '2026-02-01', '2026-02-01', '2026-02-01', '1 day', '1', NULL, NULL, NULL, NULL, 'z')");
        enter();
        table("odd");
        for (String column : List.of("d", "r", "n", "day", "at", "zoned", "span", "doc", "list")) {
            page.click(".drawer button.plain", column);
            page.await(
                    "[...document.querySelectorAll('.drawer tr')].some(tr => tr.previousElementSibling?.innerText.startsWith("
                            + json(column)
                            + ") && tr.innerText.includes('different'))");
        }
        String range =
                page.run(
                                "[...document.querySelectorAll('.drawer .range')].map(x => x.innerText.replace(/\\s+/g, ' ')).join()")
                        .asText();
        assertTrue(range.startsWith("1.5 2.5"), range);
        assertTrue(!range.contains("infinity") && !range.contains("NaN"), range);
        page.show("ask/sql", EDITOR);
        for (String column : List.of("d", "day", "at", "zoned", "id")) {
            retype("SELECT " + column + ", d, r, n FROM odd");
            runEditor();
            page.await("document.querySelector('.result .bar')?.innerText.includes('24 rows')");
            page.click(".result button", "Chart");
            page.await("document.querySelector('.result canvas')");
        }
        check();
    }

    @Test
    void aTableOfAThousandColumnsIsBrowsed() throws Exception {
        StringBuilder columns = new StringBuilder("id INTEGER PRIMARY KEY");
        StringBuilder values = new StringBuilder("i");
        for (int i = 1; i < 1_000; i++) {
            columns.append(", column_").append(i).append(" INTEGER");
            values.append(", ").append(i);
        }
        execute("CREATE TABLE wide (" + columns + ")");
        execute("INSERT INTO wide SELECT " + values + " FROM GENERATE_SERIES(1, 400) AS g(i)");
        enter();
        table("wide");
        page.await("document.querySelectorAll('.grid .row').length > 10");
        int elements = page.run("document.querySelectorAll('.grid *').length").asInt();
        assertTrue(elements < 5_000, elements + " elements");
        page.run("document.querySelector('.grid').scrollLeft = 1e9");
        page.await("document.querySelector('.grid .head').innerText.includes('column_999')");
        page.await("document.querySelector('.grid .row').innerText.includes('999')");
        String aligned =
                """
                (() => {
                  const head = [...document.querySelectorAll('.grid .head > div')].at(-1).getBoundingClientRect();
                  const cell = [...document.querySelectorAll('.grid .row')[3].querySelectorAll('.cell')].at(-1).getBoundingClientRect();
                  return Math.abs(head.left - cell.left) + Math.abs(head.right - cell.right);
                })()
                """;
        assertTrue(page.run(aligned).asDouble() < 2);
        pick(3);
        page.await("document.querySelectorAll('.drawer dt').length === 1000");
        check();
    }

    @Test
    void aNameIsFoundAmongAThousandTables() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 1_000; i++) {
                statement.execute("CREATE TABLE t" + i + " (id INTEGER PRIMARY KEY)");
            }
        }
        enter();
        page.await("document.querySelector('.side input[type=search]')");
        page.focus(".side input[type=search]");
        page.type("T77");
        page.await(
                "[...document.querySelectorAll('.side li')].filter(x => x.checkVisibility()).length === 11");
        page.click(".side a", "t777");
        page.await("document.querySelector('#view .bar h2')?.innerText === 't777'");
        page.await("document.querySelector('.body').innerText.includes('The table has no rows')");
        assertEquals(
                "T77",
                page.run("document.querySelector('.side input[type=search]').value").asText());
        check();
    }

    @Test
    void aLongValueIsShownInPartAndSavedAsAFile() throws Exception {
        execute("CREATE TABLE letter (id INTEGER PRIMARY KEY, text VARCHAR, note VARCHAR)");
        execute("INSERT INTO letter VALUES (1, REPEAT('long ', 2000000), 'short')");
        enter();
        table("letter");
        pick(1);
        page.click(".drawer button", "Show all");
        reads(".drawer", "The first 200,000 of 10,000,000 characters");
        page.await("document.querySelector('.drawer pre')");
        page.click(".drawer button", "Edit");
        page.await("document.querySelectorAll('dialog textarea')[1]?.disabled");
        fillField(2, "shorter", "shorter");
        save();
        assertEquals("shorter", one("SELECT note FROM letter"));
        check();
    }

    @Test
    void aRequestThatIsTooLongIsRefusedInWords() throws Exception {
        enter();
        page.show("ask/sql", EDITOR);
        String said =
                page.run(
                                """
                                import("/api.js").then(({ post }) => post("rows", { table: "x".repeat(6 << 20) }).then(() => "taken", (error) => error.message))
                                """)
                        .asText();
        assertTrue(said.startsWith("The request is longer than 4,194,304 bytes; "), said);
    }

    @Test
    void rowsWithKeysOfBytesAreChanged() throws Exception {
        execute("CREATE TABLE image (id VARBINARY(80) PRIMARY KEY, name VARCHAR)");
        execute("INSERT INTO image VALUES (X'00ff', 'a'), (X'01', 'b')");
        enter();
        table("image");
        pick(1);
        page.click(".drawer button", "Edit");
        fillField(1, "changed", "X'00ff'");
        save();
        assertEquals("changed", one("SELECT name FROM image WHERE id = X'00ff'"));
        reads(".drawer dl", "changed");
        check();
    }

    @Test
    void aChangeOfAnotherSessionIsNotOverwritten() throws Exception {
        execute(
                "CREATE TABLE stock (id INTEGER PRIMARY KEY, n DOUBLE, r REAL, note VARCHAR, at TIMESTAMP)");
        execute(
                "INSERT INTO stock VALUES (1, 1, 0.1, REPEAT('n', 3000), '2026-01-01'), (2, 2, 0.2, NULL, NULL)");
        enter();
        table("stock");
        pick(1);
        page.click(".drawer button", "Edit");
        fillField(1, "7", "UPDATE");
        execute("UPDATE stock SET r = 5 WHERE id = 1");
        page.click("dialog button.primary", "Save");
        page.await("document.querySelector('dialog .error')?.innerText.includes('changed r')");
        page.run("document.querySelector('dialog').close()");
        page.click("[aria-label=Reload]");
        reads(".grid .row", "5");
        for (String value : List.of("7", "8")) { // the second time the row is the changed one
            pick(1);
            page.click(".drawer button", "Edit");
            fillField(1, value, "UPDATE");
            save();
            reads(".drawer dl", value);
        }
        pick(2);
        page.click(".drawer button", "Delete");
        reads("dialog pre", "DELETE");
        execute("DELETE FROM stock WHERE id = 2");
        page.click("dialog button.primary", "Delete");
        page.await("document.querySelector('dialog .error')?.innerText.includes('has deleted')");
        check409();
    }

    /// The browser itself reports refused requests in the console.
    private void check409() {
        List<String> others =
                page.messages.stream().filter(m -> !m.contains("(Conflict)")).toList();
        assertEquals(List.of(), others);
    }

    @Test
    void aDroppedTableIsSaidAndLeavesTheCatalog() throws Exception {
        execute(
                "CREATE TABLE going (id INTEGER PRIMARY KEY)",
                "CREATE TABLE staying (id INTEGER PRIMARY KEY)",
                "INSERT INTO going SELECT i FROM GENERATE_SERIES(1, 3000) AS g(i)");
        enter();
        table("going");
        execute("DROP TABLE going");
        page.run("document.querySelector('.grid').scrollTop = 1e9");
        page.await("document.getElementById('status').innerText.includes('going')");
        page.click("[aria-label=Reload]");
        page.await("document.querySelector('.body .error')?.innerText.includes('going')");
        page.await("!document.querySelector('.side').innerText.includes('going')");
        reads(".side", "staying");
    }

    @Test
    void whatRunsIsCancelledIfThePageIsLoadedAgainAndItsTextStays() throws Exception {
        enter();
        page.show("ask/sql", EDITOR);
        String slow =
                "SELECT COUNT(*) FROM GENERATE_SERIES(1, 100000) AS a(i), GENERATE_SERIES(1, 100000) AS b(j) WHERE i * j = 7";
        retype(slow);
        runEditor();
        Browser other = Browser.inside(studio);
        String running =
                "SELECT COUNT(*) FROM sys.sessions WHERE state IN ('executing', 'fetching')";
        awaitOne(other, running, "2"); // that of the page, and this one
        page.type(" -- not yet run");
        page.run("window.before = true, location.reload(), 0");
        page.await("!window.before && document.querySelector('.cm-content')");
        awaitOne(other, running, "1");
        reads(".cm-content", "not yet run");
    }

    private static void awaitOne(Browser browser, String sql, String wanted) throws Exception {
        Browser.await(
                sql + " is " + wanted,
                () -> browser.query(sql).get(1).path("row").get(0).asText().equals(wanted));
    }

    @Test
    void aViewThatWasLeftDrawsNothingOverTheNext() throws Exception {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
        enter();
        hold("/words");
        page.run("location.hash = '#/why'");
        awaitHeld(1);
        page.show("explore", WELCOME);
        release(0);
        assertTrue(text("#view").contains("Largest tables"), text("#view"));
        check();
    }

    @Test
    void aDrawingThatIsLeftAtOnceSaysNothing() throws Exception {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
        enter();
        write("ask/sql", "SELECT 1 AS a, 2 AS b");
        runEditor();
        page.act(
                ".result button",
                "x.textContent === 'Graph'",
                "it.click(); location.hash = '#/explore'");
        page.await(WELCOME);
        page.run(
                "import('cytoscape').then(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))))");
        check();
    }

    @Test
    void goingBackRunsNothingAgain() throws Exception {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY)");
        enter();
        write("ask/sql", "SELECT COUNT(*) FROM t");
        page.click("button", "Why");
        page.await("document.querySelector('[role=treeitem]')");
        assertEquals("#/why", page.run("location.hash").asText());
        page.goThroughHistory(-1);
        page.await("location.hash === '#/ask/sql' && document.querySelector('.ask-cell')");
        page.goThroughHistory(1);
        page.await("location.hash === '#/why' && document.querySelector('.cm-content')");
        assertEquals("", text("#view .scroll > [aria-live]"));
        write("ask/sql", " ");
        page.click("button.primary", "Run");
        page.await("document.getElementById('status').innerText.includes('nothing to run')");
        check();
    }

    @Test
    void aNotebookOfLongCellsIsOpened() throws Exception {
        enter();
        write("ask/sql", "SELECT '" + "x".repeat(5_000) + "' AS long");
        page.run(
                "document.querySelector('input[aria-label=\"Name of the notebook\"]').value = 'n'");
        page.click("button", "Save");
        opensTheNotebook();
        check();
    }

    @Test
    void anEmptyTextIsNotTakenForNull() throws Exception {
        execute("CREATE TABLE t (id INTEGER PRIMARY KEY, a VARCHAR, b VARCHAR)");
        execute("INSERT INTO t VALUES (1, '', NULL)");
        enter();
        table("t");
        pick(1);
        page.click(".drawer button", "Edit");
        page.await("document.querySelectorAll('dialog textarea').length === 3");
        assertEquals(
                "(empty text)|NULL",
                page.run(
                                "[...document.querySelectorAll('dialog textarea')].slice(1).map(x => x.placeholder).join('|')")
                        .asText());
        check();
    }
}
