package dev.oriel.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each report of one small made-up result, against the files in `golden`; `-Dupdate=true` writes
/// them anew.
class ReportTest {
    private static final Path GOLDEN =
            Path.of(
                    System.getProperty("oriel.root", ".."),
                    "profiler/src/test/resources/dev/oriel/profiler/golden");

    private static final HprofReport HPROF = new HprofReport(4, 0.0001, ZoneId.of("UTC"));

    private static final Map<String, Report> REPORTS =
            Map.of(
                    "hprof.txt", HPROF,
                    "tree.txt", new TreeReport(),
                    "inverted.txt", new TreeReport(true, 0),
                    "methods.txt", new MethodReport(),
                    "exact.collapsed", CollapsedReport.exact(),
                    "cpu.collapsed", new CollapsedReport(SampleKind.CPU),
                    "profile.json", new JsonReport());

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hprof.txt",
                "tree.txt",
                "inverted.txt",
                "methods.txt",
                "exact.collapsed",
                "cpu.collapsed",
                "profile.json"
            })
    void reportIsAsItWas(String file) throws IOException {
        String written = text(Objects.requireNonNull(REPORTS.get(file)), result());
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
                        Pattern.compile("CPU (SAMPLES|TIME \\(ms\\)) END"),
                        Pattern.compile("rank   self  accum   count trace method"),
                        Pattern.compile(
                                "[ \\d]{3}\\d [ \\d]{1,2}\\d\\.\\d\\d% [ \\d]{1,2}\\d\\.\\d\\d%"
                                        + " [ \\d]{6,}\\d 3\\d{5} (\\S+|<empty trace>)"));
        String[] parts = text(HPROF, result()).split("\n--------\n\n", -1);
        assertEquals(2, parts.length);
        assertTrue(forms.getFirst().matcher(parts[0].lines().findFirst().orElse("")).matches());
        for (String line : parts[1].lines().toList()) {
            assertTrue(forms.stream().anyMatch(form -> form.matcher(line).matches()), line);
        }
    }

    @Test
    void hprofPrintsEachTraceBeforeTheTableThatNamesIt() throws IOException {
        String text = text(HPROF, result());
        for (String line : text.substring(text.indexOf(" BEGIN (total")).lines().toList()) {
            if (line.contains("%")) {
                String trace = line.replaceAll(".*% +\\d+ (\\d+) .*", "$1");
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
        String page = text(new HtmlReport("Test").withTable(table()), result());
        assertFalse(
                Pattern.compile("(?i)https?:|\\bsrc=|<link|@import|url\\(").matcher(page).find());
        assertTrue(page.startsWith("<!doctype html>"));
        assertTrue(page.contains("<td class=\"n\">1,200/s</td>"));
        assertTrue(page.contains("<td>insert</td>"));
    }

    @Test
    void rowsOfATableFitItsColumns() {
        assertThrows(
                IllegalArgumentException.class,
                () -> new ReportTable("t", "", List.of("a"), List.of(List.of("1", "2"))));
    }

    @Test
    void endingOfTheFileChoosesTheReport(@TempDir Path directory) throws IOException {
        assertInstanceOf(HtmlReport.class, Report.byName(Path.of("a.html"), "t"));
        assertInstanceOf(JsonReport.class, Report.byName(Path.of("a.JSON"), "t"));
        assertInstanceOf(HprofReport.class, Report.byName(Path.of("a.hprof"), "t"));
        assertInstanceOf(CollapsedReport.class, Report.byName(Path.of("a.collapsed"), "t"));
        Path file = directory.resolve("tree.txt");
        Report.byName(file, "t").write(result(), file);
        assertEquals(text(new TreeReport(), result()), Files.readString(file));
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

    /// A writer that commits, by way of two paths, with a call too short to time.
    private static ProfileResult result() {
        CallNode diff =
                new CallNode("db.store.Page.diff", 4_000, 400_000, 400_000, 60, 900, List.of());
        CallNode force =
                new CallNode(
                        "db.io.Disk.force",
                        10,
                        52_000_000,
                        52_000_000,
                        4_100_000,
                        9_700_000,
                        List.of());
        CallNode commit =
                new CallNode(
                        "db.store.Writer.commit",
                        10,
                        61_400_000,
                        9_000_000,
                        5_000_000,
                        11_000_000,
                        List.of(force, diff));
        CallNode insert =
                new CallNode(
                        "db.sql.Insert.run",
                        1_000,
                        1_861_400_000,
                        1_800_000_000,
                        900_000,
                        12_000_000,
                        List.of(commit));
        CallNode lone =
                new CallNode(
                        "db.store.Writer.commit",
                        2,
                        12_345_678,
                        12_345_678,
                        6_000_000,
                        6_345_678,
                        List.of());
        List<StackFrame> row =
                List.of(
                        new StackFrame("db.sql.Insert$Row", "encode", 42),
                        new StackFrame("db.sql.Insert", "run", 17),
                        new StackFrame("db.Shell", "main", 5));
        List<StackFrame> deep =
                List.of(
                        new StackFrame("java.util.Arrays", "fill", 0),
                        new StackFrame("db.store.Page", "<init>", 88),
                        new StackFrame("db.store.Writer", "commit", 120),
                        new StackFrame("db.sql.Insert", "run", 19),
                        new StackFrame("db.Shell", "main", 5));
        List<Sample> samples =
                List.of(
                        new Sample(SampleKind.CPU, 10_000_000, "main", row, 1),
                        new Sample(SampleKind.CPU, 20_000_000, "main", deep, 1),
                        new Sample(SampleKind.CPU, 30_000_000, "worker \"1\"", row, 1),
                        new Sample(SampleKind.CPU, 40_000_000, "main", List.of(), 1),
                        new Sample(SampleKind.ALLOCATION, 45_000_000, "main", deep, 524_288),
                        new Sample(SampleKind.FILE_FORCE, 50_000_000, "main", deep, 5_200_000));
        return new ProfileResult(
                Instant.parse("2026-03-04T05:06:07Z"),
                2_000_000_000L,
                50,
                1,
                List.of(insert, lone),
                samples,
                List.of());
    }
}
