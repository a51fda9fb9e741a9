package dev.oriel.profiler;

import java.io.IOException;

/// A self-contained HTML page in the style of the reports: no network, no library.
public final class HtmlPage {
    private HtmlPage() {}

    /// Writes the page up to the beginning of its body, with the style sheet of the reports.
    public static void begin(String title, Appendable out) throws IOException {
        begin(title, "", out);
    }

    /// Same, with styles of its own after those of the reports.
    public static void begin(String title, String style, Appendable out) throws IOException {
        out.append("<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        out.append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n");
        out.append("<title>").append(escaped(title)).append("</title>\n<style>\n");
        out.append(ReportScripts.text("report.css"))
                .append(style)
                .append("</style>\n</head>\n<body>\n");
    }

    /// Writes the script and the end of the page.
    ///
    /// @param module a script that may import the [ReportScripts] and nothing else
    public static void end(String module, Appendable out) throws IOException {
        out.append("<script>\n").append(ReportScripts.with(module)).append("</script>\n");
        out.append("</body>\n</html>\n");
    }

    /// Text as the content of an element, or as an attribute's value in quotes.
    public static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
