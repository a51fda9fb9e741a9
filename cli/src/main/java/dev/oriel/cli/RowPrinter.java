package dev.oriel.cli;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// Prints the rows of one result, as they come.
sealed interface RowPrinter
        permits TablePrinter, RecordPrinter, CsvPrinter, JsonPrinter, MarkdownPrinter {
    /// A column of the result.
    ///
    /// @param right whether its values are numbers, aligned to the right
    /// @param json whether its values are written as they are in JSON, not as texts
    record Column(String title, boolean right, boolean json) {
        Column(String title, boolean right) {
            this(title, right, false);
        }

        static Column text(String title) {
            return new Column(title, false);
        }

        static Column number(String title) {
            return new Column(title, true);
        }
    }

    /// Adds a row; null is SQL's NULL.
    void row(List<@Nullable String> cells);

    /// Prints the rows still held back.
    void finish();
}
