package dev.oriel.table;

import java.util.List;

/// A query under a name.
///
/// @param id stable number, of the numbers of tables
/// @param columns names of its columns
/// @param reads for each of them, what the query calls it
/// @param query text of the language that [Expressions] understands
public record View(long id, String name, List<String> columns, List<String> reads, String query) {
    public View {
        columns = List.copyOf(columns);
        reads = List.copyOf(reads);
    }
}
