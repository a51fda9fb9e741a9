package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oriel.Database;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The page in a real browser without a window; skipped if there is none. Names, values and files hold
/// scripts, which nothing may run.
class PageTest {
    private static final String SCRIPT = "<img src=x onerror=\"document.title='taken'\">";
    private static final int TAB = 9;
    private static final int ENTER = 13;
    private static final int END = 35;
    private static final int CTRL = 2;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @SuppressWarnings("NullAway.Init")
    private Database database;

    @SuppressWarnings("NullAway.Init")
    private Studio studio;

    @SuppressWarnings("NullAway.Init")
    private Chromium page;

    @BeforeEach
    void open() throws Exception {
        Chromium browser = Chromium.open(folder);
        assumeTrue(browser != null, "skipped: there is no Chromium on the path");
        page = browser;
        database = Database.inMemory();
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            String name = "\"" + SCRIPT.replace("\"", "\"\"") + "\"";
            statement.execute(
                    "CREATE TABLE " + name + " (id INTEGER PRIMARY KEY, " + name + " VARCHAR)");
            statement.execute(
                    "INSERT INTO " + name + " VALUES (1, '" + SCRIPT.replace("'", "''") + "')");
            statement.execute("CREATE TABLE airport (code INTEGER PRIMARY KEY, size INTEGER)");
            statement.execute(
                    "CREATE TABLE flight (id INTEGER PRIMARY KEY, origin INTEGER REFERENCES airport (code), seats INTEGER)");
            statement.execute(
                    "INSERT INTO airport SELECT i, i * i FROM GENERATE_SERIES(1, 50) AS g(i)");
            statement.execute(
                    "INSERT INTO flight SELECT i, 1 + MOD(i, 50), MOD(i, 300) FROM GENERATE_SERIES(1, 4000) AS g(i)");
        }
        studio = Studio.open(database, StudioOptions.defaults());
        page.go(studio.address().toString());
        page.await("document.querySelector('#view *')");
    }

    @AfterEach
    void close() throws Exception {
        if (studio != null) {
            studio.close();
            database.close();
        }
        if (page != null) {
            page.close();
        }
    }

    private void show(String place, String sign) throws Exception {
        page.run("location.hash = " + Exchange.JSON.writeValueAsString("#/" + place));
        page.await(sign);
    }

    private void click(String selector, String text) throws Exception {
        String start = Exchange.JSON.writeValueAsString(text);
        String found =
                "[...document.querySelectorAll('%s')].find(x => x.textContent.trim().startsWith(%s))"
                        .formatted(selector, start);
        page.await(found);
        page.run(found + ".click()");
    }

    /// No script of the data ran, nothing was said in the console, and axe-core finds nothing.
    private void check() throws Exception {
        assertTrue(page.run("document.title").asText().startsWith("Oriel studio"));
        assertEquals(0, page.run("document.querySelectorAll('#view img[onerror]').length").asInt());
        assertEquals(List.of(), page.messages);
        assertEquals(List.of(), Axe.violations(page));
    }

    @Test
    void tablesAndTheirRowsAreShownAndKeysFollowed() throws Exception {
        page.await("document.body.innerText.includes('Largest tables')");
        assertTrue(page.run("document.body.innerText").asText().contains(SCRIPT));
        check();
        show("explore/table/public/airport", "document.querySelector('.grid .row')");
        page.run("document.querySelectorAll('.grid .row')[6].click()");
        click(".drawer a", "flight");
        page.await("document.querySelector('.filter').innerText.includes('origin = 7')");
        page.await("document.querySelectorAll('.grid .row').length > 0");
        click(".drawer button.plain", "seats");
        page.await("document.querySelector('.histogram')");
        check();
        show(
                "explore/table/public/"
                        + page.run(
                                        "encodeURIComponent(%s)"
                                                .formatted(
                                                        Exchange.JSON.writeValueAsString(SCRIPT)))
                                .asText(),
                "document.querySelector('.grid .row')");
        page.run("document.querySelector('.grid .row').click()");
        page.await("document.querySelector('.drawer').innerText.includes('onerror')");
        check();
    }

    @Test
    void aStatementIsRunByKeyboardAlone() throws Exception {
        for (int i = 0;
                i < 10 && !page.run("document.activeElement.textContent").asText().equals("Ask");
                i++) {
            page.press("Tab", TAB, 0);
        }
        page.press("Enter", ENTER, 0);
        page.await("document.activeElement.classList.contains('cm-content')");
        page.press("a", 'A', CTRL);
        page.type("SELECT COUNT(*) AS n FROM flight");
        page.press("Enter", ENTER, CTRL);
        page.await("document.querySelector('.grid .row')?.innerText.includes('4000')");
        check();
    }

    /// Labels of the completions that are shown.
    private String completions() throws Exception {
        page.await("document.querySelector('.cm-tooltip-autocomplete li')");
        return page.run(
                        "[...document.querySelectorAll('.cm-tooltip-autocomplete .cm-completionLabel')].map(x => x.textContent).join(' ')")
                .asText();
    }

    private void retype(String text) throws Exception {
        page.press("a", 'A', CTRL);
        page.type(text);
    }

    @Test
    void columnsFunctionsAndStepsAreCompleted() throws Exception {
        show("ask/sql", "document.activeElement.classList.contains('cm-content')");
        retype("SELECT flight.sea");
        assertTrue(completions().contains("seats"), completions());
        retype("SELECT lowe");
        assertTrue(completions().contains("lower"), completions());
        retype("SELECT * FROM sys.loc");
        assertTrue(completions().contains("locks"), completions());
        show(
                "ask/gremlin",
                "document.querySelector('[aria-label=Gremlin]') === document.activeElement");
        retype("g.V().hasLab");
        assertTrue(completions().contains("hasLabel"), completions());
        check();
    }

    @Test
    void anEditKeepsNewlines() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE letter (id INTEGER PRIMARY KEY, text VARCHAR)");
            statement.execute("INSERT INTO letter VALUES (1, 'Dear\nreader')");
        }
        show("explore/table/public/letter", "document.querySelector('.grid .row')");
        page.run("document.querySelector('.grid .row').click()");
        click(".drawer button", "Edit");
        page.await("document.querySelectorAll('dialog textarea')[1]");
        page.run("document.querySelectorAll('dialog textarea')[1].focus()");
        page.press("End", END, CTRL);
        page.type("!");
        page.await("document.querySelector('dialog pre').innerText.includes('reader!')");
        check();
        click("dialog button.primary", "Save");
        page.await("!document.querySelector('dialog')");
        assertEquals(
                "Dear\nreader!",
                Browser.inside(studio)
                        .query("SELECT text FROM letter")
                        .get(1)
                        .path("row")
                        .get(0)
                        .asText());
    }

    @Test
    void aNotebookThatCannotBeSavedStaysAsItWas() throws Exception {
        String script =
                """
                (async () => {
                  const { keep, load } = await import("/notebooks.js");
                  await keep("sql", "mine", ["SELECT 1", "SELECT 2"]);
                  let refused = "";
                  await keep("sql", "mine", ["SELECT 3", null]).catch((e) => { refused = e.message; });
                  return [refused, ...(await load("sql", "mine"))].join("|");
                })()
                """;
        String kept = page.run(script).asText();
        assertTrue(kept.endsWith("|SELECT 1|SELECT 2") && kept.length() > 22, kept);
    }

    private void pressesRecord() throws Exception {
        page.run(
                "[...document.querySelectorAll('section.panel')].at(-1).querySelector('button.primary').click()");
    }

    private void startsARecording() throws Exception {
        show("profile", "document.querySelector('input[aria-label=Seconds]')");
        pressesRecord();
        page.await("document.body.innerText.includes('s left')");
    }

    /// Waits until so many runs have ended.
    private void awaitRuns(Browser browser, int count) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        int ended = 0;
        while (ended < count) {
            assertTrue(System.nanoTime() < deadline, "the profile goes on");
            ended = 0;
            for (JsonNode run : browser.json("profile").path("runs")) {
                ended += run.path("notes").asText().equals("running") ? 0 : 1;
            }
        }
    }

    @Test
    void aRecordingThatBeginsAfterItsViewWasLeftEndsAtOnce() throws Exception {
        Browser browser = Browser.inside(studio);
        show("profile", "document.querySelector('input[aria-label=Seconds]')");
        page.run(
                """
                (() => {
                  const real = window.fetch;
                  window.fetch = async (...all) => {
                    const answer = await real(...all);
                    if (String(all[0]).includes("profile/start")) await new Promise((done) => { window.release = done; });
                    return answer;
                  };
                })()
                """);
        pressesRecord();
        page.await("!!window.release");
        show("explore", "document.body.innerText.includes('Largest tables')");
        page.run("window.release()");
        awaitRuns(browser, 1);
        page.await("location.hash === '#/explore'");
    }

    @Test
    void aRecordingEndsWithItsViewAndWithItsPage() throws Exception {
        Browser browser = Browser.inside(studio);
        startsARecording();
        show("explore", "document.body.innerText.includes('Largest tables')");
        awaitRuns(browser, 1);
        page.await("location.hash === '#/explore'");
        startsARecording();
        page.go("about:blank");
        awaitRuns(browser, 2);
    }

    @Test
    void aRecordingThatIsForgottenEndsByItself() throws Exception {
        Browser browser = Browser.inside(studio);
        browser.json("profile/start", "{\"what\": \"cpu\", \"seconds\": 1}");
        awaitRuns(browser, 1);
    }

    /// Fetches rows in a session of its own until it is interrupted.
    private Thread fetching(Connection connection, String sql) {
        return Thread.ofPlatform()
                .start(() -> {
                    try (Statement statement = connection.createStatement()) {
                        while (!Thread.currentThread().isInterrupted()) {
                            try (ResultSet rows = statement.executeQuery(sql)) {
                                rows.next();
                            }
                        }
                    } catch (SQLException e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    @Test
    void oneSessionAndOneStatementAreRecorded() throws Exception {
        String sql = "SELECT COUNT(*) FROM flight AS a, airport AS b WHERE a.seats < b.size";
        try (Connection connection = database.connect()) {
            Thread worker = fetching(connection, sql);
            show("observe", "document.body.innerText.includes('FROM flight AS a')");
            click("section a", "Record");
            page.await("location.hash.startsWith('#/profile/session/')");
            page.await("document.querySelector('optgroup[label=\"One kind of statement\"]')");
            assertEquals(
                    true, page.run("document.getElementById('kind-tree').disabled").asBoolean());
            check();
            recordsAPart("session");
            show("observe", "document.querySelector('button.code')");
            click("button.code", "SELECT count(*) FROM flight AS a");
            click("#view a", "Record its methods");
            page.await("location.hash.startsWith('#/profile/statement/')");
            recordsAPart("statement");
            worker.interrupt();
            worker.join();
        }
    }

    /// Records a second of what is chosen; the run has no sample of another statement.
    private void recordsAPart(String kind) throws Exception {
        page.await("document.querySelector('section select')?.value.startsWith('" + kind + " ')");
        page.run("document.querySelector('input[aria-label=Seconds]').value = 1");
        page.run(
                "document.querySelector('input[aria-label=Seconds]').closest('section').querySelector('button.primary').click()");
        page.await("document.querySelector('h2.title')?.innerText.includes('of " + kind + "')");
        page.await("document.body.innerText.includes('are left out')");
        String statements =
                page.run(
                                "[...document.querySelectorAll('#view button.code[aria-pressed]')].map(x => x.textContent).filter(x => !x.includes('FROM flight')).join()")
                        .asText();
        assertEquals("", statements);
        check();
    }

    @Test
    void anIndexThatAStatementUsesIsMeasured() throws Exception {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA \"my shop\"");
            statement.execute(
                    "CREATE TABLE \"my shop\".sale (id INTEGER PRIMARY KEY, item INTEGER)");
            statement.execute(
                    "INSERT INTO \"my shop\".sale SELECT i, MOD(i, 900) FROM GENERATE_SERIES(1, 4000) AS g(i)");
            statement.execute("CREATE INDEX \"by item\" ON \"my shop\".sale (item)");
        }
        show("why", "document.activeElement.classList.contains('cm-content')");
        retype("SELECT * FROM \"my shop\".sale WHERE item = 7");
        click("button.primary", "Run and explain");
        click("button.primary", "Measure without it");
        page.await("document.querySelector('p.verdict')?.innerText.includes('index')");
        page.await("document.body.innerText.includes('The index is there as before')");
        check();
    }

    @Test
    void cellsAreSavedInTheDatabaseAndOpened() throws Exception {
        show("ask/sql", "document.querySelector('.cm-content')");
        page.press("End", END, CTRL);
        page.type(" -- " + SCRIPT);
        String name = "document.querySelector('input[aria-label=\"Name of the notebook\"]')";
        page.run(name + ".value = " + Exchange.JSON.writeValueAsString(SCRIPT));
        click("button", "Save");
        page.await(
                "document.querySelector('select[aria-label=\"Saved notebooks\"]').options.length === 2");
        page.run(
                "(() => { const s = document.querySelector('select[aria-label=\"Saved notebooks\"]');"
                        + " s.selectedIndex = 1; s.dispatchEvent(new Event('change')); })()");
        page.await("document.getElementById('status').innerText.includes('is open')");
        page.await("document.querySelector('.cm-content').innerText.includes('onerror')");
        click("button.primary", "Run");
        page.await("document.querySelector('.grid .row')");
        check();
    }

    @Test
    void aSlowStatementIsExplainedAndAnIndexMeasured() throws Exception {
        show("why", "document.querySelector('.cm-content')");
        page.press("a", 'A', CTRL);
        page.type("SELECT * FROM flight WHERE seats = 7");
        click("button.primary", "Run and explain");
        page.await("document.querySelector('[role=treeitem]')");
        page.await("document.querySelector('.advice')");
        check();
        click("button.primary", "Measure it");
        page.await("document.querySelector('p.verdict')");
        page.await("document.querySelector('p.verdict').innerText.includes('index')");
        page.run("document.querySelector('.plan .node').click()");
        check();
    }

    @Test
    void figuresAndStatementsOpenWhatTheyAreMadeOf() throws Exception {
        show("observe", "document.querySelector('button.card')");
        click("button.card", "Statements");
        page.await("document.querySelector('button.card[aria-expanded=true]')");
        page.await("document.querySelector('figure canvas')");
        page.run("document.querySelector('button.card').focus()");
        page.run("document.querySelector('button.card').dataset.old = 'yes'");
        page.await("!document.querySelector('button.card').dataset.old"); // it was drawn anew
        assertEquals("Statements", page.run("document.activeElement.dataset.key").asText());
        check();
    }

    @Test
    void rowsAreDrawnAsAGraphAndSessionsThatWaitAsATree() throws Exception {
        show("ask/sql", "document.activeElement.classList.contains('cm-content')");
        retype(
                "SELECT 'A' || a.code AS \"from\", 'A' || b.code AS \"to\" FROM airport AS a, airport AS b WHERE a.code < 5 AND b.code < 3");
        page.press("Enter", ENTER, CTRL);
        page.await("document.querySelector('.result .grid .row')");
        click(".result button", "Graph");
        page.await("document.querySelector('.result').innerText.includes('4 vertices, 8 edges')");
        check();
        try (Connection holder = database.connect();
                Connection waiter = database.connect();
                Statement holding = holder.createStatement();
                Statement waiting = waiter.createStatement()) {
            holder.setAutoCommit(false);
            holding.executeUpdate("UPDATE airport SET size = 0 WHERE code = 1");
            Thread second =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    waiting.executeUpdate(
                                            "UPDATE airport SET size = 1 WHERE code = 1");
                                } catch (SQLException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            show("observe", "document.body.innerText.includes('Who blocks whom')");
            page.await("document.querySelector('.plan').innerText.includes('blocks 1')");
            page.await("document.body.innerText.includes('Open transactions (')");
            check();
            holder.commit();
            second.join();
        }
        page.await("!document.body.innerText.includes('Who blocks whom')");
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aDrawingOfRowsGrowsByAPressAndByFurtherResults() throws Exception {
        execute("CREATE TABLE way (\"from\" VARCHAR, \"to\" VARCHAR)");
        execute("INSERT INTO way VALUES ('GRZ', 'VIE'), ('VIE', 'LNZ')");
        show("ask/sql", "document.activeElement.classList.contains('cm-content')");
        retype("SELECT * FROM way");
        page.press("Enter", ENTER, CTRL);
        click(".result button", "Graph");
        page.await("document.querySelector('.result').innerText.includes('3 vertices, 2 edges')");
        execute("INSERT INTO way VALUES ('GRZ', 'it''s'), ('GRZ', 'VIE'), ('PAR', 'ROM')");
        page.run("document.querySelector('.picture').focus()");
        page.press("ArrowRight", 39, 0);
        page.press("Enter", ENTER, 0);
        page.await("document.querySelector('.result').innerText.includes('4 vertices, 4 edges')");
        check();
        click(".ask-cell button", "Add a cell");
        page.await("document.querySelectorAll('.ask-cell').length === 2");
        page.await("document.querySelectorAll('.ask-cell')[1].contains(document.activeElement)");
        page.type("SELECT * FROM way WHERE \"to\" = 'ROM'");
        page.press("Enter", ENTER, CTRL);
        click(".ask-cell:last-child .result button", "Graph");
        click(".ask-cell:last-child .result button", "Add to the drawing before");
        page.await("document.querySelector('.result').innerText.includes('6 vertices, 5 edges')");
        check();
    }

    @Test
    void stepsGoOnInOtherViewsOnceTheyHaveBegun() throws Exception {
        show("observe", "document.querySelector('button.card')");
        page.run(
                "const real = window.fetch; window.seen = 0;"
                        + " window.fetch = (...all) => { if (String(all[0]).endsWith('/observe')) window.seen++; return real(...all); }; 0");
        show("explore", "document.body.innerText.includes('Largest tables')");
        page.await("window.seen > 1");
        show("observe", "document.querySelector('button.card')");
        click("button", "Pause");
        show("explore", "document.body.innerText.includes('Largest tables')");
        show(
                "observe",
                "document.querySelector('button[aria-pressed=true]')?.innerText === 'Go on'");
        check();
    }

    @Test
    void aPageWhoseStudioIsClosedSaysSo() throws Exception {
        show("explore/table/public/airport", "document.querySelector('.grid .row')");
        page.run("document.querySelector('.grid .row').click()");
        page.await("document.querySelector('.drawer').innerText.includes('rows')");
        studio.close();
        click(".drawer button", "Delete");
        page.await(
                "document.querySelector('dialog .error')?.innerText.includes('does not answer')");
        page.run("document.querySelector('dialog').close()");
        show("explore/table/public/flight", "document.querySelector('#view .error')");
        assertTrue(
                page.run("document.querySelector('#view .error').innerText")
                        .asText()
                        .contains("use the address that it prints"));
        show("ask/sql", "document.querySelector('#view .error')");
        String faults =
                page.messages
                        .toString()
                        .replaceAll("ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE", "");
        assertTrue(!faults.contains("Uncaught"), faults);
    }

    @Test
    void aTextThatTheBrowserCannotKeepIsRunAllTheSame() throws Exception {
        show("ask/sql", "document.activeElement.classList.contains('cm-content')");
        String value =
                page.run(
                                """
                                (async () => {
                                  const { remember, past } = await import("/history.js");
                                  for (let i = 0; i < 30; i++) remember("sql", `SELECT ${i} -- ${"x".repeat(400_000)}`);
                                  remember("sql", "-- " + "y".repeat(9_000_000));
                                  const { keepLocally } = await import("/history.js");
                                  keepLocally("large", "z".repeat(9_000_000));
                                  return past().map((entry) => entry.text.slice(0, 9)).join();
                                })()
                                """)
                        .asText();
        assertEquals("SELECT 29,SELECT 28", value);
        check();
    }

    @Test
    void aMistypedAddressIsNoFault() throws Exception {
        show(
                "ask/gremlin/%E0%A4",
                "document.querySelector('#view nav')?.innerText.includes('%E0%A4')");
        show("%", "document.body.innerText.includes('Largest tables')");
        check();
    }

    @Test
    void aReadOnlyStudioOffersNoChange() throws Exception {
        try (Studio reading = Studio.open(database, StudioOptions.defaults().withReadOnly(true))) {
            page.go(reading.address().toString());
            page.await("document.querySelector('#mode')?.checkVisibility()");
            page.size(375, 800);
            assertTrue(page.run("document.querySelector('#mode').checkVisibility()").asBoolean());
            show("explore/table/public/airport", "document.querySelector('.grid .row')");
            page.run("document.querySelector('.grid .row').click()");
            page.await("document.querySelector('.drawer').innerText.includes('Referred to by')");
            show("ask/sql", "document.querySelector('.cm-content')");
            assertEquals(
                    0,
                    page.run(
                                    "[...document.querySelectorAll('button')].filter(b => /^(New row|Edit|Delete|Save|Remove)$/.test(b.textContent) && b.checkVisibility()).length")
                            .asInt());
            check();
        }
    }

    @Test
    void aRecordingIsDroppedShownAndCompared() throws Exception {
        show("profile", "document.querySelector('.drop')");
        String name = Exchange.JSON.writeValueAsString(SCRIPT);
        String script =
                """
                (() => {
                  const all = new DataTransfer();
                  const stacks = "a.Main.run;" + NAME + " 40\\na.Main.run 20\\n";
                  for (const one of ["one", "two"]) all.items.add(new File([stacks], one + NAME));
                  const drop = { dataTransfer: all, bubbles: true, cancelable: true };
                  document.querySelector(".drop").dispatchEvent(new DragEvent("drop", drop));
                })()
                """;
        page.run(script.replace("NAME", name));
        page.await("document.querySelectorAll('.drop tbody tr').length === 2");
        check();
        click(".drop button.primary", "Compare");
        page.await("document.querySelector('p.verdict')");
        check();
        show("profile/recording/1", "document.querySelector('.flame canvas')");
        page.await("document.body.innerText.includes('onerror')");
        check();
    }

    @Test
    void aViewIsExportedAsOnePageWithoutScripts() throws Exception {
        show("ask/sql", "document.querySelector('.cm-content')");
        String name = Exchange.JSON.writeValueAsString(SCRIPT);
        String script =
                """
                (async () => {
                  let text;
                  URL.createObjectURL = (blob) => { text = blob.text(); return "#/ask/sql"; };
                  const { exportPage } = await import("/export.js");
                  const part = document.createElement("div");
                  part.textContent = NAME;
                  await exportPage(part, NAME);
                  return text;
                })()
                """;
        String saved = page.run(script.replace("NAME", name)).asText();
        assertTrue(saved.contains("default-src 'none'"), saved);
        assertTrue(saved.contains("&lt;img src=x"), saved);
        assertTrue(!saved.contains("<img src=x") && !saved.contains("<script"), saved);
        check();
    }
}
