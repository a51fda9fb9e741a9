package dev.oriel.bench;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// What a product's documents advise for particular kinds of work, beside what its URL says.
///
/// @param questions statements of a session that asks long questions of much data by one thread, or
///     loads it, such as the size of a cache
/// @param loading statements before tables are filled
/// @param indexed whether tables for such questions have primary keys and indexes
/// @param loaded statements after tables were filled, such as `ANALYZE`
/// @param copy the statement that loads `{table}`, or `{TABLE}`, from the file `{file}`, whose columns `|`
///     separates; empty where batches of INSERT are the way
/// @param writers properties of connections where many sessions write at once
public record Tuning(
        List<String> questions,
        List<String> loading,
        boolean indexed,
        List<String> loaded,
        String copy,
        Map<String, String> writers) {
    /// Defaults, keys and indexes, statistics by `ANALYZE`, batches.
    public static final Tuning USUAL =
            new Tuning(List.of(), List.of(), true, List.of("ANALYZE"), "", Map.of());

    /// The statement that loads `table` from `file`.
    String copy(String table, Path file) {
        return copy.replace("{table}", table)
                .replace("{TABLE}", table.toUpperCase(Locale.ROOT))
                .replace("{file}", file.toString());
    }
}
