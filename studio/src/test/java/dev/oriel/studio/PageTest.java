package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oriel.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The page in a real browser without a window; skipped if there is none. Names, values and files hold
/// scripts, which nothing may run.
class PageTest extends BrowserTest {
    private static final String SCRIPT = "<img src=x onerror=\"document.title='taken'\">";

    @BeforeEach
    void open() throws Exception {
        database = Database.inMemory();
        String name = Names.quoted(SCRIPT);
        execute(
                "CREATE TABLE " + name + " (id INTEGER PRIMARY KEY, " + name + " VARCHAR)",
                "INSERT INTO " + name + " VALUES (1, '" + SCRIPT.replace("'", "''") + "')",
                "CREATE TABLE airport (code INTEGER PRIMARY KEY, size INTEGER)",
                "CREATE TABLE flight (id INTEGER PRIMARY KEY, origin INTEGER REFERENCES airport (code), seats INTEGER)",
                "INSERT INTO airport SELECT i, i * i FROM GENERATE_SERIES(1, 50) AS g(i)",
                "INSERT INTO flight SELECT i, 1 + MOD(i, 50), MOD(i, 300) FROM GENERATE_SERIES(1, 4000) AS g(i)");
        enter();
    }

    /// No script of the data ran, nothing was said in the console, and axe-core finds nothing.
    private void check() throws Exception {
        isQuiet();
        assertEquals(0, page.run("document.querySelectorAll('#view img[onerror]').length").asInt());
        assertEquals(List.of(), Axe.violations(page));
    }

    @Test
    void tablesAndTheirRowsAreShownAndKeysFollowed() throws Exception {
        page.await(WELCOME);
        assertTrue(page.run("document.body.innerText").asText().contains(SCRIPT));
        check();
        page.show("explore/table/public/airport", ROWS);
        pick(7);
        page.click(".drawer a", "flight");
        page.await("document.querySelector('.filter').innerText.includes('origin = 7')");
        page.await("document.querySelectorAll('.grid .row').length > 0");
        page.click(".drawer button.plain", "seats");
        page.await("document.querySelector('.histogram')");
        check();
        page.show(
                "explore/table/public/"
                        + page.run("encodeURIComponent(%s)".formatted(json(SCRIPT))).asText(),
                ROWS);
        pick(1);
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
        page.await(EDITOR);
        page.press("a", 'A', CTRL);
        page.type("SELECT COUNT(*) AS n FROM flight");
        page.press("Enter", ENTER, CTRL);
        page.await("document.querySelector('.grid .row')?.innerText.includes('4000')");
        check();
    }

    /// Types in place of what the editor holds, and waits until `label` is among the completions.
    private void completes(String text, String label) throws Exception {
        retype(text);
        page.await(
                "[...document.querySelectorAll('.cm-tooltip-autocomplete .cm-completionLabel')].some(x => x.textContent.includes(%s))"
                        .formatted(json(label)));
    }

    @Test
    void columnsFunctionsAndStepsAreCompleted() throws Exception {
        page.show("ask/sql", EDITOR);
        completes("SELECT flight.sea", "seats");
        completes("SELECT lowe", "lower");
        completes("SELECT * FROM sys.loc", "locks");
        page.show(
                "ask/gremlin",
                "document.querySelector('[aria-label=Gremlin]') === document.activeElement");
        completes("g.V().hasLab", "hasLabel");
        check();
    }

    @Test
    void anEditKeepsNewlines() throws Exception {
        execute(
                "CREATE TABLE letter (id INTEGER PRIMARY KEY, text VARCHAR)",
                "INSERT INTO letter VALUES (1, 'Dear\nreader')");
        page.show("explore/table/public/letter", ROWS);
        pick(1);
        page.click(".drawer button", "Edit");
        page.await("document.querySelectorAll('dialog textarea')[1]");
        page.run("document.querySelectorAll('dialog textarea')[1].focus()");
        page.press("End", END, CTRL);
        page.type("!");
        reads("dialog pre", "reader!");
        check();
        save();
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
        page.click("section:has(input[aria-label=Seconds]) button.primary", "Record");
    }

    private void startsARecording() throws Exception {
        page.show("profile", "document.querySelector('input[aria-label=Seconds]')");
        pressesRecord();
        page.await("document.body.innerText.includes('s left')");
    }

    /// Waits until so many runs have ended.
    private static void awaitRuns(Browser browser, int count) throws Exception {
        Browser.await(
                "the profile has ended",
                () -> {
                    int ended = 0;
                    for (JsonNode run : browser.json("profile").path("runs")) {
                        ended += run.path("notes").asText().equals("running") ? 0 : 1;
                    }
                    return ended >= count;
                });
    }

    @Test
    void aRecordingThatBeginsAfterItsViewWasLeftEndsAtOnce() throws Exception {
        Browser browser = Browser.inside(studio);
        page.show("profile", "document.querySelector('input[aria-label=Seconds]')");
        hold("/profile/start");
        pressesRecord();
        awaitHeld(1);
        page.show("explore", WELCOME);
        release(0);
        awaitRuns(browser, 1);
        page.await("location.hash === '#/explore'");
    }

    @Test
    void aRecordingEndsWithItsViewAndWithItsPage() throws Exception {
        Browser browser = Browser.inside(studio);
        startsARecording();
        page.show("explore", WELCOME);
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
            page.show("observe", "document.body.innerText.includes('FROM flight AS a')");
            page.click("section a", "Record");
            page.await("location.hash.startsWith('#/profile/session/')");
            page.await("document.querySelector('optgroup[label=\"One kind of statement\"]')");
            assertEquals(
                    true, page.run("document.getElementById('kind-tree').disabled").asBoolean());
            check();
            recordsAPart("session");
            page.show("observe", "document.querySelector('button.code')");
            page.click("button.code", "SELECT count(*) FROM flight AS a");
            page.click("#view a", "Record its methods");
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
        pressesRecord();
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
        execute(
                "CREATE SCHEMA \"my shop\"",
                "CREATE TABLE \"my shop\".sale (id INTEGER PRIMARY KEY, item INTEGER)",
                "INSERT INTO \"my shop\".sale SELECT i, MOD(i, 900) FROM GENERATE_SERIES(1, 4000) AS g(i)",
                "CREATE INDEX \"by item\" ON \"my shop\".sale (item)");
        write("why", "SELECT * FROM \"my shop\".sale WHERE item = 7");
        page.click("button.primary", "Run and explain");
        page.click("button.primary", "Measure without it");
        page.await("document.querySelector('p.verdict')?.innerText.includes('index')");
        page.await("document.body.innerText.includes('The index is there as before')");
        check();
    }

    @Test
    void cellsAreSavedInTheDatabaseAndOpened() throws Exception {
        page.show("ask/sql", EDITOR);
        page.press("End", END, CTRL);
        page.type(" -- " + SCRIPT);
        String name = "document.querySelector('input[aria-label=\"Name of the notebook\"]')";
        page.run(name + ".value = " + json(SCRIPT));
        page.click("button", "Save");
        opensTheNotebook();
        page.await("document.querySelector('.cm-content').innerText.includes('onerror')");
        page.click("button.primary", "Run");
        page.await(ROWS);
        check();
    }

    @Test
    void aSlowStatementIsExplainedAndAnIndexMeasured() throws Exception {
        write("why", "SELECT * FROM flight WHERE seats = 7");
        page.click("button.primary", "Run and explain");
        page.await("document.querySelector('[role=treeitem]')");
        page.await("document.querySelector('.advice')");
        check();
        page.click("button.primary", "Measure it");
        page.await("document.querySelector('p.verdict')");
        page.await("document.querySelector('p.verdict').innerText.includes('index')");
        page.click(".plan .node");
        check();
    }

    @Test
    void figuresAndStatementsOpenWhatTheyAreMadeOf() throws Exception {
        page.show("observe", "document.querySelector('button.card')");
        page.click("button.card", "Statements");
        page.await("document.querySelector('button.card[aria-expanded=true]')");
        page.await("document.querySelector('figure canvas')");
        page.focus("button.card");
        page.run("document.querySelector('button.card').dataset.old = 'yes'");
        page.await("!document.querySelector('button.card').dataset.old"); // it was drawn anew
        assertEquals("Statements", page.run("document.activeElement.dataset.key").asText());
        check();
    }

    @Test
    void rowsAreDrawnAsAGraphAndSessionsThatWaitAsATree() throws Exception {
        write(
                "ask/sql",
                "SELECT 'A' || a.code AS \"from\", 'A' || b.code AS \"to\" FROM airport AS a, airport AS b WHERE a.code < 5 AND b.code < 3");
        runEditor();
        page.await("document.querySelector('.result .grid .row')");
        page.click(".result button", "Graph");
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
            page.show("observe", "document.body.innerText.includes('Who blocks whom')");
            page.await("document.querySelector('.plan').innerText.includes('blocks 1')");
            page.await("document.body.innerText.includes('Open transactions (')");
            check();
            holder.commit();
            second.join();
        }
        page.await("!document.body.innerText.includes('Who blocks whom')");
    }

    @Test
    void aDrawingOfRowsGrowsByAPressAndByFurtherResults() throws Exception {
        execute(
                "CREATE TABLE way (\"from\" VARCHAR, \"to\" VARCHAR)",
                "INSERT INTO way VALUES ('GRZ', 'VIE'), ('VIE', 'LNZ')");
        write("ask/sql", "SELECT * FROM way");
        runEditor();
        page.click(".result button", "Graph");
        page.await("document.querySelector('.result').innerText.includes('3 vertices, 2 edges')");
        execute("INSERT INTO way VALUES ('GRZ', 'it''s'), ('GRZ', 'VIE'), ('PAR', 'ROM')");
        page.focus(".picture");
        page.press("ArrowRight", RIGHT, 0);
        page.press("Enter", ENTER, 0);
        page.await("document.querySelector('.result').innerText.includes('4 vertices, 4 edges')");
        check();
        page.click(".ask-cell button", "Add a cell");
        page.await("document.querySelectorAll('.ask-cell').length === 2");
        page.await("document.querySelectorAll('.ask-cell')[1].contains(document.activeElement)");
        page.type("SELECT * FROM way WHERE \"to\" = 'ROM'");
        runEditor();
        page.click(".ask-cell:last-child .result button", "Graph");
        page.click(".ask-cell:last-child .result button", "Add to the drawing before");
        page.await("document.querySelector('.result').innerText.includes('6 vertices, 5 edges')");
        check();
    }

    @Test
    void stepsGoOnInOtherViewsOnceTheyHaveBegun() throws Exception {
        page.show("observe", "document.querySelector('button.card')");
        page.run(
                "const real = window.fetch; window.seen = 0;"
                        + " window.fetch = (...all) => { if (String(all[0]).endsWith('/observe')) window.seen++; return real(...all); }; 0");
        page.show("explore", WELCOME);
        page.await("window.seen > 1");
        page.show("observe", "document.querySelector('button.card')");
        page.click("button", "Pause");
        page.show("explore", WELCOME);
        page.show(
                "observe",
                "document.querySelector('button[aria-pressed=true]')?.innerText === 'Go on'");
        check();
    }

    @Test
    void aPageWhoseStudioIsClosedSaysSo() throws Exception {
        page.show("explore/table/public/airport", ROWS);
        pick(1);
        reads(".drawer", "80 rows");
        studio.close();
        page.click(".drawer button", "Delete");
        page.await(
                "document.querySelector('dialog .error')?.innerText.includes('does not answer')");
        page.run("document.querySelector('dialog').close()");
        page.show("explore/table/public/flight", "document.querySelector('#view .error')");
        assertTrue(
                page.run("document.querySelector('#view .error').innerText")
                        .asText()
                        .contains("use the address that it prints"));
        page.show("ask/sql", "document.querySelector('#view .error')");
        String faults =
                page.messages
                        .toString()
                        .replaceAll("ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE", "");
        assertTrue(!faults.contains("Uncaught"), faults);
    }

    @Test
    void aTextThatTheBrowserCannotKeepIsRunAllTheSame() throws Exception {
        page.show("ask/sql", EDITOR);
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
        page.show(
                "ask/gremlin/%E0%A4",
                "document.querySelector('#view nav')?.innerText.includes('%E0%A4')");
        page.show("%", WELCOME);
        check();
    }

    @Test
    void aReadOnlyStudioOffersNoChange() throws Exception {
        try (Studio reading = Studio.open(database, StudioOptions.defaults().withReadOnly(true))) {
            enter(reading);
            page.await("document.querySelector('#mode')?.checkVisibility()");
            page.size(375, 800);
            assertTrue(page.run("document.querySelector('#mode').checkVisibility()").asBoolean());
            page.show("explore/table/public/airport", ROWS);
            pick(1);
            reads(".drawer", "Referred to by");
            page.show("ask/sql", EDITOR);
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
        page.show("profile", "document.querySelector('.drop')");
        String name = json(SCRIPT);
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
        page.click(".drop button.primary", "Compare");
        page.await("document.querySelector('p.verdict')");
        check();
        page.show("profile/recording/1", "document.querySelector('.flame canvas')");
        page.await("document.body.innerText.includes('onerror')");
        check();
    }

    @Test
    void aViewIsExportedAsOnePageWithoutScripts() throws Exception {
        page.show("ask/sql", EDITOR);
        String name = json(SCRIPT);
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
