package dev.oriel.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prints rows as an aligned table.
/// ```
///  name           | city    | runways
/// ----------------+---------+---------
///  London Gatwick | London  |       2
/// ```
/// The first rows, some 1,000 or a megabyte, are held back to find the widths of the columns. Later ones are
/// printed at once, so that a result of any size takes little memory. On a terminal, text is cut so that a line
/// fits; numbers never are.
final class TablePrinter implements RowPrinter {
    private static final int SAMPLE_ROWS = 1_000;
    private static final long SAMPLE_COLUMNS_MAX = 1 << 20;
    private static final int CUT_COLUMNS_MIN = 8;
    private static final String NULL = "NULL";

    private final Screen screen;
    private final List<Column> columns;
    private final int[] widths;
    private final List<List<@Nullable String>> sample = new ArrayList<>();
    private long sampleColumns;
    private boolean streaming;

    TablePrinter(Screen screen, List<Column> columns) {
        this.screen = screen;
        this.columns =
                columns.stream()
                        .map(c -> new Column(DisplayText.printable(c.title()), c.right()))
                        .toList();
        this.widths = this.columns.stream().mapToInt(c -> DisplayText.width(c.title())).toArray();
    }

    @Override
    public void row(List<@Nullable String> cells) {
        if (streaming) {
            print(cells);
            return;
        }
        List<@Nullable String> printable = new ArrayList<>(cells.size());
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            printable.add(cell == null ? null : DisplayText.printable(cell));
            int width = DisplayText.width(shown(printable.get(i)));
            widths[i] = Math.max(widths[i], width);
            sampleColumns += width;
        }
        sample.add(printable);
        if (sample.size() == SAMPLE_ROWS || sampleColumns > SAMPLE_COLUMNS_MAX) {
            flush();
        }
    }

    @Override
    public void finish() {
        if (!streaming) {
            flush();
        }
    }

    private void flush() {
        streaming = true;
        if (screen.terminal()) {
            fit();
        }
        printHeader();
        for (List<@Nullable String> row : sample) {
            print(row);
        }
        sample.clear();
    }

    /// Narrows the widest text columns, as far as necessary and sensible.
    private void fit() {
        int room = screen.columns() - 3 * columns.size() + 1;
        while (total() > room) {
            int widest = -1;
            for (int i = 0; i < widths.length; i++) {
                if (!columns.get(i).right() && (widest < 0 || widths[i] > widths[widest])) {
                    widest = i;
                }
            }
            if (widest < 0 || widths[widest] <= CUT_COLUMNS_MIN) {
                return;
            }
            widths[widest]--;
        }
    }

    private int total() {
        int total = 0;
        for (int width : widths) {
            total += width;
        }
        return total;
    }

    private void printHeader() {
        StringBuilder titles = new StringBuilder();
        StringBuilder rule = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            titles.append(i == 0 ? " " : " | ");
            String title = cut(columns.get(i).title(), i);
            pad(titles, title, screen.bold(title), i);
            rule.append(i == 0 ? "-" : "-+-").repeat('-', widths[i]);
        }
        screen.out().println(titles.toString().stripTrailing());
        screen.out().println(rule.append('-'));
    }

    private void print(List<@Nullable String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            line.append(i == 0 ? " " : " | ");
            String cell = cut(DisplayText.printable(shown(cells.get(i))), i);
            pad(line, cell, cells.get(i) == null ? screen.dim(cell) : cell, i);
        }
        screen.out().println(line.toString().stripTrailing());
    }

    private static String shown(@Nullable String cell) {
        return cell == null ? NULL : cell;
    }

    private String cut(String text, int column) {
        return screen.terminal() && !columns.get(column).right()
                ? DisplayText.cut(text, widths[column])
                : text;
    }

    /// Appends `painted`, as wide as `text`, padded to the width of a column.
    private void pad(StringBuilder line, String text, String painted, int column) {
        int gap = Math.max(0, widths[column] - DisplayText.width(text));
        if (columns.get(column).right()) {
            line.repeat(' ', gap).append(painted);
        } else {
            line.append(painted).repeat(' ', gap);
        }
    }
}
