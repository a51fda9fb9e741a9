package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;

/// A person at the page: presses what can be seen, types, and waits for what is told.
final class Person {
    private final RemoteBrowser page;

    Person(RemoteBrowser page) {
        this.page = page;
    }

    private static String json(String text) throws Exception {
        return RemoteBrowser.json(text);
    }

    /// Presses the first element of `selector` whose text begins so, once it can be pressed.
    void press(String selector, String text) throws Exception {
        page.click(selector, text);
    }

    /// Waits until there is an element of `selector`.
    void sees(String selector) throws Exception {
        page.await("document.querySelector(" + json(selector) + ")");
    }

    /// Waits until the view says so.
    void reads(String text) throws Exception {
        page.await("document.getElementById('view').innerText.includes(" + json(text) + ")");
    }

    /// Waits until the view has this title.
    void isAt(String title) throws Exception {
        page.await("document.querySelector('#view h2.title').innerText === " + json(title));
    }

    /// Types in place of what the field has.
    void fills(String selector, String text) throws Exception {
        page.focus(selector);
        page.press("a", 'A', BrowserTest.CTRL);
        page.type(text);
    }

    void chooses(String selector, String option) throws Exception {
        page.choose(selector, "value", json(option));
    }

    /// Types a statement into the editor that has the focus, and runs it.
    void asks(String statement) throws Exception {
        page.await(BrowserTest.EDITOR);
        page.press("a", 'A', BrowserTest.CTRL);
        page.type(statement);
        page.press("Enter", BrowserTest.ENTER, BrowserTest.CTRL);
    }

    void enter() throws Exception {
        page.press("Enter", BrowserTest.ENTER, 0);
    }

    void goesBack() throws Exception {
        page.goThroughHistory(-1);
    }

    void opens(String place) throws Exception {
        page.show(place, "document.querySelector('#view *')");
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
