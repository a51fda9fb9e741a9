package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/// A person at the page: presses what can be seen, types, and waits for what is told.
final class Person {
    private static final int CTRL = 2;
    private static final int ENTER = 13;

    private final Chromium page;

    Person(Chromium page) {
        this.page = page;
    }

    private static String json(String text) throws Exception {
        return Exchange.JSON.writeValueAsString(text);
    }

    /// Presses the first element of `selector` whose text begins so, once it can be pressed.
    void press(String selector, String text) throws Exception {
        String found =
                "[...document.querySelectorAll(%s)].find(x => x.textContent.trim().startsWith(%s) && x.checkVisibility() && !x.disabled)"
                        .formatted(json(selector), json(text));
        page.await(found);
        page.run("(() => { const it = " + found + "; it.focus(); it.click(); })()");
    }

    /// Waits until there is an element of `selector`.
    void sees(String selector) throws Exception {
        page.await("document.querySelector(" + json(selector) + ")");
    }

    /// Waits until the view says so.
    void reads(String text) throws Exception {
        page.await("document.getElementById('view').innerText.includes(" + json(text) + ")");
    }

    /// Text of the first element of `selector`.
    String text(String selector) throws Exception {
        return page.run("document.querySelector(" + json(selector) + ").innerText").asText();
    }

    /// Types in place of what the field has.
    void fills(String selector, String text) throws Exception {
        sees(selector);
        page.run("document.querySelector(" + json(selector) + ").focus()");
        page.press("a", 'A', CTRL);
        page.type(text);
    }

    void chooses(String selector, String option) throws Exception {
        page.run(
                "(() => { const s = document.querySelector(%s); s.value = %s; s.dispatchEvent(new Event('change')); })()"
                        .formatted(json(selector), json(option)));
    }

    /// Types a statement into the editor that has the focus, and runs it.
    void asks(String statement) throws Exception {
        page.await("document.activeElement.classList.contains('cm-content')");
        page.press("a", 'A', CTRL);
        page.type(statement);
        page.press("Enter", ENTER, CTRL);
    }

    void enter() throws Exception {
        page.press("Enter", ENTER, 0);
    }

    void goesBack() throws Exception {
        page.run("history.back()");
    }

    void opens(String place) throws Exception {
        page.run("location.hash = " + json("#/" + place));
    }

    /// Scrolls the rows to their end until so many are there.
    void scrolls(int rows) throws Exception {
        page.await(
                "(() => { const g = document.querySelector('.grid'); g.scrollTop = 1e9; return Number(g.getAttribute('aria-rowcount')) > %d; })()"
                        .formatted(rows));
    }

    /// Nothing was said in the console; with `axe`, axe-core finds nothing.
    void isContent(boolean axe) throws Exception {
        assertEquals(List.of(), page.messages);
        if (axe) {
            assertEquals(List.of(), Axe.violations(page));
        }
    }
}
