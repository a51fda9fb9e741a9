package dev.oriel.bench.report;

import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.CaseTable.Row;
import dev.oriel.bench.results.Figures;
import dev.oriel.compare.Interval;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All comparisons on one scale: how many times better we are than the best peer. Each case is a dot with its
/// interval, each workload a logarithmic axis with a line at 1. The page's script draws them.
final class GlanceSection {
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
            out.append("<div data-group=\"g-").append(Html.text(workload)).append("\" class=axis>");
            out.append("<h3>").append(Html.text(workload)).append("</h3>");
            out.append("<span class=\"t\"></span></div>\n");
            tables.forEach(table -> row(table, out));
        });
        out.append("</div>\n</section>\n");
    }

    private static void row(CaseTable table, StringBuilder out) {
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
        out.append("<span class=\"t\" data-value=\"").append(ratio.value());
        if (ratio.closed()) {
            out.append("\" data-low=\"").append(ratio.low());
            out.append("\" data-high=\"").append(ratio.high());
        }
        out.append("\"></span>");
        out.append("<span class=\"r\">").append(Html.figure(Figures.ratio(ratio.value())));
        out.append("</span><span class=\"ends\">").append(Html.text(Figures.ends(ratio)));
        out.append("</span><span class=\"vs\">").append(Html.text(best.result().subject()));
        out.append("</span></a>\n");
    }
}
