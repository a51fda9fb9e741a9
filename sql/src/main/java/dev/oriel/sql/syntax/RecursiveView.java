package dev.oriel.sql.syntax;

import dev.oriel.sql.syntax.Statement.Identifier;
import java.util.List;
import java.util.stream.Collectors;

/// CREATE RECURSIVE VIEW: `name (columns) AS query` selects from the query of that name in WITH RECURSIVE.
final class RecursiveView {
    private RecursiveView() {}

    /// Parses the query with its WITH.
    static Statement.Query query(QueryParser queries, Identifier name, List<Identifier> columns) {
        int position = name.position();
        Identifier bare = new Identifier(position, name.name());
        Statement.Query inner = queries.fixed();
        List<Statement.Item> items =
                columns.stream()
                        .map(column ->
                                (Statement.Item)
                                        new Statement.Item.Value(
                                                new Expression.Name(
                                                        column.position(), null, column.name()),
                                                null))
                        .toList();
        Statement.Query outer =
                QueryParser.rows(position, items, new Statement.From.Named(bare, null, List.of()));
        Statement.CommonTable table =
                new Statement.CommonTable(bare, columns, inner, position, 1, RecursionMarks.NONE);
        return new Statement.With(position, true, List.of(table), outer);
    }

    /// The text of the query, of which `inner` has been written.
    static String text(Identifier name, List<Identifier> columns, String inner) {
        String called = quoted(name.name());
        String names =
                columns.stream()
                        .map(column -> quoted(column.name()))
                        .collect(Collectors.joining(", "));
        return "WITH RECURSIVE %s (%s) AS (%s\n) SELECT %s FROM %s" // it may end with a comment
                .formatted(called, names, inner, names, called);
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }
}
