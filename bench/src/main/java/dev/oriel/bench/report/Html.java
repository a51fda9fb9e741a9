package dev.oriel.bench.report;

import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.oriel.bench.results.CaseTable;
import dev.oriel.bench.results.Verdict;
import dev.oriel.profiler.HtmlPage;
import java.io.IOException;
import java.util.Locale;

/// Helpers of all parts of the page: escaped text, lengths in percent, names of anchors.
final class Html {
    private static final JsonMapper JSON = new JsonMapper();

    private Html() {}

    /// Escaped text, for elements and attributes.
    static String text(String text) {
        return HtmlPage.escaped(text);
    }

    /// A figure with a thin space before its unit and a real sign for times.
    static String figure(String figure) {
        String spaced = text(figure).replace(" ", "&nbsp;");
        return spaced.endsWith("x") ? spaced.substring(0, spaced.length() - 1) + "&times;" : spaced;
    }

    /// JSON inside of the page, which a script there draws.
    static void data(Object value, StringBuilder out) throws IOException {
        out.append("<script type=\"application/json\">");
        out.append(JSON.writeValueAsString(value).replace("<", "\\u003c")).append("</script>");
    }

    /// A share of 1 in percent, for style sheets.
    static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f%%", 100 * share);
    }

    /// Anchor of a case on the page.
    static String id(CaseTable table) {
        return "case-" + table.title().replaceAll("[^A-Za-z0-9.-]+", "_");
    }

    /// A case's name in which lines may break after slashes, its workload paler.
    static String caseName(String name) {
        int slash = name.indexOf('/') + 1;
        return "<span class=\"dim\">"
                + text(name.substring(0, slash))
                + "</span>"
                + text(name.substring(slash)).replace("/", "/<wbr>");
    }

    /// The class of a verdict in the style sheet.
    static String style(Verdict verdict) {
        return verdict.word().replace(' ', '-');
    }

    /// A word beside a figure, coloured.
    static String chip(String style, String content) {
        return "<span class=\"chip " + style + "\">" + content + "</span>";
    }
}
