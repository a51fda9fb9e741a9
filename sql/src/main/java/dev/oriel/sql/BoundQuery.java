package dev.oriel.sql;

import dev.oriel.table.Column;
import java.util.ArrayList;
import java.util.List;

/// A query that is bound and planned.
///
/// @param untyped for each column whether nothing has given it a type: it is text for want of a
///     better one
record BoundQuery(Plan plan, List<Prepared.OutputColumn> columns, List<Boolean> untyped) {
    /// The columns as those of a table.
    List<Column> asTable() {
        List<Column> table = new ArrayList<>();
        for (Prepared.OutputColumn column : columns) {
            table.add(new Column(column.name(), column.type(), column.nullable()));
        }
        return List.copyOf(table);
    }
}
