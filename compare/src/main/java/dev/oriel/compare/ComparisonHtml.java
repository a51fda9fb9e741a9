package dev.oriel.compare;

import static dev.oriel.profiler.HtmlPage.escaped;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.oriel.profiler.HtmlPage;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;

/// Comparisons on one self-contained HTML page: the cost of the operation, the causes of a difference, a
/// differential flame graph of each measure, the methods. In a flame graph red costs more, blue less, and grey
/// does not stand out. Widths are the costs of A, of B, or the greater of the two, so that removed calls can be
/// seen too. All text from the programs is escaped.
///
/// @param nameA name of A
/// @param nameB name of B
public record ComparisonHtml(String nameA, String nameB) {
    private static final JsonMapper JSON = new JsonMapper();

    /// Writes the page, and replaces the content of the file.
    public void write(Map<String, Comparison> comparisons, Path file) throws IOException {
        StringBuilder page = new StringBuilder();
        HtmlPage.begin("Comparison", page);
        page.append("<header>\n<h1>What B costs over A</h1>\n<p class=\"subtitle\">A: ");
        page.append(escaped(nameA)).append("<br>B: ").append(escaped(nameB));
        page.append(
                "</p>\n</header>\n<main>\n<div class=\"tools\"><input id=\"search\" type=\"search\"");
        page.append(" placeholder=\"Search methods: a name or a regular expression\"");
        page.append(" aria-label=\"Search methods\"><label class=\"note\"><input id=\"launchers\"");
        page.append(" type=\"checkbox\"> launcher frames</label></div>\n");
        comparisons.forEach((name, comparison) -> write(name, comparison, page));
        page.append("</main>\n");
        HtmlPage.end(resource("compare.js"), page);
        Files.writeString(file, page);
    }

    private static void write(String name, Comparison comparison, StringBuilder page) {
        page.append("<section><h2>").append(escaped(name.isEmpty() ? "The operation" : name));
        Summary summary = new Summary(comparison);
        page.append("</h2>\n<p><strong>").append(escaped(summary.headline()));
        page.append("</strong></p>\n<ul class=\"summary\">\n");
        for (String line : summary.lines()) {
            page.append("<li>").append(escaped(line.strip())).append("</li>\n");
        }
        page.append("</ul>\n");
        head(page, "", "A", "B", "B / A", "", "");
        comparison
                .operation()
                .forEach((measure, whole) -> {
                    Verdict verdict = whole.change().verdict();
                    row(
                            page,
                            escaped(measure.title()),
                            Costs.text(whole.costA(), measure),
                            Costs.text(whole.costB(), measure),
                            MethodChange.times(whole.change().ratio()),
                            track(whole.change()),
                            word(measure, verdict));
                });
        page.append("</table></div>\n");
        causes(comparison, page);
        page.append("</section>\n");
        comparison
                .trees()
                .forEach((measure, tree) -> {
                    if (!tree.children().isEmpty()) {
                        flame(measure, tree, page);
                    }
                });
        comparison.methods().forEach((measure, methods) -> methods(measure, methods, page));
    }

    private static void causes(Comparison comparison, StringBuilder page) {
        if (comparison.causes().isEmpty()) {
            return;
        }
        page.append("<h3>Where it comes from</h3>\n<ul class=\"causes\">\n");
        for (Cause cause : comparison.causes()) {
            page.append("<li>").append(escaped(cause.sentence())).append(".<small>");
            page.append(escaped(cause.method().measure().title()));
            if (cause.moved()) {
                page.append("; about as much was gained beside it: cost has moved, not grown");
            }
            for (List<String> path : cause.wholePaths()) {
                page.append("; by way of ").append(escaped(String.join(" > ", path)));
            }
            page.append("</small></li>\n");
        }
        page.append("</ul>\n");
    }

    private static void flame(Measure measure, CallDifference tree, StringBuilder page) {
        page.append("<section class=\"difference\"><div class=\"head\"><h2>Paths by ");
        page.append(escaped(measure.title())).append("</h2><ul class=\"legend\">");
        page.append("<li><i style=\"background:hsl(8 75% 60%)\"></i>more</li>");
        page.append("<li><i style=\"background:hsl(210 70% 60%)\"></i>less</li>");
        page.append("<li><i style=\"background:#9aa0a8\"></i>does not stand out</li></ul>");
        page.append("<div class=\"right\"><span>Width:</span>");
        page.append("<button data-by=\"both\" aria-pressed=\"true\">the greater</button>");
        page.append("<button data-by=\"a\" aria-pressed=\"false\">A</button>");
        page.append("<button data-by=\"b\" aria-pressed=\"false\">B</button></div></div>\n");
        page.append("<div class=\"flame\"></div><p class=\"detail\">\u00a0</p>\n");
        page.append("<script type=\"application/json\">");
        page.append(node(tree, measure).toString().replace("<", "\\u003c"));
        page.append("</script>\n</section>\n");
    }

    private static ObjectNode node(CallDifference call, Measure measure) {
        Difference total = call.total();
        Change change = total.change();
        ObjectNode node = JSON.createObjectNode().put("n", call.name());
        node.put("a", total.costA()).put("b", total.costB());
        boolean matters = total.matters();
        node.put("v", matters ? change.verdict().name().toLowerCase(Locale.ROOT) : "same");
        if (Double.isFinite(change.ratio().value())) {
            node.put("r", change.ratio().value());
        } else {
            node.putNull("r");
        }
        node.put(
                "t",
                "%s -> %s%s, %s"
                        .formatted(
                                Costs.text(total.costA(), measure),
                                Costs.text(total.costB(), measure),
                                change.ratio().closed()
                                        ? ", " + MethodChange.times(change.ratio())
                                        : "",
                                measure.word(change.verdict())));
        ArrayNode below = node.putArray("c");
        call.children().forEach(child -> below.add(node(child, measure)));
        return node;
    }

    private static void methods(Measure measure, List<MethodChange> methods, StringBuilder page) {
        if (methods.isEmpty()) {
            return;
        }
        page.append("<section><div class=\"head\"><h2>Methods by ");
        page.append(escaped(measure.title())).append("</h2></div>\n");
        head(page, "", "own, A", "own, B", "B / A", "", "", "with callees", "", "calls");
        for (MethodChange method : methods) {
            if (!method.costs()) {
                continue;
            }
            Interval calls = method.calls();
            row(
                    page,
                    "<code>" + escaped(method.name()) + "</code>",
                    Costs.text(method.self().costA(), measure),
                    Costs.text(method.self().costB(), measure),
                    ComparisonText.judged(method.self()),
                    track(method.self().change()),
                    word(measure, method.self().change().verdict()),
                    ComparisonText.judged(method.total()),
                    method.tooShort()
                            ? "too short to time"
                            : word(measure, method.total().change().verdict()),
                    calls == null ? "" : MethodChange.times(calls));
        }
        page.append("</table></div>\n</section>\n");
    }

    private static String word(Measure measure, Verdict verdict) {
        return "<span class=\"%s\">%s</span>"
                .formatted(verdict.name().toLowerCase(Locale.ROOT), measure.word(verdict));
    }

    /// The place of a ratio with its interval, which the page's script draws.
    private static String track(Change change) {
        Interval ratio = change.ratio();
        if (!(ratio.value() > 0) || !Double.isFinite(ratio.value())) {
            return "";
        }
        String interval =
                ratio.closed()
                        ? " data-low=\"%s\" data-high=\"%s\"".formatted(ratio.low(), ratio.high())
                        : "";
        return "<span class=\"t\" data-kind=\"%s\" data-value=\"%s\"%s></span>"
                .formatted(
                        change.verdict().name().toLowerCase(Locale.ROOT), ratio.value(), interval);
    }

    /// Begins a table of figures, whose first column names what they belong to.
    private static void head(StringBuilder page, String... titles) {
        page.append("<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Figures\">");
        page.append("<table class=\"compared\">\n");
        row(page, "th", List.of(titles));
    }

    /// A row of cells that are HTML already.
    private static void row(StringBuilder page, String... cells) {
        row(page, "td", List.of(cells));
    }

    private static void row(StringBuilder page, String cell, List<String> cells) {
        page.append("<tr>");
        for (String text : cells) {
            page.append('<').append(cell).append('>').append(text);
            page.append("</").append(cell).append('>');
        }
        page.append("</tr>\n");
    }

    private static String resource(String name) throws IOException {
        try (InputStream in = ComparisonHtml.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new NoSuchElementException(name + " is missing from the jar of compare");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
