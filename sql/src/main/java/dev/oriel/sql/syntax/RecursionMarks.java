package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The clauses after a recursive query that add columns to it.
///
/// @param search null if there is no SEARCH clause
/// @param cycle null if there is no CYCLE clause
public record RecursionMarks(@Nullable Search search, @Nullable Cycle cycle) {
    /// No clause.
    public static final RecursionMarks NONE = new RecursionMarks(null, null);

    /// SEARCH DEPTH FIRST or BREADTH FIRST BY columns SET sequence.
    public record Search(
            int position, boolean depth, List<Identifier> columns, Identifier sequence) {}

    /// CYCLE columns SET mark TO value DEFAULT otherwise USING path.
    ///
    /// @param value SQL of the mark for a row that repeats an earlier one
    /// @param otherwise SQL of the mark for other rows
    public record Cycle(
            int position,
            List<Identifier> columns,
            Identifier mark,
            String value,
            String otherwise,
            Identifier path) {}

    /// Whether there is no clause.
    public boolean isNone() {
        return search == null && cycle == null;
    }

    /// Position of the first clause.
    public int position() {
        return search != null ? search.position() : cycle == null ? 0 : cycle.position();
    }

    /// Name of the first clause.
    public String called() {
        return search != null ? "SEARCH" : "CYCLE";
    }
}
