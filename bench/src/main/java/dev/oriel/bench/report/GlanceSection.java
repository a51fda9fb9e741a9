package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Figures;
import dev.oriel.compare.Interval;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All comparisons on one scale: how many times better we are than the best peer. Each case is a dot with its
/// interval, each workload a logarithmic axis with a line at 1.
final class GlanceSection {
    /// Ticks that fit on a phone.
    private static final int TICKS_MAX = 6;

    private final Map<String, List<CaseTable>> byWorkload = new LinkedHashMap<>();

    GlanceSection(List<CaseTable> tables) {
        for (CaseTable table : tables) {
            if (table.ratio() != null) {
                byWorkload.computeIfAbsent(table.workload(), any -> new ArrayList<>()).add(table);
            }
        }
    }

    void write(StringBuilder out) {
        if (byWorkload.isEmpty()) {
            return;
        }
        out.append("<section id=\"glance\">\n<div class=\"head\"><h2>At a glance</h2>");
        out.append("<p>How many times better Oriel is than the best peer of each case, with the ");
        out.append("95 % interval. Right of the line at 1 it is ahead.</p></div>\n");
        out.append("<div class=\"panel glance\">\n");
        byWorkload.forEach((workload, tables) -> {
            Axis axis = axis(tables);
            out.append("<div data-group=\"g-").append(Html.text(workload)).append("\" class=axis>");
            out.append("<h3>").append(Html.text(workload)).append("</h3>");
            out.append("<span class=\"t\">");
            for (double tick : axis.ticks(TICKS_MAX)) {
                out.append("<b style=\"left:").append(Html.percent(axis.at(tick))).append("\">");
                out.append(tick(tick)).append("</b>");
            }
            out.append("</span></div>\n");
            tables.forEach(table -> row(table, axis, out));
        });
        out.append("</div>\n</section>\n");
    }

    private static void row(CaseTable table, Axis axis, StringBuilder out) {
        Interval ratio = table.ratio();
        Row best = table.best();
        if (ratio == null || best == null) {
            return;
        }
        String style = Html.style(table.verdict());
        String name = table.title().substring(table.workload().length()).replaceFirst("^/", "");
        out.append("<a data-is=\"").append(style).append("\" data-in=\"g-");
        out.append(Html.text(table.workload())).append("\" href=\"#").append(Html.id(table));
        out.append("\" title=\"").append(Html.text(table.verdict().word())).append("\">");
        out.append("<span class=\"name\">").append(Html.text(name)).append("</span>");
        out.append("<span class=\"t\">");
        for (double tick : axis.ticks(TICKS_MAX)) {
            out.append(tick == 1 ? "<i class=\"tick one\"" : "<i class=\"tick\"");
            out.append(" style=\"left:").append(Html.percent(axis.at(tick))).append("\"></i>");
        }
        if (ratio.closed()) {
            double low = axis.at(ratio.low());
            double width = axis.at(ratio.high()) - low;
            out.append("<i class=\"span v-").append(style).append("\" style=\"left:");
            out.append(Html.percent(low)).append(";width:").append(Html.percent(width));
            out.append("\"></i>");
        }
        out.append("<i class=\"dot v-").append(style).append("\" style=\"left:");
        out.append(Html.percent(axis.at(ratio.value()))).append("\"></i></span>");
        out.append("<span class=\"r\">").append(Html.figure(Figures.ratio(ratio.value())));
        out.append("</span><span class=\"ends\">").append(Html.text(Figures.ends(ratio)));
        out.append("</span><span class=\"vs\">").append(Html.text(best.result().subject()));
        out.append("</span></a>\n");
    }

    /// All ratios and the near side of 1; an interval beyond the ratios is cut off.
    private static Axis axis(List<CaseTable> tables) {
        double low = 0.8;
        double high = 1.25;
        for (CaseTable table : tables) {
            Interval ratio = table.ratio();
            if (ratio != null) {
                low = Math.min(low, ratio.value());
                high = Math.max(high, ratio.value());
            }
        }
        return Axis.around(low, high);
    }

    private static String tick(double tick) {
        BigDecimal two = BigDecimal.valueOf(tick).round(new MathContext(2));
        return two.stripTrailingZeros().toPlainString() + "&times;";
    }
}
