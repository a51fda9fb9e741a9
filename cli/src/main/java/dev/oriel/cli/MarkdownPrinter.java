package dev.oriel.cli;

import java.io.PrintWriter;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prints rows as a Markdown table.
final class MarkdownPrinter implements RowPrinter {
    private final PrintWriter out;

    MarkdownPrinter(PrintWriter out, List<Column> columns) {
        this.out = out;
        StringBuilder titles = new StringBuilder("|");
        StringBuilder rule = new StringBuilder("|");
        for (Column column : columns) {
            titles.append(' ').append(escaped(column.title())).append(" |");
            rule.append(column.right() ? "---:|" : "---|");
        }
        out.print(titles.append('\n').append(rule).append('\n'));
    }

    @Override
    public void row(List<@Nullable String> cells) {
        StringBuilder line = new StringBuilder("|");
        for (String cell : cells) {
            line.append(' ').append(cell == null ? "" : escaped(cell)).append(" |");
        }
        out.print(line.append('\n'));
    }

    private static String escaped(String text) {
        return text.replace("\\", "\\\\")
                .replace("|", "\\|")
                .replace("\r", "")
                .replace("\n", "<br>");
    }

    @Override
    public void finish() {
        out.flush();
    }
}
