package dev.oriel.bench.sql;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Advice of a product's documents for particular kinds of work, in addition to the settings in its URL.
///
/// @param questions statements of a session that asks long questions of much data by one thread, or
///     loads it, such as the size of a cache
/// @param loading statements before tables are filled
/// @param indexes keys and indexes of tables for such questions
/// @param loaded statements after tables were filled, such as `ANALYZE`
/// @param copy how a table is loaded from a file
/// @param writers properties of connections if many sessions write at once
public record Tuning(
        List<String> questions,
        List<String> loading,
        Indexes indexes,
        List<String> loaded,
        Copy copy,
        Map<String, String> writers) {
    /// Defaults, keys and indexes, statistics by `ANALYZE`, batches.
    public static final Tuning USUAL =
            new Tuning(
                    List.of(),
                    List.of(),
                    Indexes.BEHIND_ROWS,
                    List.of("ANALYZE"),
                    Copy.NONE,
                    Map.of());

    /// Keys and indexes, and the time of their creation.
    public enum Indexes {
        /// No primary keys either.
        NONE,
        BEFORE_ROWS,
        BEHIND_ROWS
    }

    /// A statement that loads a table.
    ///
    /// @param statement loads `{table}`, or `{TABLE}`, from the file `{file}`, whose columns `|` separates; empty
    ///     if batches of INSERT are the way
    /// @param quoted whether texts are in double quotes in that file: if not, it strips their leading blanks
    public record Copy(String statement, boolean quoted) {
        /// Loading by INSERT.
        public static final Copy NONE = new Copy("", false);

        public boolean isNone() {
            return statement.isEmpty();
        }

        /// The statement for `table` and `file`.
        public String of(String table, Path file) {
            return statement
                    .replace("{table}", table)
                    .replace("{TABLE}", table.toUpperCase(Locale.ROOT))
                    .replace("{file}", file.toString());
        }
    }
}
