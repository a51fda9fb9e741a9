package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oriel.Database;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Memory of the page that observes for long: each step of a second follows the one before at once. With `-Dsteps=3600`
/// it is an hour.
class MemoryTest {
    private static final int STEPS = Integer.getInteger("steps", 900);
    private static final long MEGABYTE = 1 << 20;

    /// Bytes of scripts and of the arrays that they hold, after an hour with 500 statements.
    private static final long BYTES_MAX = 64 * MEGABYTE;

    /// Factor by which elements and listeners may vary between two steps.
    private static final double SPREAD = 1.25;

    /// Answers with 500 statements that rise, one of them new from time to time, and the time that goes on.
    private static final String COMPRESS =
            """
            (async () => {
              const real = window.fetch;
              const first = await (await real("/api/v1/observe")).json();
              window.steps = 0;
              window.most = 0;
              const statement = (i) => ({ ...first.statements[0], fingerprint: i.toString(16).padStart(16, "0"),
                statement: `SELECT ${"column, ".repeat(20)} ${i} FROM some_table WHERE id = ?`, calls: 5 * window.steps + i, total_ms: 9 * window.steps + i });
              window.fetch = async (...all) => {
                if (!String(all[0]).endsWith("/observe") || window.steps >= window.most) return real(...all);
                window.steps++;
                const from = Math.floor(window.steps / 40);
                const statements = Array.from({ length: 500 }, (_, i) => statement(from + i));
                return new Response(JSON.stringify({ ...first, at: first.at + 1000 * window.steps, statements }));
              };
              const later = window.setTimeout;
              window.setTimeout = (body, ms, ...rest) => (ms === 1000 && window.steps >= window.most ? later(body, 200, ...rest) : later(body, ms === 1000 ? 0 : ms, ...rest));
            })()
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private record Used(long bytes, long elements, long listeners) {}

    private static JsonNode ask(Chromium page, String method) throws Exception {
        return page.ask(method, Exchange.JSON.createObjectNode());
    }

    /// What the page uses after `steps` steps, once the collector has run.
    private static Used used(Chromium page, int steps) throws Exception {
        page.run("window.most = " + steps);
        while (page.run("window.steps").asInt() < steps) {
            page.run("new Promise((done) => requestAnimationFrame(done)).then(() => 0)");
        }
        page.run(
                "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))).then(() => 0)");
        ask(page, "HeapProfiler.collectGarbage");
        JsonNode heap = ask(page, "Runtime.getHeapUsage");
        JsonNode counters = ask(page, "Memory.getDOMCounters");
        return new Used(
                heap.path("usedSize").asLong() + heap.path("backingStorageSize").asLong(),
                counters.path("nodes").asLong(),
                counters.path("jsEventListeners").asLong());
    }

    private static void click(Chromium page, String selector) throws Exception {
        page.await("document.querySelector('" + selector + "')");
        page.run("document.querySelector('" + selector + "').click()");
    }

    @Test
    void aPageThatObservesForLongHoldsWhatItNeeds() throws Exception {
        try (Chromium page = Chromium.open(folder)) {
            assumeTrue(page != null, "skipped: there is no Chromium on the path");
            try (Database database = Database.inMemory();
                    Studio studio = Studio.open(database)) {
                page.size(1280, 800);
                page.go(studio.address().toString());
                page.await("document.querySelector('#view *')");
                Browser.inside(studio).query("SELECT 1");
                page.run(COMPRESS);
                page.run("window.most = 30");
                page.run("location.hash = '#/observe'");
                click(page, "button.card");
                click(page, "button.code");
                Used early = used(page, 320);
                Used late = used(page, STEPS);
                System.out.printf(
                        "The page after %d steps: %.1f MB, %s; after 320: %.1f MB, %s%n",
                        STEPS,
                        late.bytes() / (double) MEGABYTE,
                        late,
                        early.bytes() / (double) MEGABYTE,
                        early);
                assertTrue(
                        page.run("document.querySelectorAll('figure canvas').length").asInt() > 1);
                assertTrue(late.bytes() < BYTES_MAX, late.toString());
                assertTrue(late.elements() < SPREAD * early.elements(), early + " " + late);
                assertTrue(late.listeners() < SPREAD * early.listeners(), early + " " + late);
                assertEquals(List.of(), page.messages);
            }
        }
    }
}
