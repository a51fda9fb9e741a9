package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// USING of a join.
///
/// @param names the columns of both sides that are equal
/// @param alias a table name under which the merged columns are known; null if there is none
public record UsingColumns(List<Identifier> names, @Nullable Identifier alias) {
    public UsingColumns {
        names = List.copyOf(names);
    }
}
