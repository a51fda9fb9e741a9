package dev.oriel.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// Output formats for rows.
enum OutputFormat {
    TABLE,
    BLOCKS,
    CSV,
    JSON,
    MARKDOWN;

    /// Returns the format of that name.
    static OutputFormat of(String name) throws Failure {
        List<String> names = new ArrayList<>();
        for (OutputFormat format : values()) {
            if (format.word().equalsIgnoreCase(name)) {
                return format;
            }
            names.add(format.word());
        }
        throw new Failure(
                "there is no format \"" + name + "\": there are " + String.join(", ", names));
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    RowPrinter printer(Screen screen, List<RowPrinter.Column> columns) {
        return switch (this) {
            case TABLE -> new TablePrinter(screen, columns);
            case BLOCKS -> new RecordPrinter(screen, columns);
            case CSV -> new CsvPrinter(screen.out(), columns);
            case JSON -> new JsonPrinter(screen.out(), columns);
            case MARKDOWN -> new MarkdownPrinter(screen.out(), columns);
        };
    }

    /// Whether the output is for programs: then only the rows are printed.
    boolean forPrograms() {
        return switch (this) {
            case TABLE, BLOCKS -> false;
            case CSV, JSON, MARKDOWN -> true;
        };
    }
}
