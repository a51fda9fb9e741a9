package dev.oriel.bench;

import java.util.List;
import java.util.Map;

/// What a product's documents advise for particular kinds of work, beside what its URL says.
///
/// @param questions statements of a session that asks long questions of much data by one thread,
///     such as the size of a cache
/// @param indexed whether tables for such questions have primary keys and indexes
/// @param loaded statements after tables were filled, such as `ANALYZE`
/// @param copy the statement that loads `{table}` from the file `{file}`, whose columns `|`
///     separates; empty where batches of INSERT are the way
/// @param writers properties of connections where many sessions write at once
public record Tuning(
        List<String> questions,
        boolean indexed,
        List<String> loaded,
        String copy,
        Map<String, String> writers) {
    /// Defaults, keys and indexes, statistics by `ANALYZE`, batches.
    public static final Tuning USUAL =
            new Tuning(List.of(), true, List.of("ANALYZE"), "", Map.of());
}
