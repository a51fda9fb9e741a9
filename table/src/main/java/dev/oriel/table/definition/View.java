package dev.oriel.table.definition;

import java.util.List;

/// A named query.
///
/// @param id stable number, of the numbers of tables
/// @param columns names of its columns
/// @param reads names of these columns in the query
/// @param query text of the language that `Expressions` understands
/// @param schema as in [Table]
/// @param checkOption rows that a change through the view may write
public record View(
        long id,
        String name,
        List<String> columns,
        List<String> reads,
        String query,
        String schema,
        CheckOption checkOption) {
    /// Condition for rows written through a view.
    public enum CheckOption {
        NONE,
        /// The row must satisfy the view's own condition.
        LOCAL,
        /// The row must satisfy the conditions of the view and of all views below.
        CASCADED
    }

    public View {
        columns = List.copyOf(columns);
        reads = List.copyOf(reads);
    }

    /// A view of the schema PUBLIC.
    public View(long id, String name, List<String> columns, List<String> reads, String query) {
        this(id, name, columns, reads, query, "", CheckOption.NONE);
    }

    public View withId(long other) {
        return new View(other, name, columns, reads, query, schema, checkOption);
    }

    public View withName(String other) {
        return new View(id, other, columns, reads, query, schema, checkOption);
    }

    public View withSchema(String other) {
        return new View(id, name, columns, reads, query, other, checkOption);
    }

    /// Whether it belongs to a session, and ends with it.
    public boolean temporary() {
        return Catalog.isTemporary(schema);
    }

    /// The search path of its query: names of other schemas than PUBLIC are spelled out in it.
    public SearchPath path() {
        return temporary() ? SearchPath.temporary(schema) : SearchPath.DEFAULT;
    }

    /// The view with other names for its columns.
    public View withColumns(List<String> others) {
        return new View(id, name, others, reads, query, schema, checkOption);
    }

    /// The view of a partition with other columns and another query, which calls them the same.
    public View withPart(List<String> others, String text) {
        return new View(id, name, others, others, text, schema, CheckOption.CASCADED);
    }

    public View withQuery(String other) {
        return new View(id, name, columns, reads, other, schema, checkOption);
    }

    public View withCheckOption(CheckOption other) {
        return new View(id, name, columns, reads, query, schema, other);
    }
}
