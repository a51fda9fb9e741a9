package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.List;

/// A statement about materialized views.
public sealed interface MaterializedStatement {
    /// The first name of a materialized view.
    Identifier name();

    /// CREATE MATERIALIZED VIEW.
    ///
    /// @param view names and query
    /// @param empty whether it cannot be read before its first refresh (WITH NO DATA)
    record Create(Statement.CreateView view, boolean empty) implements MaterializedStatement {
        @Override
        public Identifier name() {
            return view.name();
        }
    }

    /// REFRESH MATERIALIZED VIEW.
    ///
    /// @param concurrently whether other transactions may write to other tables during the refresh
    /// @param empty whether to remove the rows (WITH NO DATA)
    record Refresh(Identifier name, boolean concurrently, boolean empty)
            implements MaterializedStatement {}

    /// ALTER MATERIALIZED VIEW.
    ///
    /// @param change the same change of a table
    record Alter(boolean ifExists, Identifier name, Statement.Definition change)
            implements MaterializedStatement {}

    record Drop(boolean ifExists, List<Identifier> names, boolean cascade)
            implements MaterializedStatement {
        @Override
        public Identifier name() {
            return names.getFirst();
        }
    }
}
