package dev.oriel.cli;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Prints rows as a JSON array, one object per line. Finite numbers, truth values and JSON keep their types; other
/// values become text.
final class JsonPrinter implements RowPrinter {
    private final PrintWriter out;
    private final List<Column> columns;
    private boolean first = true;

    JsonPrinter(PrintWriter out, List<Column> columns) {
        this.out = out;
        this.columns = columns;
        out.print("[");
    }

    @Override
    public void row(List<@Nullable String> cells) {
        StringBuilder line = new StringBuilder(first ? "\n{" : ",\n{");
        first = false;
        for (int i = 0; i < cells.size(); i++) {
            line.append(i == 0 ? "" : ",").append(quoted(columns.get(i).title())).append(':');
            String cell = cells.get(i);
            boolean plain = cell == null || columns.get(i).json() || isNumber(columns.get(i), cell);
            line.append(cell == null ? "null" : plain ? cell : quoted(cell));
        }
        out.print(line.append('}'));
    }

    private static boolean isNumber(Column column, String cell) {
        return column.right() && cell.matches("-?[0-9]+(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
    }

    @Override
    public void finish() {
        out.print(first ? "]\n" : "\n]\n");
        out.flush();
    }

    static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                    if (c < ' ' || (Character.isSurrogate(c) && !paired(text, i))) {
                        quoted.append(String.format(Locale.ROOT, "\\u%04x", (int) c));
                    } else {
                        quoted.append(c);
                    }
                }
            }
        }
        return quoted.append('"').toString();
    }

    private static boolean paired(String text, int i) {
        return Character.isHighSurrogate(text.charAt(i))
                ? i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1))
                : i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
}
