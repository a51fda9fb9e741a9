package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.Database;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The page on a slow machine: answers come late or in another order, and a press lasts longer than a drawing.
class SlowAnswersTest extends BrowserTest {
    @BeforeEach
    void open() throws Exception {
        database = Database.inMemory();
        execute(
                "CREATE TABLE airport (code INTEGER PRIMARY KEY, size INTEGER)",
                "INSERT INTO airport SELECT i, 100 - i FROM GENERATE_SERIES(1, 50) AS g(i)");
        enter();
    }

    /// Shows the table, whose first row was picked.
    private void table() throws Exception {
        page.show("explore/table/public/airport", ROWS);
        pick(1);
        reads(".drawer dl", "99");
    }

    /// Presses a row's `Edit`, and types a size of which the dialog shows the SQL.
    private void editSize(String size) throws Exception {
        page.click(".drawer button", "Edit");
        fillField(1, size, "\"size\" = '" + size + "'");
    }

    private int count(String selector) throws Exception {
        return page.run("document.querySelectorAll(" + json(selector) + ").length").asInt();
    }

    @Test
    void theAnswerToAnEarlierQuestionIsDropped() throws Exception {
        table();
        hold("/rows");
        page.click(".grid .head button", "size");
        awaitHeld(1);
        page.focus("input[aria-label=Value]");
        page.type("7");
        page.press("Enter", ENTER, 0);
        awaitHeld(2);
        release(1);
        page.await("document.querySelectorAll('.grid .row').length === 1");
        release(0);
        assertEquals(1, count(".grid .row"));
        assertEquals(0, count("[aria-busy=true]"));
        isQuiet();
    }

    @Test
    void rowsAreMarkedUntilThoseOfTheNextQuestionAreThere() throws Exception {
        table();
        hold("/rows");
        page.focus("input[aria-label=Value]");
        page.type("7");
        page.press("Enter", ENTER, 0);
        awaitHeld(1);
        assertEquals(1, count("[aria-busy=true] .grid"));
        release(0);
        pick(1);
        reads(".drawer dl", "93");
        isQuiet();
    }

    @Test
    void detailsOfAChangedRowAreMarkedUntilTheyAreAnew() throws Exception {
        table();
        editSize("5");
        hold("/rows");
        save();
        awaitHeld(1);
        assertEquals(1, count(".drawer[aria-busy=true]"));
        release(0);
        editSize("6");
        save();
        awaitHeld(2);
        release(1);
        reads(".drawer dl", "6");
        isQuiet();
    }

    @Test
    void aLatePreviewDoesNotHideWhyAChangeFailed() throws Exception {
        table();
        editSize("5");
        hold("/change");
        retype("6");
        awaitHeld(1);
        execute("DELETE FROM airport WHERE code = 1");
        page.click("dialog button.primary", "Save");
        awaitHeld(2);
        release(1);
        reads("dialog .error", "has deleted");
        release(0);
        reads("dialog .error", "has deleted");
    }

    @Test
    void theLastPreviewIsShown() throws Exception {
        table();
        editSize("5");
        hold("/change");
        retype("6");
        awaitHeld(1);
        retype("7");
        awaitHeld(2);
        release(1);
        reads("dialog pre", "= '7'");
        release(0);
        reads("dialog pre", "= '7'");
        isQuiet();
    }

    @Test
    void aRowIsDeletedAfterItsSqlWasShown() throws Exception {
        table();
        hold("/change");
        page.click(".drawer button", "Delete");
        awaitHeld(1);
        assertEquals(1, count("dialog button.primary:disabled"));
        release(0);
        page.click("dialog button.primary", "Delete");
        awaitHeld(2);
        release(1);
        page.await("!document.querySelector('dialog')");
        isQuiet();
    }

    @Test
    void aChangeIsSentOnce() throws Exception {
        table();
        page.click("#view .bar button", "New row");
        fillField(0, "51", "51");
        hold("/change");
        page.click("dialog button.primary", "Save");
        awaitHeld(1);
        page.run("document.querySelector('dialog button.primary').click()");
        page.focus("dialog button:not(.primary)");
        assertEquals(1, page.run("window.held.length").asInt());
        release(0);
        page.await("!document.querySelector('dialog')");
        isQuiet();
    }

    private void mouse(String type, JsonNode box) throws Exception {
        ObjectNode event = Exchange.JSON.createObjectNode().put("type", type);
        event.put("x", box.get(0).asDouble()).put("y", box.get(1).asDouble());
        event.put("button", "left").put("clickCount", 1);
        page.ask("Input.dispatchMouseEvent", event);
    }

    @Test
    void aPressThatLastsOverSeveralStepsIsNotLost() throws Exception {
        page.show("observe", "document.querySelector('button.card')");
        JsonNode middle =
                page.run(
                        "(() => { const b = document.querySelector('button.card').getBoundingClientRect(); return [b.x + b.width / 2, b.y + b.height / 2]; })()");
        mouse("mouseMoved", middle);
        mouse("mousePressed", middle);
        page.run(
                "const real = window.fetch; window.seen = 0; window.fetch = (...all) => { if (String(all[0]).endsWith('/observe')) window.seen++; return real(...all); }; 0");
        page.await("window.seen > 2"); // two more steps were drawn
        mouse("mouseReleased", middle);
        page.await("document.querySelector('button.card[aria-expanded=true]')");
        page.run("window.seen = 0; document.querySelector('button.card').dataset.old = 'yes'");
        page.await("!document.querySelector('button.card').dataset.old");
        isQuiet();
    }
}
