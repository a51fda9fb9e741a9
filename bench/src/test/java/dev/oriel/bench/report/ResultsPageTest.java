package dev.oriel.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.SampleResults;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ResultsPageTest {
    private static final String EVIL = "\"><script>alert(1)</script>'&";

    /// A name, which no browser fetches.
    private static final String SVG = "http://www.w3.org/2000/svg";

    private static final Pattern TAG = Pattern.compile("<(/?)([a-z][a-z0-9]*)[^<>]*?(/?)>");
    private static final Set<String> VOID = Set.of("meta", "br", "wbr", "link", "img");

    private static Results full() {
        SampleResults results = new SampleResults();
        for (String count : new String[] {"10000", "1000000"}) {
            String name = "jdbm/insert/in-order/" + count + "x150/written";
            results.rate(name, "oriel", 500e3, 510e3, 490e3)
                    .rate(name, "lmdb", 400e3, 420e3, 410e3)
                    .rate(name, EVIL, 4e3, 4.2e3, null)
                    .figure(name, "oriel", "file", "bytes/op", 170.0, 171.0)
                    .note(name, EVIL, "note " + EVIL);
        }
        for (String subject : new String[] {"oriel", "rocksdb"}) {
            results.rate("jdbm/commit/1", subject, 8e3, 9e3)
                    .figure("jdbm/commit/1", subject, "p50", "ns", 110e3, 115e3)
                    .figure("jdbm/commit/1", subject, "max", "ns", 9e6, 15e6);
        }
        return results.time("limits/sync", "machine", 100e3, 110e3)
                .rate("w" + EVIL + "/x", "oriel", 3.0)
                .note("w/none", "h2", "could not")
                .build();
    }

    @Test
    void namesAreEscaped() throws IOException {
        String page = new ResultsPage(full()).text();
        assertFalse(page.contains("<script>alert"), "a script came through");
        assertTrue(page.contains("&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;&amp;"));
        String scripts = page.replace("<script type=\"application/json\">", "");
        assertEquals(1, scripts.split("<script", -1).length - 1, "only our own script");
    }

    @Test
    void nothingIsFetchedFromElsewhere() throws IOException {
        String page = new ResultsPage(full()).text();
        for (String word :
                new String[] {"http:", "https:", "//", "src=", "@import", "url(", "<link"}) {
            String outside = page.replaceAll("(?m)^ *// .*$", "").replace(SVG, "");
            assertFalse(outside.contains(word), word);
        }
        Matcher links = Pattern.compile("href=\"([^\"]*)\"").matcher(page);
        int count = 0;
        while (links.find()) {
            count++;
            assertTrue(links.group(1).startsWith("#"), links.group(1));
        }
        assertTrue(count > 5);
    }

    @Test
    void everyElementIsClosed() throws IOException {
        String page = new ResultsPage(full()).text();
        String body = page.substring(page.indexOf("<body>"), page.indexOf("<script>"));
        Deque<String> open = new ArrayDeque<>();
        Matcher tags = TAG.matcher(body);
        while (tags.find()) {
            String name = tags.group(2);
            if (tags.group(1).isEmpty() && tags.group(3).isEmpty() && !VOID.contains(name)) {
                open.push(name);
            } else if (!tags.group(1).isEmpty()) {
                assertEquals(open.poll(), name, "at " + tags.start());
            }
        }
        assertEquals("body", String.join(" ", open));
    }

    @Test
    void everyPartIsThere() throws IOException {
        String page = new ResultsPage(full()).text();
        for (String part :
                new String[] {
                    "id=\"glance\"",
                    "id=\"targets\"",
                    "id=\"w-jdbm\"",
                    "id=\"limits\"",
                    "id=\"articles\"",
                    "id=\"notes\"",
                    "id=\"settings\"",
                    "<figure class=\"growth\">",
                    "class=\"latency\"",
                    "could not",
                    "1.22&times;",
                    "prefers-color-scheme: dark"
                }) {
            assertTrue(page.contains(part), part);
        }
        assertEquals(1, page.split("<figure", -1).length - 1, "one family of sizes");
        assertEquals(1, page.split("class=\"latency\"", -1).length - 1);
    }

    @Test
    void aBrowserDrawsTheChartsAndRunsNoScriptOfTheResults(@TempDir Path folder)
            throws IOException, InterruptedException {
        String dom = dom(new ResultsPage(full()).text(), folder);
        Matcher svg = Pattern.compile("<svg.*?</svg>").matcher(dom);
        assertTrue(svg.find(), dom);
        assertTrue(svg.group().contains("class=\"line ours\""), svg.group());
        assertTrue(svg.group().contains("&lt;script&gt;alert(1)&lt;/script&gt;"), svg.group());
        assertTrue(
                Pattern.compile("class=\"t\" data-value=[^>]*><i class=\"tick")
                        .matcher(dom)
                        .find());
        assertTrue(dom.contains("<i class=\"span v-ahead\""), dom);
        assertTrue(dom.contains("<i class=\"dot pm\""), dom);
        assertFalse(dom.contains("NaN"), dom);
    }

    /// The page after its script has run.
    private static String dom(String page, Path folder) throws IOException, InterruptedException {
        Path file = Files.writeString(folder.resolve("page.html"), page);
        Path dom = folder.resolve("dom.html");
        Process browser =
                new ProcessBuilder(
                                browser(),
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--user-data-dir=" + folder.resolve("browser"),
                                "--virtual-time-budget=4000",
                                "--dump-dom",
                                file.toUri().toString())
                        .redirectOutput(dom.toFile())
                        .redirectError(ProcessBuilder.Redirect.DISCARD)
                        .start();
        if (!browser.waitFor(2, TimeUnit.MINUTES)) {
            browser.destroyForcibly().waitFor();
        }
        return Files.readString(dom);
    }

    private static String browser() {
        for (String folder : System.getenv("PATH").split(File.pathSeparator, -1)) {
            Path file = Path.of(folder, "chromium");
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        return abort("skipped: there is no Chromium on the path");
    }

    @Test
    void emptyResultsMakeAPageToo() throws IOException {
        String page = new ResultsPage(new SampleResults().build()).text();
        assertTrue(page.contains("of 0 ahead"), "the summary");
        assertFalse(page.contains("NaN"));
    }
}
