package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.results.Results.Result;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Durations of single operations of a case: the percentiles of each subject on one logarithmic axis of time, which the
/// page's script draws.
final class LatencyChart {
    private final CaseTable table;
    private final StringBuilder out;
    private final List<String> metrics;

    LatencyChart(CaseTable table, StringBuilder out) {
        this.table = table;
        this.out = out;
        this.metrics = table.metricsBeside(CaseTable::isLatency);
    }

    /// Writes nothing if no percentile was measured.
    void write() throws IOException {
        if (table.beside().stream().noneMatch(r -> metrics.contains(r.metric()) && nanos(r) > 0)) {
            return;
        }
        out.append("<div class=\"latency\"><table class=\"bars\"><thead><tr><th>latency</th><th>");
        out.append("<span class=\"axis\"><span class=\"t\"></span></span></th>");
        for (String metric : metrics) {
            out.append("<th class=\"n\">").append(Html.text(metric)).append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
        for (Row row : table.rows()) {
            subject(row.result());
        }
        out.append("</tbody></table></div>\n");
    }

    private void subject(Result result) throws IOException {
        List<Result> points = new ArrayList<>();
        for (String metric : metrics) {
            Result point = table.beside(result.subject(), metric);
            if (point != null && nanos(point) > 0) {
                points.add(point);
            }
        }
        if (points.isEmpty()) {
            return;
        }
        out.append(result.ours() ? "<tr class=\"ours\">" : "<tr>").append("<td class=\"who\">");
        out.append(Html.text(result.subject())).append("</td><td class=\"track\">");
        List<List<Object>> drawn = new ArrayList<>();
        for (Result point : points) {
            String tip = point.metric() + " " + Figures.time(nanos(point));
            drawn.add(List.of(point.metric(), nanos(point), tip));
        }
        Html.data(drawn, out);
        out.append("<span class=\"t\"></span></td>");
        for (String metric : metrics) {
            Result point = table.beside(result.subject(), metric);
            out.append("<td class=\"n minor\" data-name=\"").append(Html.text(metric));
            out.append("\">").append(point == null ? "" : figure(point)).append("</td>");
        }
        out.append("</tr>\n");
    }

    private static String figure(Result point) {
        return Html.figure(Figures.of(point.value(), point.unit()));
    }

    private static double nanos(Result result) {
        return result.value() * Figures.nanosOf(result.unit());
    }
}
