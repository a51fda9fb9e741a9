package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import dev.oriel.sql.syntax.Statement.Limit;
import dev.oriel.sql.syntax.Statement.Owned;
import dev.oriel.sql.syntax.Statement.Restart;
import dev.oriel.table.definition.Type;
import org.jspecify.annotations.Nullable;

/// Options of CREATE and ALTER SEQUENCE and of identity columns; null if omitted.
///
/// @param type of its numbers
/// @param restart of ALTER: the next number; a [Restart] without number means the start value
/// @param owned the column that it goes with
/// @param name of the sequence of an identity column
public record SequenceOptions(
        @Nullable Type type,
        @Nullable Long start,
        @Nullable Long increment,
        @Nullable Limit least,
        @Nullable Limit most,
        @Nullable Boolean cycle,
        @Nullable Restart restart,
        @Nullable Owned owned,
        @Nullable Identifier name) {
    public static final SequenceOptions NONE =
            new SequenceOptions(null, null, null, null, null, null, null, null, null);
}
