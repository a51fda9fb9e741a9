package dev.oriel.sql.syntax;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.text.Keyword;
import dev.oriel.sql.text.Token;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Settings of H2, written without TO. Those that change no result are ignored.
final class H2Setting {
    private static final Set<String> IGNORED =
            Set.of(
                    "ALLOW_LITERALS",
                    "BUILTIN_ALIAS_OVERRIDE",
                    "CACHE_SIZE",
                    "CLUSTER",
                    "COMPRESS_LOB",
                    "DB_CLOSE_DELAY",
                    "DEFAULT_TABLE_TYPE",
                    "LAZY_QUERY_EXECUTION",
                    "LOCK_MODE",
                    "LOG",
                    "MAX_LENGTH_INPLACE_LOB",
                    "MAX_LOG_SIZE",
                    "MAX_MEMORY_ROWS",
                    "MAX_MEMORY_UNDO",
                    "MAX_OPERATION_MEMORY",
                    "OPTIMIZE_REUSE_RESULTS",
                    "QUERY_STATISTICS",
                    "QUERY_STATISTICS_MAX_ENTRIES",
                    "RETENTION_TIME",
                    "THROTTLE",
                    "TRACE_LEVEL_FILE",
                    "TRACE_LEVEL_SYSTEM_OUT",
                    "TRACE_MAX_FILE_SIZE",
                    "TRUNCATE_LARGE_LENGTH",
                    "UNDO_LOG",
                    "WRITE_DELAY");

    private static final Set<String> DIALECTS = Set.of("REGULAR", "STRICT", "LEGACY", "POSTGRESQL");

    private static final Set<String> OTHERS =
            Set.of(
                    "AUTOCOMMIT",
                    "DEFAULT_LOCK_TIMEOUT",
                    "IGNORECASE",
                    "LOCK_TIMEOUT",
                    "MODE",
                    "QUERY_TIMEOUT",
                    "REFERENTIAL_INTEGRITY",
                    "SCHEMA_SEARCH_PATH");

    private static final String MODE =
            "There is one dialect, which is close to PostgreSQL's; leave SET MODE out";
    private static final String IGNORECASE =
            "Texts compare by their characters; compare LOWER(a) with LOWER(b)";
    private static final String REFERENTIAL_INTEGRITY =
            "Foreign keys always hold; truncate several tables at once, or defer the keys";

    private H2Setting() {}

    /// Whether `name`, the token before the next, is a setting of H2, and a value follows.
    static boolean is(TokenReader tokens, String name) {
        Token value = tokens.peek();
        boolean follows =
                !value.is(Keyword.TO) && !value.isSymbol(".") && value.kind() != Token.Kind.END;
        String upper = name.toUpperCase(Locale.ROOT);
        return follows && (IGNORED.contains(upper) || OTHERS.contains(upper));
    }

    /// The setting that `name` stands for. Null if it is ignored; then its value is read.
    ///
    /// @throws SqlException if results would differ from H2's
    static @Nullable Identifier of(TokenReader tokens, Identifier name) {
        String upper = name.name().toUpperCase(Locale.ROOT);
        String value = tokens.peek().text().toUpperCase(Locale.ROOT);
        boolean on = value.equals("TRUE") || value.equals("ON") || value.equals("1");
        String known =
                switch (upper) {
                    case "QUERY_TIMEOUT" -> "statement_timeout";
                    case "DEFAULT_LOCK_TIMEOUT" -> "lock_timeout";
                    case "SCHEMA_SEARCH_PATH" -> "search_path";
                    case "MODE" -> ignored(tokens, DIALECTS.contains(value), MODE);
                    case "IGNORECASE" -> ignored(tokens, !on, IGNORECASE);
                    case "REFERENTIAL_INTEGRITY" -> ignored(tokens, on, REFERENTIAL_INTEGRITY);
                    default -> IGNORED.contains(upper) ? ignored(tokens, true, "") : name.name();
                };
        return known == null ? null : new Identifier(name.position(), known);
    }

    /// The setting that `name` stands for before an equals sign. Null if it is ignored; then its value is read.
    static @Nullable Identifier assigned(TokenReader tokens, Identifier name) {
        String upper = name.name().toUpperCase(Locale.ROOT);
        boolean ours = !IGNORED.contains(upper) && !upper.equals("SCHEMA_SEARCH_PATH");
        return ours ? name : of(tokens, name);
    }

    private static @Nullable String ignored(TokenReader tokens, boolean same, String message) {
        if (!same) {
            throw tokens.error(Kind.NOT_SUPPORTED, tokens.position(), message);
        }
        tokens.accept("-");
        tokens.take();
        return null;
    }
}
