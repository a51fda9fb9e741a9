package dev.oriel.conformance;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Intended differences from the corpus. Its answers are SQLite's, while this engine follows PostgreSQL; and some
/// of its features only SQLite has. Any other difference is a failure.
final class LogicDifferences {
    private static final Set<String> OF_TYPES = listed("types.txt");

    /// Queries after a double assignment: it fails here, so results differ.
    private static final Set<String> ASSIGNED_TWICE =
            Set.of("evidence/slt_lang_update:98", "evidence/slt_lang_update:104");

    private LogicDifferences() {}

    /// The reason that `sql` of a script has another answer by design; null if it should have the same.
    ///
    /// @param found the actual result
    static @Nullable String reason(String script, int line, String sql, String found) {
        String upper = sql.toUpperCase(Locale.ROOT);
        if (found.startsWith("Division by zero")) {
            return "A division by zero is an error, and not NULL";
        } else if (found.contains("must be in GROUP BY")) {
            return "A column that is not grouped by is an error, and not that of any row";
        } else if (found.startsWith("The value is out of the range of")) {
            return "An INTEGER that overflows is an error, and not wider";
        } else if (OF_TYPES.contains(script + ":" + line)) {
            return "An expression has one type for all rows, and not each value its own";
        } else if (ASSIGNED_TWICE.contains(script + ":" + line)) {
            return "A column that is assigned twice is an error";
        } else if (upper.startsWith("DROP VIEW") && found.contains("needs it")) {
            return "A view that another view reads is not dropped without CASCADE";
        } else if (script.startsWith("evidence/")) {
            return ofSqlite(script, upper, found);
        }
        return null;
    }

    private static @Nullable String ofSqlite(String script, String sql, String found) {
        if (sql.startsWith("UPDATE T1 SET X=3, X=4")) {
            return "A column that is assigned twice is an error";
        } else if (found.contains("is not a value of type") || found.contains("cannot compare")) {
            return "Text and bytes are compared with their like only";
        } else if (sql.contains("TRIGGER")) {
            return "A trigger is written with BEFORE or AFTER, and with BEGIN ATOMIC";
        } else if (sql.contains("REPLACE") || script.endsWith("slt_lang_replace")) {
            return "There is no REPLACE: the word for it is ON CONFLICT";
        } else if (sql.startsWith("DELETE FROM VIEW1") || sql.startsWith("UPDATE VIEW1")) {
            return "A view of one table can be changed";
        } else if (sql.contains("IN ()")) {
            return "IN takes one value at least";
        }
        return null;
    }

    private static Set<String> listed(String file) {
        try (InputStream in = LogicDifferences.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new IllegalStateException("there is no " + file);
            }
            BufferedReader reader =
                    new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
            Set<String> lines = new HashSet<>();
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                if (!line.isBlank() && !line.startsWith("#")) {
                    lines.add(line.strip());
                }
            }
            return lines;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
