package dev.oriel.sql.syntax;

import java.util.List;

/// Puts ORDER BY and limits behind a query.
final class EndedQuery {
    private EndedQuery() {}

    /// `query` with `tail`.
    ///
    /// @param enclosed whether it stands in parentheses
    static Statement.Query of(Statement.Query query, boolean enclosed, Statement.Tail tail) {
        if (tail.isNone()) {
            return query;
        }
        if (!enclosed && query instanceof Statement.Select select) {
            return select.ended(tail);
        } else if (!enclosed && query instanceof Statement.RowList list) {
            return new Statement.RowList(list.position(), list.rows(), tail);
        } else if (!enclosed && query instanceof Statement.SetOperation operation) {
            return new Statement.SetOperation(
                    operation.position(),
                    operation.kind(),
                    operation.all(),
                    operation.left(),
                    operation.right(),
                    tail);
        }
        int position = query.position();
        return new Statement.Select(
                position,
                false,
                List.of(new Statement.Item.Star(position, null)),
                new Statement.From.Derived(position, query, null, List.of(), false),
                null,
                List.of(),
                null,
                List.of(),
                null,
                tail);
    }
}
