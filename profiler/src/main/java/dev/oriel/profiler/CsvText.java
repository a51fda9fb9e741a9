package dev.oriel.profiler;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of comma-separated values (RFC 4180, lines end with `\n`).
final class CsvText {
    private CsvText() {}

    static void row(Appendable out, List<String> cells) throws IOException {
        for (int i = 0; i < cells.size(); i++) {
            out.append(i == 0 ? "" : ",").append(quoted(cells.get(i)));
        }
        out.append('\n');
    }

    /// The cells of the next row; null at the end.
    static @Nullable List<String> read(BufferedReader in) throws IOException {
        String line = in.readLine();
        if (line == null) {
            return null;
        }
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        int i = 0;
        while (true) {
            if (i == line.length()) {
                if (!quoted) {
                    cells.add(cell.toString());
                    return cells;
                }
                cell.append('\n');
                line = in.readLine();
                if (line == null) {
                    throw new ProfileFormatException("A quoted cell is not closed");
                }
                i = 0;
                continue;
            }
            char c = line.charAt(i++);
            if (c == '"' && quoted && i < line.length() && line.charAt(i) == '"') {
                cell.append('"');
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
    }

    private static String quoted(String cell) {
        boolean plain = true;
        for (int i = 0; i < cell.length() && plain; i++) {
            plain = ",\"\n\r".indexOf(cell.charAt(i)) < 0;
        }
        // A carriage return would not come back from a reader of lines.
        return plain ? cell : '"' + cell.replace("\"", "\"\"").replace('\r', ' ') + '"';
    }
}
