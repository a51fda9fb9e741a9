package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Answers that come when something else is wanted: another notebook, another list, another view.
class LateAnswersTest extends BrowserTest {
    private static final String SAVED = "select[aria-label=\"Saved notebooks\"]";
    private static final String CELLS =
            "[...document.querySelectorAll('.ask-cell .cm-content')].map((x) => x.innerText).join('|')";

    @BeforeEach
    void open() throws Exception {
        database = Database.inMemory();
        execute(
                "CREATE TABLE airport (code INTEGER PRIMARY KEY, size INTEGER, about VARCHAR)",
                "INSERT INTO airport SELECT i, 100 - i, repeat('x', 5000)"
                        + " FROM GENERATE_SERIES(1, 50) AS g(i)");
        enter();
    }

    private int count(String selector) throws Exception {
        return page.run("document.querySelectorAll(" + json(selector) + ").length").asInt();
    }

    private void press(String selector) throws Exception {
        page.run("document.querySelector(" + json(selector) + ").click()");
    }

    /// Saves notebooks of two cells each, and shows the view of SQL with their names.
    private void notebooks(String... names) throws Exception {
        page.show("ask/sql", EDITOR);
        for (String name : names) {
            String cells = "['SELECT 1 AS %s', 'SELECT 2 AS %s']".formatted(name, name);
            page.run(
                    "import('/notebooks.js').then((n) => n.keep('sql', %s, %s))"
                            .formatted(json(name), cells));
        }
        page.show("explore", WELCOME);
        page.show("ask/sql", EDITOR);
        page.await(
                "document.querySelector(%s).options.length === %d"
                        .formatted(json(SAVED), names.length + 1));
    }

    private void choose(String notebook) throws Exception {
        page.choose(SAVED, "value", json(notebook));
    }

    private void recordings(int count) throws Exception {
        for (int i = 1; i <= count; i++) {
            page.run(
                    "fetch('/api/v1/recordings/upload?name=night%d&last=true', { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: 'main;shop.Shop.sell 40\\n' }).then((a) => a.status)"
                            .formatted(i));
        }
        page.show("profile", names(count));
    }

    private static String names(int count) {
        return "document.querySelectorAll('input[aria-label^=\"Name of recording\"]').length === "
                + count;
    }

    /// Their editors wait for the catalog, which a statement has changed.
    @Test
    void cellsOfTwoNotebooksAreNotMixed() throws Exception {
        notebooks("first", "second");
        retype("CREATE TABLE runway (code INTEGER PRIMARY KEY)");
        runEditor();
        reads(".ask-cell .result", "changed");
        hold("/query");
        hold("/catalog");
        choose("first");
        awaitHeld(1);
        release(0);
        awaitHeld(2);
        choose("second");
        awaitHeld(3);
        release(2);
        release(1);
        reads("#status", "second is open");
        assertEquals("SELECT 1 AS second|SELECT 2 AS second", page.run(CELLS).asText());
        isQuiet();
    }

    @Test
    void aNotebookThatComesLateDoesNotReplaceAnother() throws Exception {
        notebooks("first", "second");
        hold("/query");
        choose("first");
        awaitHeld(1);
        choose("second");
        awaitHeld(2);
        release(1);
        reads("#status", "second is open");
        release(0);
        assertEquals("SELECT 1 AS second|SELECT 2 AS second", page.run(CELLS).asText());
        isQuiet();
    }

    @Test
    void aNotebookIsSavedAsItWasLast() throws Exception {
        page.show("ask/sql", EDITOR);
        retype("SELECT 'old'");
        page.run(
                "document.querySelector('input[aria-label=\"Name of the notebook\"]').value = 'n'");
        hold("/query");
        page.click("button.changes", "Save");
        awaitHeld(1);
        page.focus(".ask-cell .cm-content");
        retype("SELECT 'new'");
        page.click("button.changes", "Save");
        assertEquals(1, page.run("window.held.length").asInt(), "the first is not saved yet");
        release(0);
        page.await("window.held.length >= 3");
        page.run("window.held.forEach((one) => one.release())");
        page.await("window.held.length === 4 && (window.held[3].release(), window.held[3].read)");
        String kept;
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT text FROM oriel_studio_notebooks")) {
            assertTrue(rows.next());
            kept = rows.getString(1);
        }
        assertEquals("SELECT 'new'", kept);
        isQuiet();
    }

    @Test
    void recordingsThatWereRemovedStayAway() throws Exception {
        recordings(3);
        hold("/recordings");
        page.click("button[aria-label^='Remove recording']");
        awaitHeld(1);
        press("tr:nth-child(2) button[aria-label^='Remove recording']");
        awaitHeld(2);
        release(1);
        page.await(names(1));
        release(0);
        assertEquals(1, count("input[aria-label^='Name of recording']"));
        isQuiet();
    }

    @Test
    void theNameOfARecordingThatIsBeingTypedStays() throws Exception {
        recordings(2);
        hold("/recordings");
        page.click("tr:nth-child(2) button[aria-label^='Remove recording']");
        awaitHeld(1);
        page.focus("input[aria-label^='Name of recording']");
        retype("before the cha");
        release(0);
        page.await(names(1));
        page.type("nge");
        assertEquals("before the change", page.run("document.activeElement.value").asText());
        isQuiet();
    }

    @Test
    void aPlanThatComesLateDoesNotReplaceRows() throws Exception {
        write("ask/sql", "SELECT count(*) AS airports FROM airport");
        hold("/explain");
        page.click(".tools button", "Plan");
        awaitHeld(1);
        page.focus(".ask-cell .cm-content");
        runEditor();
        reads(".ask-cell .result", "1 row");
        release(0);
        assertEquals(1, count(".ask-cell .result"));
        assertEquals(0, count(".ask-cell .plan"));
        isQuiet();
    }

    @Test
    void aViewThatWasLeftBeforeItCameRunsNothing() throws Exception {
        page.show("explore", WELCOME);
        hold("/words");
        page.run("location.hash = '#/why/run'");
        awaitHeld(1);
        page.show("observe", "document.querySelector('button.card')");
        page.run(
                "const real = window.fetch; window.asked = []; window.fetch = (...all) => { window.asked.push(String(all[0])); return real(...all); }; 0");
        release(0);
        assertFalse(page.run("window.asked.join()").asText().contains("explain"));
        assertEquals("#/observe", page.run("location.hash").asText());
        isQuiet();
    }

    @Test
    void aRowThatIsPressedTwiceIsEditedOnce() throws Exception {
        page.show("explore/table/public/airport", ROWS);
        pick(1);
        hold("/cell");
        press(".drawer p.changes button");
        press(".drawer p.changes button");
        awaitHeld(2);
        page.run("window.held.forEach((one) => one.release())");
        page.await("window.held.every((one) => one.read) && document.querySelector('dialog')");
        assertEquals(1, count("dialog"));
    }

    @Test
    void anotherRowIsNotEditedInPlaceOfTheOneShown() throws Exception {
        page.show("explore/table/public/airport", ROWS);
        pick(1);
        hold("/cell");
        press(".drawer p.changes button");
        awaitHeld(1);
        pick(2);
        release(0);
        assertEquals(0, count("dialog"));
        isQuiet();
    }

    @Test
    void detailsOfAChangedRowAreRenewedByTheRowsOfAnotherQuestion() throws Exception {
        page.show("explore/table/public/airport", ROWS);
        pick(1);
        page.click(".drawer button", "Edit");
        fillField(1, "5", "\"size\" = '5'");
        hold("/rows");
        save();
        awaitHeld(1);
        page.focus("input[aria-label=Value]");
        page.type("1");
        page.press("Enter", ENTER, 0);
        awaitHeld(2);
        release(0);
        assertEquals(1, count(".drawer[aria-busy=true]"), "they are those before the change");
        release(1);
        page.await("!document.querySelector('.drawer[aria-busy=true]')");
        reads(".drawer dl", "5");
        assertFalse(text(".drawer").contains("99"), "they are those before the change");
        isQuiet();
    }

    @Test
    void theCatalogThatWasReadLastIsShown() throws Exception {
        page.show("explore/table/public/airport", ROWS);
        hold("/catalog");
        page.click("#view .bar button[aria-label=Reload]");
        awaitHeld(1);
        execute("CREATE TABLE runway (code INTEGER PRIMARY KEY)");
        page.click("#view .bar button[aria-label=Reload]");
        awaitHeld(2);
        release(1);
        reads(".side", "runway");
        release(0);
        assertTrue(text(".side").contains("runway"), text(".side"));
        isQuiet();
    }

    @Test
    void aCatalogThatCouldNotBeReadIsReadAgain() throws Exception {
        page.show("explore/table/public/airport", ROWS);
        page.run(
                "const real = window.fetch; window.fetch = (...all) => { if (!String(all[0]).endsWith('/catalog')) return real(...all); window.fetch = real; return Promise.reject(new TypeError('gone')); }; 0");
        page.click("#view .bar button[aria-label=Reload]");
        reads("#view", "does not answer");
        page.show("explore", WELCOME);
    }

    @Test
    void figuresOfAPausedViewStay() throws Exception {
        page.show("observe", "document.querySelector('button.card')");
        hold("/observe");
        awaitHeld(1);
        page.click("#view .bar button", "Pause");
        page.run("document.querySelector('button.card').dataset.old = 'yes'");
        release(0);
        assertEquals(1, count("button.card[data-old]"));
        page.click("#view .bar button", "Go on");
        awaitHeld(2);
        release(1);
        page.await("!document.querySelector('button.card[data-old]')");
        isQuiet();
    }
}
