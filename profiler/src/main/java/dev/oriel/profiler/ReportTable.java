package dev.oriel.profiler;

import java.util.List;

/// A named table of figures that a caller adds to an [HtmlReport]: the requests to the profiled program, and their
/// rate. Cells are plain text, which the report escapes. A column whose cells are all figures (digits first,
/// perhaps a sign) is aligned to the right.
///
/// @param title the heading
/// @param note a sentence below the heading; may be empty
/// @param columns the names of the columns
/// @param rows as many cells as columns each
public record ReportTable(
        String title, String note, List<String> columns, List<List<String>> rows) {

    /// Copies the lists.
    ///
    /// @throws IllegalArgumentException if a row is shorter or longer than the columns
    public ReportTable {
        columns = List.copyOf(columns);
        rows = rows.stream().map(List::copyOf).toList();
        for (List<String> row : rows) {
            if (row.size() != columns.size()) {
                throw new IllegalArgumentException(
                        "A row of "
                                + title
                                + " has "
                                + row.size()
                                + " cells for "
                                + columns.size()
                                + " columns");
            }
        }
    }

    /// Whether every cell of a column is a figure or empty, and one is a figure.
    boolean figures(int column) {
        boolean any = false;
        for (List<String> row : rows) {
            String cell = row.get(column);
            if (!cell.isEmpty()) {
                int digit = "+-~<>".indexOf(cell.charAt(0)) >= 0 ? 1 : 0;
                if (digit == cell.length() || !Character.isDigit(cell.charAt(digit))) {
                    return false;
                }
                any = true;
            }
        }
        return any;
    }
}
