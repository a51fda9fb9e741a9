package dev.oriel.profiler;

import static dev.oriel.profiler.HtmlPage.escaped;

import java.io.IOException;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Everything on one self-contained HTML page: no network, no library. Figures and the caller's tables are plain
/// HTML. Flame graphs, the call tree and the table of methods are drawn by the page's script from [HtmlPayload],
/// which the page holds as JSON. All text from the profiled program or the caller is escaped.
///
/// @param title the heading
/// @param subtitle a line below the heading; empty for the date and the machine
/// @param tables the caller's tables, above everything else
/// @param code class files of the profiled program, for advice; null for this program's
public record HtmlReport(
        String title, String subtitle, List<ReportTable> tables, @Nullable ClassCode code)
        implements Report {
    private static final DateTimeFormatter DATE =
            DateTimeFormatter.ofPattern("d MMMM yyyy, HH:mm:ss", Locale.ENGLISH);

    /// Copies the list.
    public HtmlReport {
        tables = List.copyOf(tables);
    }

    /// A report on this program.
    public HtmlReport(String title, String subtitle, List<ReportTable> tables) {
        this(title, subtitle, tables, null);
    }

    /// A report on this program without tables.
    public HtmlReport(String title) {
        this(title, "", List.of());
    }

    /// This report with another line below the heading.
    public HtmlReport withSubtitle(String line) {
        return new HtmlReport(title, line, tables, code);
    }

    /// This report with one more table.
    public HtmlReport withTable(ReportTable table) {
        List<ReportTable> more = new ArrayList<>(tables);
        more.add(table);
        return new HtmlReport(title, subtitle, more, code);
    }

    /// This report with advice based on the given class files.
    public HtmlReport withCode(ClassCode files) {
        return new HtmlReport(title, subtitle, tables, files);
    }

    @Override
    public void write(ProfileResult result, Appendable out) throws IOException {
        HtmlPage.begin(title, out);
        header(result, out);
        out.append("<main>\n");
        for (ReportTable table : tables) {
            table(table, out);
        }
        advice(result, out);
        out.append(ReportScripts.text("report.html"));
        out.append("</main>\n");
        out.append("<script type=\"application/json\" id=\"profile\">");
        new HtmlPayload(result).write(out);
        out.append("</script>\n");
        HtmlPage.end(ReportScripts.text("report.js"), out);
    }

    private void header(ProfileResult result, Appendable out) throws IOException {
        out.append("<header>\n<h1>").append(escaped(title)).append("</h1>\n<p class=\"subtitle\">");
        out.append(escaped(subtitle.isEmpty() ? origin(result) : subtitle)).append("</p>\n");
        verdict(Bottleneck.of(result), out);
        if (!result.notes().isEmpty()) {
            out.append("<ul class=\"notes\">\n");
            for (String note : result.notes()) {
                out.append("<li>").append(escaped(note)).append("</li>\n");
            }
            out.append("</ul>\n");
        }
        out.append("<dl class=\"figures\">\n");
        figures(result, out);
        out.append("</dl>\n</header>\n");
    }

    private static void verdict(Bottleneck verdict, Appendable out) throws IOException {
        String line = verdict.line();
        int colon = line.indexOf(':');
        out.append("<div class=\"verdict\"><p><strong>");
        out.append(escaped(colon < 0 ? line : line.substring(0, colon))).append("</strong>");
        out.append(escaped(colon < 0 ? "" : line.substring(colon))).append("</p>\n");
        out.append("<div class=\"bar\" aria-hidden=\"true\">");
        for (Bottleneck.Cause cause : Bottleneck.Cause.values()) {
            double percent = 100 * verdict.share(cause);
            if (percent >= 0.5) {
                out.append("<i class=\"").append(cause.name().toLowerCase(Locale.ROOT));
                out.append(
                        String.format(Locale.ROOT, "\" style=\"width:%.2f%%\" title=\"", percent));
                out.append(escaped(cause.title()));
                out.append(String.format(Locale.ROOT, " %.0f %%\">", percent));
                out.append(percent >= 9 ? escaped(cause.title()) : "").append("</i>");
            }
        }
        out.append("</div></div>\n");
    }

    private void advice(ProfileResult result, Appendable out) throws IOException {
        List<Advice> all = Advice.of(result, code == null ? ClassCode.ofThisProgram() : code);
        if (all.isEmpty()) {
            return;
        }
        out.append("<section id=\"advice\">\n<div class=\"head\"><h2>Worth a look</h2>");
        out.append("<p>Known causes that this profile shows, with the evidence.</p></div>\n<ol>\n");
        for (Advice advice : all) {
            out.append("<li><h3>").append(escaped(advice.rule().title())).append("</h3>");
            out.append("<code>").append(escaped(advice.place())).append("</code>");
            out.append("<p>").append(escaped(advice.evidence())).append("</p><p class=\"dim\">");
            out.append(escaped(advice.rule().suggestion())).append("</p></li>\n");
        }
        out.append("</ol>\n</section>\n");
    }

    private static void figures(ProfileResult result, Appendable out) throws IOException {
        long total = result.totalNanos();
        long recording = result.recordingNanos();
        figure(out, "Wall time", Figures.time(result.wallNanos()), "from start to stop");
        if (!result.roots().isEmpty()) {
            double threads = result.wallNanos() == 0 ? 0 : (double) total / result.wallNanos();
            figure(
                    out,
                    "Time in calls",
                    Figures.time(total),
                    String.format(Locale.ROOT, "%.2f threads on average", threads));
            String open =
                    result.openCalls() == 0
                            ? ""
                            : ", " + Figures.count(result.openCalls()) + " not ended";
            figure(
                    out,
                    "Calls",
                    Figures.count(result.calls()),
                    "of " + Figures.count(result.methods().size()) + " methods" + open);
            figure(
                    out,
                    "Cost of recording",
                    Figures.time(recording),
                    Figures.time(result.probePairNanos())
                            + " a call, "
                            + Figures.percent(recording, result.computingNanos())
                            + " % of the time in which it computed");
        }
        for (SampleKind kind : SampleKind.values()) {
            List<Sample> samples = result.samples(kind);
            boolean shown = kind != SampleKind.NATIVE && kind != SampleKind.SURVIVOR;
            if (!samples.isEmpty() && shown) {
                sampleFigure(kind, samples, out);
            }
        }
    }

    private static void sampleFigure(SampleKind kind, List<Sample> samples, Appendable out)
            throws IOException {
        long sum = samples.stream().mapToLong(Sample::weight).sum();
        long threads = samples.stream().map(Sample::thread).distinct().count();
        String on = threads == 1 ? "on 1 thread" : "on " + threads + " threads";
        if (kind == SampleKind.CPU) {
            figure(out, "CPU samples", Figures.count(sum), on);
        } else {
            String what = kind == SampleKind.ALLOCATION ? " samples " : " events ";
            String more = Figures.count(samples.size()) + what + on;
            figure(out, kind.title(), Figures.weight(kind, sum), more);
        }
    }

    private static void figure(Appendable out, String name, String value, String more)
            throws IOException {
        out.append("<div><dt>").append(escaped(name)).append("</dt><dd>").append(escaped(value));
        out.append("<span class=\"more\">").append(escaped(more)).append("</span></dd></div>\n");
    }

    private static void table(ReportTable table, Appendable out) throws IOException {
        out.append("<section>\n<div class=\"head\"><h2>").append(escaped(table.title()));
        out.append("</h2>");
        if (!table.note().isEmpty()) {
            out.append("<p>").append(escaped(table.note())).append("</p>");
        }
        out.append("</div>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
        out.append(escaped(table.title())).append("\"><table><thead><tr>");
        for (int i = 0; i < table.columns().size(); i++) {
            out.append(table.figures(i) ? "<th class=\"n\">" : "<th>");
            out.append(escaped(table.columns().get(i))).append("</th>");
        }
        out.append("</tr></thead>\n<tbody>\n");
        for (List<String> row : table.rows()) {
            out.append("<tr>");
            for (int i = 0; i < row.size(); i++) {
                out.append(table.figures(i) ? "<td class=\"n\">" : "<td>");
                out.append(escaped(row.get(i))).append("</td>");
            }
            out.append("</tr>\n");
        }
        out.append("</tbody></table></div>\n</section>\n");
    }

    private static String origin(ProfileResult result) {
        StringBuilder line = new StringBuilder();
        if (result.startedAt().getEpochSecond() > 0) {
            line.append(DATE.format(result.startedAt().atZone(ZoneId.systemDefault())));
        }
        for (String fact : List.of("source", "java", "os")) {
            String value = result.facts().getOrDefault(fact, "");
            if (!value.isEmpty()) {
                line.append(line.isEmpty() ? "" : " \u00b7 ").append(value);
            }
        }
        if (result.totals().processors() > 0) {
            line.append(", ").append(result.totals().processors()).append(" processors");
        }
        return line.toString();
    }
}
