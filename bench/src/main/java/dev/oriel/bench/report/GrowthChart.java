package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Cases;
import dev.oriel.bench.results.Figures;
import dev.oriel.bench.targets.Measured;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/// Growth of an operation's cost with the number of records: one chart for cases that differ in nothing else, a
/// line a subject, both axes logarithmic.
final class GrowthChart {
    private static final double LEFT = 52;
    private static final double RIGHT = 312;
    private static final double TOP = 10;
    private static final double BOTTOM = 214;
    private static final double LABEL_GAP = 12.5;
    private static final int COLOURS = 10;
    private static final int TICKS_MAX = 6;
    private static final NavigableMap<Long, Double> NOWHERE = new TreeMap<>(Map.of(1L, 1.0));

    private final String title;
    private final List<CaseTable> tables;
    private final List<String> subjects;
    private final Map<String, NavigableMap<Long, Double>> lines = new LinkedHashMap<>();

    /// @param subjects the workload's peers, so that one has the same colour in all its charts
    private GrowthChart(String title, List<CaseTable> tables, List<String> subjects) {
        this.title = title;
        this.tables = tables;
        this.subjects = subjects;
        for (CaseTable table : tables) {
            for (Row row : table.rows()) {
                double nanos = Measured.perOp(row.result());
                if (nanos > 0) {
                    lines.computeIfAbsent(row.result().subject(), any -> new TreeMap<>())
                            .put(Cases.count(table.caseName()), nanos);
                }
            }
        }
    }

    /// Writes the charts of growth; nothing if sizes were not varied.
    static void writeAll(List<CaseTable> tables, List<String> subjects, StringBuilder out) {
        Map<String, List<CaseTable>> families = GrowthTable.families(tables);
        if (families.isEmpty()) {
            return;
        }
        out.append(
                "<p class=\"label\">Time an operation takes by the number of records (N), both ");
        out.append("logarithmic: a flat line does not care how much is stored.</p>\n");
        out.append("<div class=\"charts\">\n");
        families.forEach((name, family) -> new GrowthChart(name, family, subjects).write(out));
        out.append("</div>\n");
    }

    private void write(StringBuilder out) {
        double[] costs =
                lines.values().stream()
                        .flatMap(line -> line.values().stream())
                        .mapToDouble(cost -> cost)
                        .sorted()
                        .toArray();
        if (costs.length == 0) {
            return;
        }
        long[] counts =
                tables.stream().mapToLong(t -> Cases.count(t.caseName())).sorted().toArray();
        Axis x = new Axis((double) counts[0], (double) counts[counts.length - 1]);
        Axis y = Axis.around(costs[0], costs[costs.length - 1]);
        out.append("<figure><figcaption>").append(Html.caseName(title));
        out.append("</figcaption>\n<svg viewBox=\"0 0 400 240\" role=\"img\" aria-label=\"");
        out.append(Html.text(title)).append("\">\n");
        for (double tick : y.ticks(TICKS_MAX)) {
            double at = down(y.at(tick));
            line(out, LEFT, at, RIGHT, at);
            text(out, LEFT - 6, at + 3.5, "end", whole(Figures.time(tick)));
        }
        for (long count : Arrays.stream(counts).distinct().toArray()) {
            double at = across(x.at((double) count));
            line(out, at, TOP, at, BOTTOM);
            text(out, at, BOTTOM + 16, "middle", Figures.count(count));
        }
        lines.forEach((subject, points) -> polyline(out, subject, points, x, y));
        ends(out, x, y);
        out.append("</svg></figure>\n");
    }

    private void polyline(
            StringBuilder out, String subject, NavigableMap<Long, Double> points, Axis x, Axis y) {
        StringBuilder path = new StringBuilder();
        StringBuilder dots = new StringBuilder();
        points.forEach((count, cost) -> {
            String left = round(across(x.at((double) count)));
            String top = round(down(y.at(cost)));
            path.append(path.isEmpty() ? "M" : "L").append(left).append(',').append(top);
            dots.append("<circle cx=\"").append(left).append("\" cy=\"").append(top);
            dots.append("\" r=\"").append(ours(subject) ? "4" : "2.6").append("\" fill=\"");
            dots.append(colour(subject)).append("\"><title>");
            String tip = subject + ", " + Figures.count(count) + ": " + Figures.time(cost);
            dots.append(Html.text(tip)).append("</title></circle>");
        });
        out.append("<path class=\"line").append(ours(subject) ? " ours" : "").append("\" d=\"");
        out.append(path).append("\" stroke=\"").append(colour(subject)).append("\"/>");
        out.append(dots).append('\n');
    }

    /// Names at the ends of the lines, moved apart if they would overlap.
    private void ends(StringBuilder out, Axis x, Axis y) {
        List<String> order = new ArrayList<>(lines.keySet());
        Comparator<String> byEnd = Comparator.comparingDouble(s -> down(y.at(end(s).getValue())));
        order.sort(byEnd);
        double[] places = new double[order.size()];
        double floor = TOP;
        for (int i = 0; i < places.length; i++) {
            places[i] = Math.max(floor, down(y.at(end(order.get(i)).getValue())));
            floor = places[i] + LABEL_GAP;
        }
        double ceiling = BOTTOM + 4;
        for (int i = places.length - 1; i >= 0; i--) {
            places[i] = Math.min(places[i], ceiling);
            ceiling = places[i] - LABEL_GAP;
        }
        for (int i = 0; i < places.length; i++) {
            String subject = order.get(i);
            double end = down(y.at(end(subject).getValue()));
            double from = across(x.at((double) end(subject).getKey())) + 5;
            out.append("<path class=\"lead\" d=\"M").append(round(from)).append(',');
            out.append(round(end)).append("L").append(round(RIGHT + 13)).append(',');
            out.append(round(places[i])).append("\" stroke=\"").append(colour(subject));
            out.append("\"/><text class=\"end").append(ours(subject) ? " ours" : "");
            out.append("\" x=\"").append(round(RIGHT + 16)).append("\" y=\"");
            out.append(round(places[i] + 3.5)).append("\" style=\"fill:").append(colour(subject));
            out.append("\">").append(Html.text(subject)).append("</text>\n");
        }
    }

    /// Each line has a point at least.
    private Map.Entry<Long, Double> end(String subject) {
        return lines.getOrDefault(subject, NOWHERE).lastEntry();
    }

    private String colour(String subject) {
        return ours(subject)
                ? "var(--accent)"
                : "var(--s" + Math.floorMod(subjects.indexOf(subject), COLOURS) + ")";
    }

    private static boolean ours(String subject) {
        return subject.startsWith("oriel");
    }

    private static double across(double share) {
        return LEFT + share * (RIGHT - LEFT);
    }

    private static double down(double share) {
        return BOTTOM - share * (BOTTOM - TOP);
    }

    private static void line(StringBuilder out, double x1, double y1, double x2, double y2) {
        out.append("<line class=\"grid\" x1=\"").append(round(x1)).append("\" y1=\"");
        out.append(round(y1)).append("\" x2=\"").append(round(x2)).append("\" y2=\"");
        out.append(round(y2)).append("\"/>\n");
    }

    private static void text(StringBuilder out, double x, double y, String anchor, String text) {
        out.append("<text x=\"").append(round(x)).append("\" y=\"").append(round(y));
        out.append("\" text-anchor=\"").append(anchor).append("\">");
        out.append(Html.text(text)).append("</text>\n");
    }

    /// Without trailing zeros after the decimal point.
    private static String whole(String figure) {
        return figure.replaceFirst("(\\.\\d*?)0+(?= )", "$1").replaceFirst("\\.(?= )", "");
    }

    private static String round(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
