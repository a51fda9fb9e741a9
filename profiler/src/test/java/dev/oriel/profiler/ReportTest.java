package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.profiler.MethodReport.Grouping;
import dev.oriel.profiler.MethodReport.Layout;
import dev.oriel.profiler.Sample.StackFrame;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/// Each report of one small made-up result, against the files in `golden`; `-Dupdate=true` writes
/// them anew.
class ReportTest {
    private static final Path GOLDEN =
            Path.of(
                    System.getProperty("oriel.root", ".."),
                    "profiler/src/test/resources/dev/oriel/profiler/golden");

    private static final HprofReport HPROF = new HprofReport(4, 0.0001, ZoneId.of("UTC"));

    private static final Map<String, Report> REPORTS =
            Map.ofEntries(
                    Map.entry("hprof.txt", HPROF),
                    Map.entry("tree.txt", new TreeReport()),
                    Map.entry("inverted.txt", new TreeReport(true, 0)),
                    Map.entry("methods.txt", new MethodReport()),
                    Map.entry("classes.txt", methods(Grouping.CLASSES, Layout.TEXT)),
                    Map.entry("packages.md", methods(Grouping.PACKAGES, Layout.MARKDOWN)),
                    Map.entry("methods.csv", methods(Grouping.METHODS, Layout.CSV)),
                    Map.entry("cpu.txt", new SampleReport(SampleKind.CPU, 10)),
                    Map.entry("exact.collapsed", CollapsedReport.exact()),
                    Map.entry("cpu.collapsed", new CollapsedReport(SampleKind.CPU)),
                    Map.entry(
                            "difference.collapsed",
                            new CollapsedDifference(MadeUpResult.before(), SampleKind.CPU)),
                    Map.entry("profile.json", new JsonReport()),
                    Map.entry("watched.json", new WatchedReport()),
                    Map.entry("rings.json", new EchartsReport(EchartsReport.Style.RINGS)),
                    Map.entry("sunburst.json", new EchartsReport(EchartsReport.Style.SUNBURST)),
                    Map.entry("speedscope.json", new SpeedscopeReport()),
                    Map.entry("trace.json", new ChromeTraceReport()),
                    Map.entry("exact.pprof.txt", new PprofReport(null)));

    static Stream<String> files() {
        return REPORTS.keySet().stream().sorted();
    }

    private static MethodReport methods(Grouping grouping, Layout layout) {
        return new MethodReport(grouping, layout, 100);
    }

    @ParameterizedTest
    @MethodSource("files")
    void reportIsAsItWas(String file) throws IOException {
        String written = text(Objects.requireNonNull(REPORTS.get(file)), MadeUpResult.result());
        if (file.endsWith(".json")) {
            assertNotNull(JsonParser.parse(written));
        }
        Path golden = GOLDEN.resolve(file);
        if (Boolean.getBoolean("update")) {
            Files.writeString(golden, written);
        }
        assertEquals(Files.readString(golden), written);
    }

    @Test
    void hprofLinesHaveTheFormOfItsFormatStrings() throws IOException {
        List<Pattern> forms =
                List.of(
                        Pattern.compile(
                                "JAVA PROFILE 1\\.0\\.1, created \\w{3} \\w{3} [ \\d]\\d .*"),
                        Pattern.compile("TRACE 3\\d{5}:"),
                        Pattern.compile("\\t[^ (]+\\([^:]+:(\\d+|Unknown line)\\)"),
                        Pattern.compile("\\t<empty>"),
                        Pattern.compile(
                                "CPU (SAMPLES|TIME \\(ms\\)) BEGIN \\(total = \\d+\\) .*\\d{4}"),
                        Pattern.compile("SITES BEGIN \\(ordered by allocated bytes\\) .*\\d{4}"),
                        Pattern.compile("MONITOR TIME BEGIN \\(total = \\d+ ms\\) .*\\d{4}"),
                        Pattern.compile("(CPU SAMPLES|CPU TIME \\(ms\\)|SITES|MONITOR TIME) END"),
                        Pattern.compile("rank   self  accum   count trace (method|monitor)"),
                        Pattern.compile(" {10}percent {10}live {10}alloc'ed  stack class"),
                        Pattern.compile(
                                " rank   self  accum     bytes objs     bytes  objs trace name"),
                        Pattern.compile(
                                "[ \\d]{4}\\d [ \\d]{1,2}\\d\\.\\d\\d% [ \\d]{1,2}\\d\\.\\d\\d%"
                                        + " [ \\d]{8,}\\d [ \\d]{3,}\\d [ \\d]{8,}\\d [ \\d]{4,}\\d"
                                        + " 3\\d{5} \\S+"),
                        Pattern.compile(
                                "[ \\d]{3}\\d [ \\d]{1,2}\\d\\.\\d\\d% [ \\d]{1,2}\\d\\.\\d\\d%"
                                        + " [ \\d]{6,}\\d 3\\d{5} (\\S+|<empty trace>|\\S+ \\(Java\\))"));
        String[] parts = text(HPROF, MadeUpResult.result()).split("\n--------\n\n", -1);
        assertEquals(2, parts.length);
        assertTrue(forms.getFirst().matcher(parts[0].lines().findFirst().orElse("")).matches());
        for (String line : parts[1].lines().toList()) {
            assertTrue(forms.stream().anyMatch(form -> form.matcher(line).matches()), line);
        }
    }

    @Test
    void hprofPrintsEachTraceBeforeTheTableThatNamesIt() throws IOException {
        String text = text(HPROF, MadeUpResult.result());
        for (String line : text.substring(text.indexOf(" BEGIN (total")).lines().toList()) {
            if (line.contains("%")) {
                String trace = line.replaceAll(".* (3\\d{5}) .*", "$1");
                assertTrue(text.contains("\nTRACE " + trace + ":\n"), line);
            }
        }
    }

    @Test
    void namesAreEscapedOnThePage() throws IOException {
        String evil = "<script>alert('x')</script>";
        CallNode node = new CallNode("a.B." + evil, 1, 10, 10, 10, 10, List.of());
        Sample sample =
                new Sample(SampleKind.CPU, 0, evil, List.of(new StackFrame("a.B", evil, 3)), 1);
        ProfileResult result =
                new ProfileResult(
                        Instant.EPOCH, 10, 1, 0, List.of(node), List.of(sample), List.of(evil));
        ReportTable table = new ReportTable(evil, evil, List.of(evil), List.of(List.of(evil)));
        String page = text(new HtmlReport(evil, evil, List.of(table)), result);

        assertFalse(page.contains("<script>alert"), "the name is markup on the page");
        assertFalse(page.contains("</script>alert"), "the name ends a script of the page");
        assertTrue(page.contains("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"));
        assertTrue(page.contains("a.B.\\u003cscript\\u003ealert"));
        assertFalse(text(new JsonReport(), result).contains("<script"));
    }

    @Test
    void pageNeedsNothingFromElsewhere() throws IOException {
        String page = text(new HtmlReport("Test").withTable(table()), MadeUpResult.result());
        assertFalse(
                Pattern.compile("(?i)https?:|\\bsrc=|<link|@import|url\\(").matcher(page).find());
        assertTrue(page.startsWith("<!doctype html>"));
        assertTrue(page.contains("<td class=\"n\">1,200/s</td>"));
        assertTrue(page.contains("<td>insert</td>"));
    }

    /// Calls that were counted without a time cost next to nothing to record.
    @Test
    void theCostOfRecordingIsThatOfTimedCalls() throws IOException {
        CallDetail detail = new CallDetail(900, 0, 0, 0, 0, Histogram.EMPTY);
        CallNode called =
                new CallNode("a.B.c", 1_000, 9_000_000, 9_000_000, 1, 1, detail, List.of());
        CallNode main = new CallNode("a.B.main", 1, 9_000_000, 0, 1, 1, List.of(called));
        ProfileResult result =
                new ProfileResult(
                        Instant.EPOCH, 10_000_000, 50, 0, List.of(main), List.of(), List.of());
        String page = text(new HtmlReport("Test"), result);
        assertTrue(
                page.contains("<dt>Cost of recording</dt><dd>" + Figures.time(101 * 50 + 900 * 5)),
                page);
        String watched = text(new WatchedReport(), result);
        assertTrue(watched.contains("\"total_children_wasted\":" + 100 * 50), watched);
    }

    /// Not of waits: calls of 9 ms that computed for 1 ms.
    @Test
    void theSummaryGivesRecordingAsAShareOfComputing() throws IOException {
        CallDetail detail = new CallDetail(0, 0, 0, 0, 0, Histogram.EMPTY);
        CallNode main =
                new CallNode("a.B.main", 1_000, 9_000_000, 9_000_000, 1, 1, detail, List.of());
        ProfileResult result =
                new ProfileResult(
                                Instant.EPOCH,
                                10_000_000,
                                50,
                                0,
                                List.of(main),
                                List.of(),
                                List.of())
                        .withTotals(new Totals(-1, 1_000_000, -1, 1, 0, 2));
        String summary = text(new SummaryReport(ClassCode.of(List.of())), result);
        assertTrue(summary.contains(", 5.0 % of the time in which calls computed."), summary);
    }

    @Test
    void rowsOfATableFitItsColumns() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new ReportTable("t", "", List.of("a"), List.of(List.of("1", "2"))));
    }

    @Test
    void endingOfTheFileChoosesTheReport(@TempDir Path directory) throws IOException {
        assertEquals(ReportFormat.HTML, ReportFormat.of(Path.of("a.html")));
        assertEquals(ReportFormat.JSON, ReportFormat.of(Path.of("a.JSON")));
        assertEquals(ReportFormat.SUNBURST, ReportFormat.of(Path.of("a.sunburst.json")));
        assertEquals(ReportFormat.PPROF, ReportFormat.of(Path.of("a.pb.gz")));
        assertEquals(ReportFormat.HPROF, ReportFormat.of(Path.of("a.hprof")));
        assertNull(ReportFormat.of(Path.of("a.xyz")));
        assertNull(ReportFormat.named("xyz"));
        Path file = directory.resolve("tree.txt");
        Report.byName(file, "t").write(MadeUpResult.result(), file);
        assertEquals(text(new TreeReport(), MadeUpResult.result()), Files.readString(file));
    }

    @ParameterizedTest
    @EnumSource(ReportFormat.class)
    void everyFormatIsWrittenOfEveryResult(ReportFormat format, @TempDir Path directory)
            throws IOException {
        ProfileResult empty =
                new ProfileResult(Instant.EPOCH, 0, 1, 0, List.of(), List.of(), List.of());
        ClassCode code = ClassCode.of(List.of());
        for (ProfileResult result : List.of(MadeUpResult.result(), MadeUpResult.before(), empty)) {
            Path file = directory.resolve("file");
            format.report(result, "t", null, code).write(result, file);
            boolean nothing = result.equals(empty) && format == ReportFormat.COLLAPSED;
            assertEquals(nothing, Files.size(file) == 0);
            assertEquals(format, ReportFormat.named(format.word()));
        }
    }

    @Test
    void emptyResultHasReportsToo() throws IOException {
        ProfileResult empty =
                new ProfileResult(Instant.EPOCH, 0, 1, 0, List.of(), List.of(), List.of("none"));
        assertTrue(text(new HtmlReport("Empty"), empty).contains("<li>none</li>"));
        assertTrue(text(new TreeReport(), empty).contains("note: none"));
        assertFalse(text(HPROF, empty).contains("BEGIN"));
    }

    private static ReportTable table() {
        return new ReportTable(
                "Rates",
                "per second",
                List.of("operation", "rate"),
                List.of(List.of("insert", "1,200/s"), List.of("get", "~3/s")));
    }

    private static String text(Report report, ProfileResult result) throws IOException {
        StringBuilder out = new StringBuilder();
        report.write(result, out);
        return out.toString();
    }
}
