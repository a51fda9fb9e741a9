package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Every view at three widths in both themes: nothing lies beyond the edge, nothing is said in the console, and
/// axe-core finds nothing. With `-Dpictures=FOLDER` each is drawn into a file.
class ViewsTest extends BrowserTest {
    private static final int[] WIDTHS = {375, 1280, 2560};

    /// Resolves if the view is drawn and its transitions have ended.
    private static final String SETTLED =
            "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))).then(() => Promise.allSettled(document"
                    + ".getAnimations().filter((a) => a.effect.getComputedTiming().iterations !== Infinity)"
                    + ".map((a) => a.finished))).then(() => true)";

    @BeforeEach
    void open() throws Exception {
        database = Database.inMemory("shop");
        execute(
                "CREATE SCHEMA sales",
                "CREATE TABLE airport (code INTEGER PRIMARY KEY, name VARCHAR, size DOUBLE)",
                "CREATE TABLE flight (id INTEGER PRIMARY KEY, origin INTEGER REFERENCES airport (code), seats INTEGER, note VARCHAR)",
                "CREATE INDEX flight_origin ON flight (origin)",
                "CREATE TABLE sales.flight (number VARCHAR PRIMARY KEY, sold DATE)",
                "CREATE VIEW large AS SELECT * FROM airport WHERE size > 1000",
                "CREATE SEQUENCE tickets",
                "INSERT INTO airport SELECT i, 'Airport ' || i, i * i FROM GENERATE_SERIES(1, 50) AS g(i)",
                "INSERT INTO flight SELECT i, 1 + MOD(i, 50), MOD(i, 300), REPEAT('seat by seat ', MOD(i, 9)) FROM GENERATE_SERIES(1, 8000) AS g(i)",
                "INSERT INTO sales.flight SELECT 'F' || i, DATE '2026-01-01' + MOD(i, 300) FROM GENERATE_SERIES(1, 900) AS g(i)");
        enter();
    }

    /// Address of each view, and the sign that it is there.
    private Map<String, String> views() throws Exception {
        Browser browser = Browser.inside(studio);
        Map<String, String> views = new LinkedHashMap<>();
        views.put("explore", "document.body.innerText.includes('Largest tables')");
        views.put(
                "explore/table/public/flight",
                "document.querySelectorAll('.grid .row').length > 5");
        views.put(
                "explore/table/sales/flight", "document.querySelectorAll('.grid .row').length > 5");
        views.put("explore/system/sys/sessions", "document.querySelector('.grid .head')");
        views.put("ask/sql", "document.querySelector('.cm-content')");
        views.put("ask/gremlin", "document.querySelector('.cm-content')");
        views.put("why/run", "document.querySelector('.why')");
        views.put("observe", "document.querySelectorAll('button.card').length > 5");
        views.put("profile", "document.querySelector('.drop')");
        String stacks =
                "a.Main.run;a.Work.%s;java.util.HashMap.get %d\na.Main.run;a.Rest.sleep 20\n";
        long first = upload(browser, "before", stacks.formatted("walk", 70));
        long second = upload(browser, "after", stacks.formatted("walk", 40));
        views.put("profile/recording/" + first, "document.querySelector('canvas')");
        views.put("profile/compare/" + first + "/" + second, "document.querySelector('p.verdict')");
        long run = profile(browser);
        views.put("profile/" + run, "document.querySelector('canvas')");
        return views;
    }

    /// A profile with samples of the processor. Some come only after a while on a busy machine.
    private static long profile(Browser browser) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (true) {
            browser.json("profile/start", "{\"what\": \"cpu,tree\"}");
            long end = System.nanoTime() + 1_500_000_000L;
            while (System.nanoTime() < end) {
                browser.query("SELECT COUNT(*) FROM flight WHERE note LIKE '%by seat seat%'");
            }
            long run = browser.json("profile/stop", "{}").path("run").asLong();
            if (!browser.json("profile?run=" + run).path("clocks").isEmpty()) {
                return run;
            }
            assertTrue(System.nanoTime() < deadline, "there is no sample");
        }
    }

    private static long upload(Browser browser, String name, String stacks) throws Exception {
        return Exchange.JSON
                .readTree(browser.post("recordings/upload?last=true&name=" + name, stacks).body())
                .path("id")
                .asLong();
    }

    @Test
    void everyViewFitsItsWindowAndReadsWellInBothThemes() throws Exception {
        String pictures = System.getProperty("pictures");
        List<String> faults = new ArrayList<>();
        for (Map.Entry<String, String> view : views().entrySet()) {
            page.run(
                    "localStorage.setItem('oriel.history', JSON.stringify([{language: 'sql', text: 'SELECT * FROM flight WHERE seats = 7'}]))");
            page.show(view.getKey(), view.getValue());
            for (int width : WIDTHS) {
                page.size(width, width < 1000 ? 812 : width * 9 / 16);
                for (String theme : List.of("light", "dark")) {
                    String place = view.getKey() + " at " + width + " in " + theme;
                    page.run(
                            "(() => { const s = document.documentElement.dataset; if (s.theme !== '"
                                    + theme
                                    + "') document.getElementById('theme').click(); })()");
                    page.run(SETTLED);
                    int over =
                            page.run(
                                            "document.documentElement.scrollWidth - document.documentElement.clientWidth")
                                    .asInt();
                    if (over > 0) {
                        faults.add(place + ": " + over + " px beyond the edge");
                    }
                    if (width != 2560) {
                        for (String violation : Axe.violations(page)) {
                            faults.add(place + ": " + violation);
                        }
                    }
                    if (pictures != null) {
                        Path file =
                                Path.of(
                                        pictures,
                                        view.getKey().replace('/', '-')
                                                + "-"
                                                + width
                                                + "-"
                                                + theme
                                                + ".png");
                        Files.createDirectories(file.getParent());
                        Files.write(file, page.picture());
                    }
                }
            }
        }
        faults.addAll(page.messages);
        assertEquals(List.of(), faults);
        Axe.required();
    }
}
