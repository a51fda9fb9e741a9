package dev.oriel.studio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import dev.oriel.Database;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Memory of the page that observes for long: each step of a second follows the one before at once. With `-Dsteps=3600`
/// it is an hour.
class MemoryTest extends BrowserTest {
    private static final int STEPS = Integer.getInteger("steps", 600);
    private static final long MEGABYTE = 1 << 20;

    /// Bytes of scripts and of the arrays that they hold, after an hour with 500 statements.
    private static final long BYTES_MAX = 64 * MEGABYTE;

    /// Factor by which elements and listeners may vary between two steps.
    private static final double SPREAD = 1.25;

    /// Answers with 500 statements that rise, one of them new from time to time, and the time that goes on. After
    /// `most` steps the page rests, once it has drawn the last one.
    private static final String COMPRESS =
            """
            (async () => {
              const real = window.fetch;
              const first = await (await real("/api/v1/observe")).json();
              window.steps = 0;
              window.most = 30;
              const statement = (i) => ({ ...first.statements[0], fingerprint: i.toString(16).padStart(16, "0"),
                statement: `SELECT ${"column, ".repeat(20)} ${i} FROM some_table WHERE id = ?`, calls: 5 * window.steps + i, total_ms: 9 * window.steps + i });
              window.fetch = async (...all) => {
                if (!String(all[0]).endsWith("/observe")) return real(...all);
                window.steps++;
                const from = Math.floor(window.steps / 40);
                const statements = Array.from({ length: 500 }, (_, i) => statement(from + i));
                return new Response(JSON.stringify({ ...first, at: first.at + 1000 * window.steps, statements }));
              };
              const later = window.setTimeout;
              window.setTimeout = (body, ms, ...rest) => {
                if (ms !== 1000) return later(body, ms, ...rest);
                if (window.steps < window.most) return later(body, 0);
                window.rested = body;
                return 0;
              };
              window.walk = (most) => {
                window.most = most;
                const body = window.rested;
                window.rested = null;
                body();
              };
            })()
            """;

    private record Used(long bytes, long elements, long listeners) {}

    /// What the page uses after `steps` steps, once the collector has run.
    private Used used(int steps) throws Exception {
        page.run("window.walk(" + steps + ")");
        page.await("window.rested");
        page.ask("HeapProfiler.collectGarbage"); // scripts no longer hold elements of the step
        // before
        page.ask("HeapProfiler.collectGarbage");
        JsonNode heap = page.ask("Runtime.getHeapUsage");
        JsonNode counters = page.ask("Memory.getDOMCounters");
        return new Used(
                heap.path("usedSize").asLong() + heap.path("backingStorageSize").asLong(),
                counters.path("nodes").asLong(),
                counters.path("jsEventListeners").asLong());
    }

    @Test
    void aPageThatObservesForLongHoldsWhatItNeeds() throws Exception {
        database = Database.inMemory();
        enter();
        Browser.inside(studio).query("SELECT 1");
        page.run(COMPRESS);
        page.show("observe", "window.rested");
        page.click("button.card");
        page.click("button.code");
        // The elements are counted, not laid out.
        page.run(
                "document.activeElement.blur(); document.getElementById('view').style.display = 'none'");
        Used early = used(320);
        Used late = used(STEPS);
        System.out.printf(
                "The page after %d steps: %.1f MB, %s; after 320: %.1f MB, %s%n",
                STEPS,
                late.bytes() / (double) MEGABYTE,
                late,
                early.bytes() / (double) MEGABYTE,
                early);
        assertTrue(page.run("document.querySelectorAll('figure canvas').length").asInt() > 1);
        assertTrue(late.bytes() < BYTES_MAX, late.toString());
        assertTrue(late.elements() < SPREAD * early.elements(), early + " " + late);
        assertTrue(late.listeners() < SPREAD * early.listeners(), early + " " + late);
        assertEquals(List.of(), page.messages);
    }
}
