package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.Database;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/// The exported pages of a recording and of a comparison, opened from a file: in both themes, on a phone and on a
/// screen. They read well, nothing is cut off, and no field is stretched.
@ExtendWith(SharedChromium.class)
class StaticPagesTest {
    /// Tables that are wider than their place and cannot be scrolled, and check boxes of a wrong size.
    private static final String FAULTS =
            """
            (() => {
              const faults = [];
              const over = document.documentElement.scrollWidth - document.documentElement.clientWidth;
              if (over > 0) faults.push(`${over} px beyond the edge`);
              for (const table of document.querySelectorAll("table")) {
                if (!table.checkVisibility()) continue;
                let place = table.parentElement;
                while (place !== document.body && !/auto|scroll/.test(getComputedStyle(place).overflowX)) place = place.parentElement;
                const room = place === document.body ? innerWidth : Infinity;
                if (table.getBoundingClientRect().right > room) faults.push(`a table ends at ${table.getBoundingClientRect().right}`);
              }
              for (const box of document.querySelectorAll("input[type=checkbox]")) {
                if (box.getBoundingClientRect().width > 24) faults.push(`a check box of ${box.getBoundingClientRect().width} px`);
              }
              return faults;
            })()
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private static long upload(Browser browser, String name, int weight) throws Exception {
        String stacks =
                "a.Main.run;a.Work.walk;java.util.HashMap.get %d\na.Main.run;a.Rest.sleep 200\n"
                        .formatted(weight);
        return Exchange.JSON
                .readTree(browser.post("recordings/upload?last=true&name=" + name, stacks).body())
                .path("id")
                .asLong();
    }

    @Test
    void pagesOfRecordingsAndComparisonsReadWellEverywhere() throws Exception {
        List<Path> files = new ArrayList<>();
        try (Database database = Database.inMemory();
                Studio studio = Studio.open(database)) {
            Browser browser = Browser.inside(studio);
            ObjectNode sides = Exchange.JSON.createObjectNode().put("page", true);
            for (int i = 0; i < 3; i++) {
                sides.withArray("a").add(upload(browser, "before", 700 + i));
                sides.withArray("b").add(upload(browser, "after", 400 + i));
            }
            String recording = browser.get("/api/v1/recordings/page?id=" + sides.at("/a/0")).body();
            String comparison = browser.post("recordings/compare", sides.toString()).body();
            files.add(Files.writeString(folder.resolve("recording.html"), recording));
            files.add(Files.writeString(folder.resolve("comparison.html"), comparison));
        }
        try (Chromium page = Chromium.open()) {
            assumeTrue(page != null, "skipped: there is no Chromium on the path");
            List<String> faults = new ArrayList<>();
            for (Path file : files) {
                for (int width : new int[] {375, 1280}) {
                    page.size(width, 900);
                    for (String scheme : List.of("light", "dark")) {
                        page.scheme(scheme);
                        page.go(file.toUri().toString());
                        page.await("document.querySelector('canvas, table')");
                        String place = file.getFileName() + " at " + width + " in " + scheme + ": ";
                        page.run(FAULTS).forEach(one -> faults.add(place + one.asText()));
                        Axe.violations(page).forEach(one -> faults.add(place + one));
                    }
                }
            }
            faults.addAll(page.messages);
            assertEquals(List.of(), faults);
        }
    }
}
