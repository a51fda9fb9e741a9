package dev.oriel.table.definition;

import java.util.List;

/// The query of a materialized view. Its rows are those of a table, which a layer above fills with the result.
///
/// @param id stable number, of the numbers of tables
/// @param of number of the table
/// @param reads for each column of the table, its name in the query
/// @param query as in [View]
/// @param populated whether the table has been filled; else it cannot be read
public record MaterializedView(
        long id, long of, List<String> reads, String query, boolean populated) implements Note {
    public MaterializedView {
        reads = List.copyOf(reads);
    }

    @Override
    public MaterializedView withId(long other) {
        return new MaterializedView(other, of, reads, query, populated);
    }

    public MaterializedView withQuery(String other) {
        return new MaterializedView(id, of, reads, other, populated);
    }

    public MaterializedView withPopulated(boolean other) {
        return new MaterializedView(id, of, reads, query, other);
    }

    /// The query as a view with this number, and with the names of `table`.
    public View asView(Table table) {
        List<String> columns = table.columns().stream().map(Column::name).toList();
        return new View(id, table.name(), columns, reads, query).withSchema(table.schema());
    }
}
