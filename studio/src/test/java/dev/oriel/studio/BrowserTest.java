package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.oriel.Database;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/// Tests of the studio's page in a real browser without a window, skipped if there is none. Each test has a page of its
/// own, and opens a database and a studio that are closed at its end.
@ExtendWith(SharedChromium.class)
abstract class BrowserTest {
    static final int TAB = 9;
    static final int ENTER = 13;
    static final int ESCAPE = 27;
    static final int END = 35;
    static final int RIGHT = 39;
    static final int DOWN = 40;
    static final int CTRL = 2;

    /// The editor of a view that has just been opened, ready for text.
    static final String EDITOR = "document.activeElement.classList.contains('cm-content')";

    static final String WELCOME = "document.body.innerText.includes('Largest tables')";

    /// Rows, up to date.
    static final String ROWS =
            "document.querySelector('.grid .row').closest('[aria-busy=true]') === null";

    @SuppressWarnings("NullAway.Init")
    Database database;

    @SuppressWarnings("NullAway.Init")
    Studio studio;

    @SuppressWarnings("NullAway.Init")
    RemoteBrowser page;

    /// A page in the browser of these tests; null if this machine has none.
    @Nullable RemoteBrowser browser() throws Exception {
        return Chromium.open();
    }

    @BeforeEach
    final void openPage() throws Exception {
        RemoteBrowser browser = browser();
        assumeTrue(browser != null, "skipped: there is no such browser on the path");
        page = browser;
        page.size(1280, 800);
    }

    @AfterEach
    final void closeAll() throws Exception {
        try {
            if (studio != null) {
                studio.close();
            }
            if (database != null) {
                database.close();
            }
        } finally {
            if (page != null) {
                page.close();
            }
        }
    }

    /// Opens the studio over what the database holds, and its page.
    final void enter() throws Exception {
        studio = Studio.open(database);
        enter(studio);
    }

    final void enter(Studio entered) throws Exception {
        page.go(entered.address().toString());
        page.await("document.querySelector('#view *')");
    }

    final void execute(String... statements) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }

    static String json(String text) throws Exception {
        return RemoteBrowser.json(text);
    }

    /// Waits until an element's text includes `part`.
    final void reads(String selector, String part) throws Exception {
        page.await(
                "document.querySelector(%s).innerText.includes(%s)"
                        .formatted(json(selector), json(part)));
    }

    /// From now on, answers to requests of addresses that end so are held: each is one of `window.held`, has its
    /// function `release`, and is `read` once the page has done what it does with it.
    final void hold(String ending) throws Exception {
        page.run(
                """
                (() => {
                  const real = window.fetch;
                  window.held = [];
                  window.fetch = async (...all) => {
                    if (!String(all[0]).endsWith(%s)) return real(...all);
                    const one = { read: false };
                    const released = new Promise((done) => { one.release = done; });
                    window.held.push(one);
                    const answer = await real(...all);
                    await released;
                    const read = () => setTimeout(() => { one.read = true; });
                    const json = answer.json.bind(answer);
                    answer.json = () => json().finally(read);
                    const { body } = answer;
                    const lines = { pipeThrough: (end) => body.pipeThrough(end).pipeThrough(new TransformStream({ flush: read })) };
                    Object.defineProperty(answer, "body", { value: lines });
                    return answer;
                  };
                })()
                """
                        .formatted(json(ending)));
    }

    /// Waits until so many answers are held.
    final void awaitHeld(int count) throws Exception {
        page.await("window.held.length === " + count);
    }

    /// Releases a held answer, and waits until the page has read it.
    final void release(int number) throws Exception {
        page.run("window.held[" + number + "].release()");
        page.await("window.held[" + number + "].read");
    }

    final String text(String selector) throws Exception {
        return page.run("document.querySelector(%s).innerText".formatted(json(selector))).asText();
    }

    /// Types in place of what the element that has the focus holds.
    final void retype(String text) throws Exception {
        page.press("a", 'A', CTRL);
        page.type(text);
    }

    /// Shows an editor and types a text in place of its own.
    final void write(String place, String text) throws Exception {
        page.show(place, EDITOR);
        retype(text);
    }

    /// Runs what the editor that has the focus holds, by the keyboard, once its last run has ended.
    final void runEditor() throws Exception {
        page.await(
                "!document.activeElement.closest('.ask-cell, .scroll').querySelector('button.primary').disabled");
        page.press("Enter", ENTER, CTRL);
    }

    /// Types in place of what a field of the dialog holds, whose SQL then includes `sql`.
    final void fillField(int number, String text, String sql) throws Exception {
        page.await("document.querySelectorAll('dialog textarea').length > " + number);
        page.run("document.querySelectorAll('dialog textarea')[" + number + "].focus()");
        retype(text);
        reads("dialog pre", sql);
    }

    /// Saves what the dialog shows.
    final void save() throws Exception {
        page.click("dialog button.primary", "Save");
        page.await("!document.querySelector('dialog')");
    }

    /// Opens the notebook that is the only one.
    final void opensTheNotebook() throws Exception {
        String saved = "select[aria-label=\"Saved notebooks\"]";
        page.await("document.querySelector(" + json(saved) + ").options.length === 2");
        page.choose(saved, "selectedIndex", "1");
        reads("#status", "is open");
    }

    /// Picks a row of a table, the first one with the number 1.
    final void pick(int row) throws Exception {
        page.click(".grid .row:nth-child(" + row + ")");
    }

    /// Nothing of the data ran, and nothing was said in the console.
    final void isQuiet() throws Exception {
        assertTrue(page.run("document.title").asText().startsWith("Oriel studio"));
        assertEquals(List.of(), page.messages);
    }
}
