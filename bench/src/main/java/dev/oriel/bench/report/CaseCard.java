package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.results.Results.Note;
import dev.oriel.bench.results.Results.Result;
import dev.oriel.compare.Interval;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// One case on the page: a bar per subject with the whiskers of its interval, its costs, and its ratio to Oriel.
/// The single rounds are folded away.
final class CaseCard {
    /// Factor of the longest bar up to which whiskers are drawn.
    private static final double WHISKER_ROOM = 1.25;

    /// Other metrics with a column; the rest is folded away.
    private static final Set<String> COLUMNS =
            Set.of("file", "memory", "allocated", "heap", "native");

    private final CaseTable table;
    private final Map<String, String> settings;
    private final StringBuilder out;
    private final List<String> beside;
    private final double scale;

    CaseCard(CaseTable table, Map<String, String> settings, StringBuilder out) {
        this.table = table;
        this.settings = settings;
        this.out = out;
        this.beside = table.metricsBeside(COLUMNS::contains);
        double longest = 0;
        double end = 0;
        for (Row row : table.rows()) {
            Double high = row.result().high();
            longest = Math.max(longest, row.result().value());
            end = Math.max(end, high == null ? 0 : high);
        }
        this.scale = Math.max(longest, Math.min(end, longest * WHISKER_ROOM));
    }

    void write() throws IOException {
        String style = Html.style(table.verdict());
        out.append("<article class=\"case\" id=\"").append(Html.id(table)).append("\" data-is=\"");
        out.append(style).append("\" data-in=\"").append(Html.text(table.workload()));
        out.append("\">\n");
        head(style);
        out.append("<table class=\"bars\"><thead><tr><th></th><th></th><th class=\"n\">");
        out.append(Html.text(table.metric()));
        out.append("</th><th class=\"n\" title=\"how many times better Oriel is\">Oriel is</th>");
        out.append("<th class=\"n\">cpu/op</th><th class=\"n\">bytes/op</th>");
        for (String metric : beside) {
            out.append("<th class=\"n\">").append(Html.text(metric)).append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
        table.rows().forEach(this::bar);
        out.append("</tbody></table>\n");
        new LatencyChart(table, out).write();
        for (Note note : table.notes()) {
            out.append("<p class=\"note\">");
            out.append(note.subject().isEmpty() ? "" : "<b>" + Html.text(note.subject()) + "</b> ");
            out.append(Html.text(note.text())).append("</p>\n");
        }
        rounds();
        out.append("</article>\n");
    }

    private void head(String style) {
        Interval ratio = table.ratio();
        Row best = table.best();
        out.append("<div class=\"head\"><h3>").append(Html.caseName(table.title()));
        out.append("</h3>");
        if (ratio != null && best != null) {
            String word = table.verdict().word() + " " + Figures.ratio(ratio.value());
            out.append(Html.chip(style, Html.figure(word))).append("<p>");
            out.append(Html.text(Figures.ends(ratio))).append(" against ");
            out.append(Html.text(best.result().subject())).append("</p>");
        }
        out.append("<span class=\"right\">").append(Html.text(table.unit()));
        out.append(table.unit().endsWith("/s") ? ", more is better" : ", less is better");
        if (!table.mixed()) {
            String class1 = table.rows().getFirst().result().durability();
            out.append(class1.isEmpty() ? "" : "; durability " + Html.text(lower(class1)));
        }
        out.append("</span></div>\n");
    }

    private void bar(Row row) {
        Result r = row.result();
        Interval lead = row.lead();
        String kind =
                row.equals(table.ours())
                        ? "ours headline"
                        : r.ours() ? "ours" : Cases.isPeer(r) ? "peer" : "machine";
        out.append("<tr class=\"").append(kind).append("\"><td class=\"who\" title=\"");
        out.append(Html.text(tip(r))).append("\">").append(Html.text(r.subject()));
        if (table.mixed()) {
            out.append("<span class=\"tag\">").append(Html.text(lower(r.durability())));
            out.append("</span>");
        }
        out.append("</td><td class=\"track\"><span class=\"t\"><i class=\"fill\" style=\"width:");
        out.append(Html.percent(r.value() / scale)).append("\"></i>");
        whisker(r);
        out.append("</span></td><td class=\"n val\">");
        out.append(Html.figure(Figures.of(r.value(), r.unit())));
        out.append("</td><td class=\"n lead\">");
        out.append(lead == null ? "" : Html.figure(Figures.ratio(lead.value()))).append("</td>");
        Double cpu = r.cpuPerOp();
        Double bytes = r.bytesPerOp();
        minor("cpu", cpu == null ? "" : Figures.time(cpu));
        minor("bytes", bytes == null ? "" : Figures.bytes(bytes));
        for (String metric : beside) {
            Result other = table.beside(r.subject(), metric);
            minor(metric, other == null ? "" : Figures.of(other.value(), other.unit()));
        }
        out.append("</tr>\n");
    }

    private void minor(String name, String figure) {
        out.append("<td class=\"n minor\" data-name=\"").append(Html.text(name)).append("\">");
        out.append(Html.figure(figure)).append("</td>");
    }

    private void whisker(Result r) {
        Double low = r.low();
        Double high = r.high();
        if (low == null || high == null) {
            return;
        }
        double from = Math.max(0, low / scale);
        double to = Math.min(1, high / scale);
        out.append(high > scale ? "<i class=\"whisker cut\"" : "<i class=\"whisker\"");
        out.append(" style=\"left:").append(Html.percent(from)).append(";width:");
        out.append(Html.percent(Math.max(0, to - from))).append("\"></i>");
    }

    private String tip(Result r) {
        String words = settings.getOrDefault(r.subject(), "");
        String durability = lower(r.durability());
        return durability.isEmpty() ? words : "durability " + durability + ". " + words;
    }

    private void rounds() {
        out.append(
                "<details><summary>rounds and durability</summary><div class=\"scroll\" tabindex=\"0\"");
        out.append(" role=\"region\" aria-label=\"Rounds and durability\">");
        out.append("<table><thead><tr><th>subject</th><th>durability</th><th>95 % interval</th>");
        out.append("<th>ratio</th><th>rounds, in order</th></tr></thead><tbody>\n");
        for (Row row : table.rows()) {
            Result r = row.result();
            Double low = r.low();
            Double high = r.high();
            Interval lead = row.lead();
            out.append("<tr><td><a href=\"#settings\">").append(Html.text(r.subject()));
            out.append("</a></td><td>").append(Html.text(lower(r.durability())));
            out.append("</td><td>");
            out.append(
                    low == null || high == null
                            ? ""
                            : Html.figure(Figures.interval(low, high, r.unit())));
            out.append("</td><td>").append(lead == null ? "" : ratio(lead));
            out.append("</td><td>");
            out.append(r.samples().stream().map(CaseCard::sample).collect(Collectors.joining(" ")));
            out.append("</td></tr>\n");
        }
        out.append("</tbody></table>");
        others();
        out.append("</div></details>\n");
    }

    private void others() {
        List<String> metrics =
                table.metricsBeside(
                        metric -> !COLUMNS.contains(metric) && !CaseTable.isLatency(metric));
        if (metrics.isEmpty()) {
            return;
        }
        out.append("<table><thead><tr><th>subject</th>");
        for (String metric : metrics) {
            out.append("<th class=\"n\">").append(Html.text(metric)).append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
        for (Row row : table.rows()) {
            out.append("<tr><td>").append(Html.text(row.result().subject())).append("</td>");
            for (String metric : metrics) {
                Result other = table.beside(row.result().subject(), metric);
                String figure = other == null ? "" : Figures.of(other.value(), other.unit());
                out.append("<td class=\"n\">").append(Html.figure(figure)).append("</td>");
            }
            out.append("</tr>\n");
        }
        out.append("</tbody></table>");
    }

    private static String ratio(Interval lead) {
        return Html.figure(Figures.ratio(lead.value())) + " " + Html.text(Figures.ends(lead));
    }

    private static String sample(@Nullable Double sample) {
        return sample == null ? "failed" : Html.figure(Figures.number(sample));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }
}
