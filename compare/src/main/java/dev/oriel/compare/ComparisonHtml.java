package dev.oriel.compare;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
        page.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        page.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        page.append("<title>Comparison</title>\n<style>\n").append(resource("compare.css"));
        page.append("</style>\n</head>\n<body>\n<h1>What B costs over A</h1>\n");
        page.append("<p class=\"sides\">A: ").append(escaped(nameA)).append("<br>B: ");
        page.append(escaped(nameB)).append("</p>\n");
        comparisons.forEach((name, comparison) -> section(name, comparison, page));
        page.append("<script>\n").append(resource("compare.js")).append("</script>\n");
        page.append("</body>\n</html>\n");
        Files.writeString(file, page);
    }

    private static void section(String name, Comparison comparison, StringBuilder page) {
        page.append("<h2>").append(escaped(name.isEmpty() ? "The operation" : name));
        Summary summary = new Summary(comparison);
        page.append("</h2>\n<p><strong>").append(escaped(summary.headline()));
        page.append("</strong></p>\n<ul class=\"summary\">\n");
        for (String line : summary.lines()) {
            page.append("<li>").append(escaped(line.strip())).append("</li>\n");
        }
        page.append("</ul>\n");
        row(page.append("<div class=\"scroll\"><table>\n"), "th", "", "A", "B", "B / A", "");
        comparison
                .operation()
                .forEach((measure, whole) -> {
                    Verdict verdict = whole.change().verdict();
                    row(
                            page,
                            "td",
                            escaped(measure.title()),
                            Costs.text(whole.costA(), measure),
                            Costs.text(whole.costB(), measure),
                            MethodChange.times(whole.change().ratio()),
                            word(measure, verdict));
                });
        page.append("</table></div>\n");
        causes(comparison, page);
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
            page.append("<li>").append(escaped(cause.method().sentence())).append(".<small>");
            page.append(escaped(cause.method().measure().title()));
            if (cause.moved()) {
                page.append("; about as much was gained beside it: cost has moved, not grown");
            }
            for (List<String> path : cause.paths()) {
                page.append("; by way of ").append(escaped(String.join(" > ", path)));
            }
            page.append("</small></li>\n");
        }
        page.append("</ul>\n");
    }

    private static void flame(Measure measure, CallDifference tree, StringBuilder page) {
        page.append("<section><h3>Paths by ").append(escaped(measure.title()));
        page.append("</h3>\n<div class=\"controls\"><span>Width:</span>");
        page.append("<button data-by=\"both\" aria-pressed=\"true\">the greater</button>");
        page.append("<button data-by=\"a\" aria-pressed=\"false\">A</button>");
        page.append("<button data-by=\"b\" aria-pressed=\"false\">B</button>");
        page.append("<span class=\"legend\"><span style=\"background:hsl(8 85% 65%)\"></span>more");
        page.append("<span style=\"background:hsl(210 75% 65%)\"></span>less");
        page.append("<span style=\"background:#c9ccd4\"></span>does not stand out</span></div>\n");
        page.append("<div class=\"flame\"></div><script type=\"application/json\">");
        page.append(node(tree, measure).toString().replace("<", "\\u003c"));
        page.append("</script>\n<p class=\"detail\"></p></section>\n");
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
        page.append("<h3>Methods by ").append(escaped(measure.title())).append("</h3>\n");
        page.append("<div class=\"scroll\"><table>\n");
        String[] titles = {"", "own, A", "own, B", "B / A", "", "with callees", "", "calls"};
        row(page, "th", titles);
        for (MethodChange method : methods) {
            if (!method.costs()) {
                continue;
            }
            Interval calls = method.calls();
            row(
                    page,
                    "td",
                    escaped(method.name()),
                    Costs.text(method.self().costA(), measure),
                    Costs.text(method.self().costB(), measure),
                    ComparisonText.judged(method.self()),
                    word(measure, method.self().change().verdict()),
                    ComparisonText.judged(method.total()),
                    method.tooShort()
                            ? "too short to time"
                            : word(measure, method.total().change().verdict()),
                    calls == null ? "" : MethodChange.times(calls));
        }
        page.append("</table></div>\n");
    }

    private static String word(Measure measure, Verdict verdict) {
        return "<span class=\"%s\">%s</span>"
                .formatted(verdict.name().toLowerCase(Locale.ROOT), measure.word(verdict));
    }

    /// A row of cells that are HTML already.
    private static void row(StringBuilder page, String cell, String... cells) {
        page.append("<tr>");
        for (String text : cells) {
            page.append('<').append(cell).append('>').append(text);
            page.append("</").append(cell).append('>');
        }
        page.append("</tr>\n");
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
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
