package dev.oriel.table.definition;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// A table whose rows are in a file outside the database: the layer above reads and writes it.
///
/// @param options settings for that layer, by names in upper case
public record ExternalTable(long id, String name, List<Column> columns, Map<String, String> options)
        implements Note {
    public ExternalTable {
        columns = List.copyOf(columns);
        options = Map.copyOf(options);
    }

    @Override
    public ExternalTable withId(long other) {
        return new ExternalTable(other, name, columns, options);
    }

    /// The options by name.
    public Map<String, String> sorted() {
        return new TreeMap<>(options);
    }
}
