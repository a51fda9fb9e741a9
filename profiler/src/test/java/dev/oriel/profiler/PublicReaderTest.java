package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/// What we write, read by those it is written for: a browser, ECharts, pprof, the JDK's `jfr`; and
/// speedscope's file by the rules of its schema.
class PublicReaderTest {
    private static final String ECHARTS =
            "META-INF/resources/_static/echarts/6.0.0/dist/echarts.min.js";

    @TempDir private Path directory;

    private final ProfileResult result = MadeUpResult.result();

    /// Everything that a browser draws, in one browser.
    @TestFactory
    Stream<DynamicTest> pagesDrawThemselvesInABrowser() throws Exception {
        Map<String, String> pages = new LinkedHashMap<>();
        pages.put("page", page(new HtmlReport("Made up"), result));
        pages.put("samples", page(new HtmlReport("Samples"), MadeUpResult.before()));
        pages.put("thread", pressed(page(new HtmlReport("Thread"), samplesAlone())));
        pages.put("parts", partsPressed(page(new HtmlReport("Parts"), later())));
        for (EchartsReport.Style style : EchartsReport.Style.values()) {
            pages.put(style.name(), chart(style));
        }
        Map<String, String> doms = Chromium.doms(pages);
        return doms.entrySet().stream()
                .map(each ->
                        DynamicTest.dynamicTest(
                                each.getKey(),
                                () -> {
                                    String dom = each.getValue();
                                    assertFalse(dom.contains("script-failed "), () -> failure(dom));
                                    switch (each.getKey()) {
                                        case "page" -> pageHasEverything(dom);
                                        case "samples" -> pageLeavesOutWhatItHasNot(dom);
                                        case "thread" -> threadIsShownAndSearched(dom);
                                        case "parts" -> timeAndObjectAreShown(dom);
                                        default -> optionWasDrawn(dom);
                                    }
                                }));
    }

    private static void pageHasEverything(String dom) {
        assertTrue(dom.contains("Bound by CPU"), "the verdict");
        String tree = dom.substring(dom.indexOf("id=\"tree-body\""));
        assertTrue(tree.contains("db.sql.Insert.run"), "the call tree has no rows");
        assertTrue(dom.contains("id=\"rings-list\"><li"), "the rings have no list");
        assertTrue(dom.contains("<canvas tabindex=\"0\""), "no flame graph");
    }

    private static void pageLeavesOutWhatItHasNot(String dom) {
        assertTrue(dom.contains("<section id=\"exact\" hidden"), "the empty tree is shown");
        assertTrue(dom.contains("all samples"), "no samples");
        String tree = dom.substring(dom.indexOf("id=\"tree-body\""));
        assertTrue(tree.contains("<tr"), "the tree of samples has no rows");
        String methods = dom.substring(dom.indexOf("id=\"method-body\""));
        assertTrue(methods.contains("<tr"), "there are no methods");
        assertTrue(dom.contains("<section id=\"groups\" hidden"), "one thread is not a choice");
        assertFalse(dom.contains("class=\"heat-column\""), "there is no time to choose");
    }

    private ProfileResult samplesAlone() {
        List<Sample> samples = result.samples(SampleKind.CPU);
        return new ProfileResult(
                Instant.EPOCH, 1_000_000_000L, 50, 0, List.of(), samples, List.of());
    }

    /// The samples of the made-up result, a second apart, with a launcher's frame below each.
    private ProfileResult later() {
        List<Sample> samples = new ArrayList<>();
        for (Sample sample : result.samples()) {
            List<Sample.StackFrame> stack = new ArrayList<>(sample.stack());
            stack.add(new Sample.StackFrame("java.lang.Thread", "run", 0));
            samples.add(
                    new Sample(
                            sample.kind(),
                            1_000_000_000L * samples.size(),
                            sample.thread(),
                            stack,
                            sample.weight(),
                            sample.count(),
                            sample.detail()));
        }
        return new ProfileResult(
                Instant.EPOCH, 10_000_000_000L, 50, 0, List.of(), samples, List.of());
    }

    /// The page after presses on its second kind, the column of its second sample of that kind, and its object.
    private static String partsPressed(String page) {
        return page.replace(
                "</body>",
                """
                <script>
                const press = (selector, i) => document.querySelectorAll(selector)[i].click();
                press('#kinds button', 1);
                const columns = document.querySelectorAll('.heat-column').length;
                press('.heat-column', columns - 1);
                document.querySelectorAll('.heat-column')[columns - 1].dispatchEvent(
                    new KeyboardEvent('keydown', { key: 'ArrowLeft', shiftKey: true }));
                press('#object-body button', 0);
                </script>
                </body>\
                """);
    }

    private static void timeAndObjectAreShown(String dom) {
        assertTrue(
                dom.contains("Samples from 4.80\u202fs to 5.20\u202fs, of byte[] alone."),
                () -> dom.substring(dom.indexOf("id=\"chosen\"")));
        String objects = dom.substring(dom.indexOf("id=\"object-body\""));
        assertTrue(objects.contains("262\u202fkB"), objects);
        assertTrue(dom.contains("id=\"objects-title\">Classes<"), "the objects have no title");
        String tree = dom.substring(dom.indexOf("id=\"tree-body\""));
        tree = tree.substring(0, tree.indexOf("</tbody>"));
        assertTrue(tree.contains("db.sql.Insert.run"), tree);
        assertFalse(tree.contains("java.lang.Thread"), tree);
    }

    /// The page after a press on its second thread, and a search by a regular expression.
    private static String pressed(String page) {
        return page.replace(
                "</body>",
                """
                <script>
                document.querySelectorAll('#thread-body button')[1].click();
                const search = document.getElementById('search');
                search.value = '^db\\\\.(Shell|Gone)\\\\.';
                search.dispatchEvent(new Event('input'));
                </script>
                </body>\
                """);
    }

    private static void threadIsShownAndSearched(String dom) {
        assertTrue(
                dom.contains("Samples of the thread worker \"1\" alone."),
                "the thread is not shown");
        assertTrue(dom.contains("At or below a match: 100.0\u202f% of the samples"), "the share");
        String methods = dom.substring(dom.indexOf("id=\"method-body\""));
        methods = methods.substring(0, methods.indexOf("</tbody>"));
        assertTrue(methods.contains("<span class=\"hit\">Shell.main</span>"), methods);
        assertFalse(methods.contains("Insert"), methods);
    }

    private static void optionWasDrawn(String dom) {
        String svg = dom.substring(Math.max(0, dom.indexOf("<svg")));
        int paths = svg.split("<path", -1).length - 1;
        assertTrue(paths >= 5, "only " + paths + " shapes");
        assertTrue(svg.contains("db.sql"), "no name is drawn");
    }

    private String chart(EchartsReport.Style style) throws IOException {
        StringBuilder option = new StringBuilder();
        new EchartsReport(style).write(result, option);
        return "<!doctype html><html><body><div id=\"c\" style=\"width:800px;height:800px\"></div>"
                + "<script>"
                + echarts()
                + "</script><script>onerror = (e) => document.body.append('script-' + 'failed ' + e);"
                + "const chart = echarts.init(document.getElementById('c'), null,"
                + " {renderer: 'svg'}); chart.setOption(Object.assign({animation: false}, "
                + option
                + "));</script></body></html>";
    }

    @Test
    void speedscopeFileKeepsTheRulesOfItsSchema() throws IOException {
        StringBuilder out = new StringBuilder();
        new SpeedscopeReport().write(result, out);
        Map<?, ?> file = JsonParser.object(JsonParser.parse(out.toString()), "file");
        Map<?, ?> shared = JsonParser.object(file.get("shared"), "shared");
        List<?> frames = JsonParser.array(shared.get("frames"), "frames");
        for (Object frame : frames) {
            assertTrue(JsonParser.object(frame, "frame").get("name") instanceof String);
        }
        long exact = 0;
        for (Object each : JsonParser.array(file.get("profiles"), "profiles")) {
            Map<?, ?> profile = JsonParser.object(each, "profile");
            assertEquals("sampled", profile.get("type"));
            assertTrue(profile.get("name") instanceof String);
            assertTrue(
                    Set.of("nanoseconds", "bytes", "none").contains((String) profile.get("unit")));
            List<?> samples = JsonParser.array(profile.get("samples"), "samples");
            List<?> weights = JsonParser.array(profile.get("weights"), "weights");
            assertEquals(samples.size(), weights.size());
            long sum = 0;
            for (int i = 0; i < samples.size(); i++) {
                sum += JsonParser.whole(weights.get(i), "weight");
                for (Object frame : JsonParser.array(samples.get(i), "sample")) {
                    long index = JsonParser.whole(frame, "frame");
                    assertTrue(index >= 0 && index < frames.size());
                }
            }
            long end = JsonParser.whole(profile.get("endValue"), "endValue");
            assertEquals(sum, end - JsonParser.whole(profile.get("startValue"), "startValue"));
            exact = profile.get("name").equals("Exact call tree") ? end : exact;
        }
        assertEquals(result.totalNanos(), exact);
    }

    @Test
    void pprofReadsOurProfiles() throws Exception {
        assumeTrue(Boolean.getBoolean("pprof"), "skipped: needs Go's pprof, asked for by -Dpprof");
        Path file = directory.resolve("tree.pb.gz");
        new PprofReport(null).write(result, file);
        String top = run(List.of("go", "tool", "pprof", "-top", file.toString()));

        assertTrue(top.contains("Type: self"), top);
        assertTrue(top.contains("96.06%"), top);
        assertTrue(top.contains("db.sql.Insert.run"), top);
    }

    @Test
    void keptRecordingIsReadByTheJdksTool() throws Exception {
        Path file = directory.resolve("kept.jfr");
        Profile profile =
                Profile.start(
                        ProfileOptions.exactOnly()
                                .withSamples(Set.of(SampleKind.CPU, SampleKind.GC))
                                .withRecording(file));
        System.gc();
        ProfileResult mine = profile.stop();
        Path jfr = Path.of(System.getProperty("java.home"), "bin", "jfr");
        assumeTrue(Files.isExecutable(jfr), "skipped: this is no JDK");
        String summary = run(List.of(jfr.toString(), "summary", file.toString()));
        ProfileResult read = ProfileReader.read(file);

        assertTrue(summary.contains("jdk.GCPhasePause"), summary);
        assertFalse(mine.samples(SampleKind.GC).isEmpty());
        assertTrue(read.samples(SampleKind.GC).size() >= mine.samples(SampleKind.GC).size());
        assertEquals("CPU GC", read.facts().get("samples"));
        assertTrue(read.totals().processors() > 0);
    }

    private String page(HtmlReport report, ProfileResult of) throws IOException {
        Path file = directory.resolve("page.html");
        report.write(of, file);
        return Files.readString(file)
                .replace(
                        "<body>",
                        "<body><script>onerror = (e) => document.body.append('script-' + 'failed '"
                                + " + e);</script>");
    }

    private static String failure(String dom) {
        int at = dom.indexOf("script-failed");
        return dom.substring(at, Math.min(dom.length(), at + 200));
    }

    private static String echarts() throws IOException {
        try (InputStream in = ClassLoader.getSystemResourceAsStream(ECHARTS)) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private String run(List<String> command) throws IOException, InterruptedException {
        Path out = directory.resolve("out.txt");
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        Process process = builder.redirectOutput(out.toFile()).start();
        assertTrue(process.waitFor(120, TimeUnit.SECONDS), command.toString());
        String text = Files.readString(out);
        assertEquals(0, process.exitValue(), text);
        return text;
    }
}
