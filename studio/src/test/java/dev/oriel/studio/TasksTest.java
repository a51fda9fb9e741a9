package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Five questions as a new user would answer them, from opening the page on, with the number of presses and the time
/// that the page took; and every view by the keyboard alone. docs/studio.md has the figures.
class TasksTest extends BrowserTest {
    private int presses;
    private long begun;

    @BeforeEach
    void open() throws Exception {
        database = Database.inMemory("shop");
        execute(
                "CREATE TABLE customer (id INTEGER PRIMARY KEY, city VARCHAR)",
                "CREATE TABLE booking (id INTEGER PRIMARY KEY, customer INTEGER REFERENCES customer (id), seats INTEGER, note VARCHAR)",
                "INSERT INTO customer SELECT i, 'City ' || MOD(i, 40) FROM GENERATE_SERIES(1, 5000) AS g(i)",
                "INSERT INTO booking SELECT i, 1 + MOD(i, 5000), MOD(i, 900), REPEAT('by the window ', 4) FROM GENERATE_SERIES(1, 60000) AS g(i)");
        for (int i = 0; i < 12; i++) {
            execute("SELECT COUNT(*) FROM booking WHERE seats = " + i);
        }
        enter();
        begun = System.nanoTime();
    }

    /// Asks and reads the answer: rows are made when they are read.
    private void count() throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows =
                        statement.executeQuery("SELECT COUNT(*) FROM booking WHERE seats = 7")) {
            assertTrue(rows.next());
        }
    }

    private void press(String selector, String text) throws Exception {
        page.click(selector, text);
        presses++;
    }

    private void told(String task, String sign) throws Exception {
        reads("body", sign);
        double seconds = (System.nanoTime() - begun) / 1e9;
        System.out.printf(Locale.ROOT, "%s: %d presses, %.1f s%n", task, presses, seconds);
        assertEquals(List.of(), page.messages);
        String pictures = System.getProperty("pictures");
        if (pictures != null) {
            Files.createDirectories(Path.of(pictures));
            Files.write(Path.of(pictures, task + ".png"), page.picture());
        }
    }

    @Test
    void whyIsAStatementSlow() throws Exception {
        press("#tabs a", "Observe");
        press("#view button.code", "SELECT count(*) FROM booking");
        press("#view a", "Why does it take");
        page.focus("input[aria-label=Parameters]");
        page.type("7");
        press("#view button", "Run and explain");
        told("slow", "rows of booking are read to keep");
    }

    @Test
    void whichTableIsTheBiggest() throws Exception {
        told("biggest", "Largest tables");
        String first = page.run("document.querySelector('#view tbody tr').innerText").asText();
        assertTrue(first.startsWith("booking") && first.contains("MB"), first);
    }

    @Test
    void whoBlocksWhom() throws Exception {
        try (Connection holder = database.connect();
                Connection waiter = database.connect();
                Statement holding = holder.createStatement();
                Statement waiting = waiter.createStatement()) {
            holder.setAutoCommit(false);
            holding.executeUpdate("UPDATE customer SET city = 'Graz' WHERE id = 7");
            Thread second =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    waiting.executeUpdate(
                                            "UPDATE customer SET city = 'Linz' WHERE id = 7");
                                } catch (SQLException e) {
                                    throw new IllegalStateException(e);
                                }
                            });
            press("#tabs a", "Observe");
            told("blocks", "Who blocks whom");
            page.await("/Graz|UPDATE customer/.test(document.querySelector('.plan').innerText)");
            holder.rollback();
            second.join();
        }
    }

    @Test
    void isAnIndexWorthIt() throws Exception {
        press("#tabs a", "Why");
        page.await(EDITOR);
        retype("SELECT * FROM booking WHERE seats = 7");
        press("#view button", "Run and explain");
        press("#view button", "Measure it");
        page.await("document.querySelector('p.verdict')");
        told("index", "rounds in turns");
        String verdict = page.run("document.querySelector('p.verdict').innerText").asText();
        assertTrue(verdict.contains("times as fast"), verdict);
    }

    @Test
    void isAnIndexThatExistsWorthIt() throws Exception {
        execute("CREATE INDEX booking_seats ON booking (seats)");
        press("#tabs a", "Why");
        page.await(EDITOR);
        retype("SELECT * FROM booking WHERE seats = 7");
        press("#view button", "Run and explain");
        press("#view button", "Measure without it");
        page.await("document.querySelector('p.verdict')");
        told("index that exists", "rounds in turns");
        String verdict = page.run("document.querySelector('p.verdict').innerText").asText();
        assertTrue(verdict.contains("times as fast"), verdict);
    }

    @Test
    void didAChangeHelp() throws Exception {
        Thread work =
                Thread.ofVirtual()
                        .start(() -> {
                            while (!Thread.currentThread().isInterrupted()) {
                                try {
                                    count();
                                } catch (SQLException e) {
                                    return; // the test has ended
                                }
                            }
                        });
        try {
            press("#tabs a", "Profile");
            page.await("document.querySelector('input[aria-label=\"Seconds each\"]')");
            page.run("document.querySelector('input[aria-label=\"Seconds each\"]').value = 1");
            page.run(
                    "document.querySelector('input[aria-label=\"Number of recordings\"]').value = 4");
            presses += 2;
            press("#view button.primary", "Record");
            page.await("document.querySelector('input[aria-label=Name]').value === 'after'");
            execute("CREATE INDEX booking_seats ON booking (seats)");
            press("#view button.primary", "Record");
            page.await("document.querySelectorAll('.drop tbody tr').length === 8");
            press("#view button.primary", "Compare A with B");
            page.await("document.querySelector('p.verdict')");
            told("change", "B's flame graph");
            String verdict = page.run("document.querySelector('p.verdict').className").asText();
            assertTrue(verdict.contains("faster"), verdict);
        } finally {
            work.interrupt();
            work.join();
        }
    }

    /// Moves on by Tab until a selector has the focus.
    private void tabTo(String selector) throws Exception {
        String there = "document.activeElement.matches('" + selector + "')";
        for (int i = 0; i < 120; i++) {
            if (page.run(there).asBoolean()) {
                assertTrue(
                        page.run("document.activeElement.matches(':focus-visible')").asBoolean(),
                        selector + " does not show that it has the focus");
                return;
            }
            if (page.run(EDITOR).asBoolean()) {
                page.press("Escape", ESCAPE, 0); // else Tab indents, two seconds after the last one
            }
            page.press("Tab", TAB, 0);
        }
        throw new AssertionError(selector + " is not reached by Tab");
    }

    @Test
    void everyViewIsUsedByTheKeyboardAlone() throws Exception {
        page.await(WELCOME);
        tabTo("main td a");
        page.press("Enter", ENTER, 0);
        page.await(ROWS);
        tabTo(".grid");
        page.press("ArrowDown", DOWN, 0);
        page.press("ArrowDown", DOWN, 0);
        page.await("document.querySelector('.grid .row.selected').innerText.startsWith('2')");
        tabTo(".drawer button");
        page.press("Enter", ENTER, 0);
        page.await("document.querySelector('dialog[open]')");
        page.press("Escape", ESCAPE, 0);
        page.await("!document.querySelector('dialog[open]')");

        page.run(
                "document.body.tabIndex = -1; document.body.focus(); document.activeElement.blur()");
        tabTo("a[href=\"#/why\"]");
        page.press("Enter", ENTER, 0);
        page.await(EDITOR);
        retype("SELECT * FROM booking WHERE seats = 7");
        page.press("Enter", ENTER, CTRL);
        page.await("document.querySelector('[role=treeitem]')");
        page.press("Escape", ESCAPE, 0); // Tab indents in the editor; after Escape it moves on
        tabTo("[role=treeitem]");
        page.press("Enter", ENTER, 0);
        page.await("document.querySelector('[role=treeitem][aria-selected=true]')");

        page.run("document.querySelector('a[href=\"#/observe\"]').focus()");
        page.press("Tab", TAB, 8);
        tabTo("a[href=\"#/observe\"]");
        page.press("Enter", ENTER, 0);
        page.await("document.querySelector('button.card')");
        tabTo("button.card");
        page.press("Enter", ENTER, 0);
        page.await("document.querySelector('button.card[aria-expanded=true]')");

        page.run("document.querySelector('a[href=\"#/profile\"]').focus()");
        page.press("Tab", TAB, 8);
        tabTo("a[href=\"#/profile\"]");
        page.press("Enter", ENTER, 0);
        page.await("document.querySelector('.drop')");
        tabTo("input[aria-label=Seconds]");
        page.press("a", 'A', CTRL);
        page.type("1");
        tabTo("button.primary");
        page.press("Enter", ENTER, 0);
        page.await(
                "document.querySelector('.flame canvas') || document.body.innerText.includes('No samples')");
        if (page.run("!!document.querySelector('.flame canvas')").asBoolean()) {
            tabTo(".flame canvas");
            page.press("ArrowDown", DOWN, 0);
            page.await("document.querySelector('.flame-facts').innerText.includes('of all')");
        }
        assertEquals(List.of(), page.messages);
    }
}
