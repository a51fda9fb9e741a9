package dev.oriel.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prints each row as a block of lines, a column each: for rows too wide for a table.
final class RecordPrinter implements RowPrinter {
    private final Screen screen;
    private final List<Column> columns;
    private final int titleWidth;
    private long rows;

    RecordPrinter(Screen screen, List<Column> columns) {
        this.screen = screen;
        this.columns = columns;
        this.titleWidth =
                columns.stream().mapToInt(c -> DisplayText.width(c.title())).max().orElse(0);
    }

    @Override
    public void row(List<@Nullable String> cells) {
        rows++;
        screen.out().println(screen.bold("- row " + rows + " -"));
        for (int i = 0; i < columns.size(); i++) {
            String title = DisplayText.printable(columns.get(i).title());
            String cell = cells.get(i);
            String shown = cell == null ? screen.dim("NULL") : DisplayText.printable(cell);
            int gap = Math.max(0, titleWidth - DisplayText.width(title));
            screen.out().println(screen.bold(title) + " ".repeat(gap) + " | " + shown);
        }
    }

    @Override
    public void finish() {}
}
