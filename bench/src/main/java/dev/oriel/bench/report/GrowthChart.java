package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.targets.Measured;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Growth of an operation's cost with the number of records: one chart for cases that differ in nothing else, a
/// line a subject, both axes logarithmic. The page's script draws it.
final class GrowthChart {
    private static final int COLOURS = 10;

    private GrowthChart() {}

    /// A subject's line.
    ///
    /// @param ours whether it is of Oriel
    /// @param colour number of its colour
    /// @param points each a number of records, nanoseconds, and text
    record Line(String name, boolean ours, int colour, List<List<Object>> points) {}

    /// A chart.
    ///
    /// @param counts numbers of records and their texts
    record Chart(List<List<Object>> counts, List<Line> lines) {}

    /// Writes the charts of growth; nothing if sizes were not varied.
    ///
    /// @param subjects the workload's peers, so that one has the same colour in all its charts
    static void writeAll(List<CaseTable> tables, List<String> subjects, StringBuilder out)
            throws IOException {
        Map<String, List<CaseTable>> families = GrowthTable.families(tables);
        if (families.isEmpty()) {
            return;
        }
        out.append(
                "<p class=\"label\">Time an operation takes by the number of records (N), both ");
        out.append("logarithmic: a flat line does not care how much is stored.</p>\n");
        out.append("<div class=\"charts\">\n");
        for (Map.Entry<String, List<CaseTable>> family : families.entrySet()) {
            write(family.getKey(), chart(family.getValue(), subjects), out);
        }
        out.append("</div>\n");
    }

    private static Chart chart(List<CaseTable> tables, List<String> subjects) {
        TreeMap<Long, String> counts = new TreeMap<>();
        Map<String, NavigableMap<Long, Double>> costs = new LinkedHashMap<>();
        for (CaseTable table : tables) {
            long count = Cases.count(table.caseName());
            counts.put(count, Figures.count(count));
            for (Row row : table.rows()) {
                double nanos = Measured.perOp(row.result());
                if (nanos > 0) {
                    costs.computeIfAbsent(row.result().subject(), any -> new TreeMap<>())
                            .put(count, nanos);
                }
            }
        }
        List<Line> lines = new ArrayList<>();
        costs.forEach((subject, line) -> {
            List<List<Object>> points = new ArrayList<>();
            line.forEach((count, nanos) ->
                    points.add(
                            List.of(
                                    count,
                                    nanos,
                                    subject
                                            + ", "
                                            + Figures.count(count)
                                            + ": "
                                            + Figures.time(nanos))));
            int colour = Math.floorMod(subjects.indexOf(subject), COLOURS);
            lines.add(new Line(subject, subject.startsWith("oriel"), colour, points));
        });
        List<List<Object>> named = new ArrayList<>();
        counts.forEach((count, text) -> named.add(List.of(count, text)));
        return new Chart(named, lines);
    }

    private static void write(String title, Chart chart, StringBuilder out) throws IOException {
        if (chart.lines().isEmpty()) {
            return;
        }
        out.append("<figure class=\"growth\"><figcaption>").append(Html.caseName(title));
        out.append("</figcaption>");
        Html.data(chart, out);
        out.append("</figure>\n");
    }
}
