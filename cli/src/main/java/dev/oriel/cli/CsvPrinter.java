package dev.oriel.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prints rows as comma-separated values (RFC 4180, lines end with LF), column names first. NULL is an empty
/// field, empty text a pair of quotes.
final class CsvPrinter implements RowPrinter {
    private final PrintWriter out;

    CsvPrinter(PrintWriter out, List<Column> columns) {
        this.out = out;
        line(new ArrayList<>(columns.stream().map(Column::title).toList()));
    }

    @Override
    public void row(List<@Nullable String> cells) {
        line(cells);
    }

    private void line(List<@Nullable String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            line.append(i == 0 ? "" : ",").append(cell == null ? "" : field(cell));
        }
        out.print(line.append('\n'));
    }

    private static String field(String cell) {
        boolean plain = !cell.isEmpty();
        for (int i = 0; i < cell.length() && plain; i++) {
            char c = cell.charAt(i);
            plain = c != ',' && c != '"' && c != '\n' && c != '\r';
        }
        return plain ? cell : "\"" + cell.replace("\"", "\"\"") + "\"";
    }

    @Override
    public void finish() {
        out.flush();
    }
}
