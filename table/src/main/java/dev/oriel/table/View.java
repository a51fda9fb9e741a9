package dev.oriel.table;

import java.util.List;

/// A query under a name.
///
/// @param id stable number, of the numbers of tables
/// @param columns names of its columns
/// @param reads for each of them, what the query calls it
/// @param query text of the language that [Expressions] understands
/// @param schema as of [Table]
public record View(
        long id,
        String name,
        List<String> columns,
        List<String> reads,
        String query,
        String schema) {
    public View {
        columns = List.copyOf(columns);
        reads = List.copyOf(reads);
    }

    /// A view of the schema PUBLIC.
    public View(long id, String name, List<String> columns, List<String> reads, String query) {
        this(id, name, columns, reads, query, "");
    }

    public View withId(long other) {
        return new View(other, name, columns, reads, query, schema);
    }

    public View withName(String other) {
        return new View(id, other, columns, reads, query, schema);
    }

    public View withSchema(String other) {
        return new View(id, name, columns, reads, query, other);
    }
}
