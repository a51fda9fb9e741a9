package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.results.Results.Result;
import java.util.ArrayList;
import java.util.List;

/// Durations of single operations of a case: the percentiles of each subject on one logarithmic axis of time.
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
    void write() {
        double[] all =
                table.beside().stream()
                        .filter(r -> metrics.contains(r.metric()))
                        .mapToDouble(LatencyChart::nanos)
                        .filter(nanos -> nanos > 0)
                        .sorted()
                        .toArray();
        if (all.length == 0) {
            return;
        }
        Axis axis = Axis.around(all[0], all[all.length - 1]);
        out.append("<div class=\"latency\"><table class=\"bars\"><thead><tr><th>latency</th><th>");
        out.append("<span class=\"axis\"><span class=\"t\">");
        for (double tick : axis.powers()) {
            out.append("<b style=\"left:").append(Html.percent(axis.at(tick))).append("\">");
            out.append(Html.figure(Figures.time(tick).replaceFirst("\\.0+(?= )", "")));
            out.append("</b>");
        }
        out.append("</span></span></th>");
        for (String metric : metrics) {
            out.append("<th class=\"n\">").append(Html.text(metric)).append("</th>");
        }
        out.append("</tr></thead><tbody>\n");
        for (Row row : table.rows()) {
            subject(row.result(), axis);
        }
        out.append("</tbody></table></div>\n");
    }

    private void subject(Result result, Axis axis) {
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
        out.append(Html.text(result.subject())).append("</td><td class=\"track\"><span class=t>");
        for (double tick : axis.powers()) {
            out.append("<i class=\"tick\" style=\"left:");
            out.append(Html.percent(axis.at(tick))).append("\"></i>");
        }
        double from = axis.at(points.stream().mapToDouble(LatencyChart::nanos).min().orElse(1));
        double to = axis.at(points.stream().mapToDouble(LatencyChart::nanos).max().orElse(1));
        out.append("<i class=\"span\" style=\"left:").append(Html.percent(from));
        out.append(";width:").append(Html.percent(to - from)).append("\"></i>");
        for (Result point : points) {
            String kind =
                    point.metric().equals("p50") ? "p0" : point.metric().equals("max") ? "pm" : "";
            out.append("<i class=\"dot ").append(kind).append("\" style=\"left:");
            out.append(Html.percent(axis.at(nanos(point)))).append("\" title=\"");
            out.append(Html.text(point.metric() + " " + Figures.time(nanos(point))));
            out.append("\"></i>");
        }
        out.append("</span></td>");
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
