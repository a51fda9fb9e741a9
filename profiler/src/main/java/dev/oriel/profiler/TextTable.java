package dev.oriel.profiler;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/// Rows of text in columns: all right-aligned but the last, which is left-aligned and may be any
/// length. Confined to one thread.
final class TextTable {
    private final List<String[]> rows = new ArrayList<>();
    private final int[] widths;

    TextTable(String... header) {
        widths = new int[header.length];
        add(header);
    }

    void add(String... row) {
        for (int i = 0; i < row.length - 1; i++) {
            widths[i] = Math.max(widths[i], row[i].length());
        }
        rows.add(row);
    }

    void write(Appendable out) throws IOException {
        for (String[] row : rows) {
            for (int i = 0; i < row.length - 1; i++) {
                out.append(" ".repeat(widths[i] - row[i].length())).append(row[i]).append("  ");
            }
            out.append(row[row.length - 1]).append('\n');
        }
    }
}
