package dev.oriel.sql;

import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.value.Row;
import java.util.List;

/// A table that is not stored: Java computes its rows whenever a statement begins to read it. It can be joined,
/// filtered and sorted like any other, but not written to.
///
/// With parameters it is a table function, `FROM flame_graph(1, NULL)`; arguments omitted at the end are NULL. A
/// procedure is one with effects: only CALL runs it, never a plan that may read it more than once.
///
/// Immutable; the source may be called by any number of threads at a time.
///
/// @param schema the schema of the name: `sys`
/// @param parameters empty for a table
/// @param acts whether it is a procedure, for CALL
public record ComputedTable(
        String schema,
        String name,
        List<Column> columns,
        List<Column> parameters,
        boolean acts,
        Source source) {
    public ComputedTable {
        columns = List.copyOf(columns);
        parameters = List.copyOf(parameters);
    }

    /// A table without parameters.
    public static ComputedTable of(
            String schema, String name, List<Column> columns, Source source) {
        return new ComputedTable(schema, name, columns, List.of(), false, source);
    }

    /// A table function.
    public static ComputedTable function(
            String schema,
            String name,
            List<Column> parameters,
            List<Column> columns,
            Source source) {
        return new ComputedTable(schema, name, columns, parameters, false, source);
    }

    /// A procedure.
    public static ComputedTable procedure(
            String schema,
            String name,
            List<Column> parameters,
            List<Column> columns,
            Source source) {
        return new ComputedTable(schema, name, columns, parameters, true, source);
    }

    /// `schema.name`.
    public String qualifiedName() {
        return schema + "." + name;
    }

    /// Computes the rows.
    @FunctionalInterface
    public interface Source {
        /// Adds all rows to `rows`.
        ///
        /// @throws dev.oriel.store.UsageException if an argument is invalid
        void fill(Reading reading, RowList rows);
    }

    /// The statement that reads the table.
    public interface Reading {
        /// The arguments by position, each of its parameter's type.
        Row arguments();

        /// The transaction that the statement runs in.
        TableTransaction transaction();

        /// The definitions visible to the statement.
        default Catalog catalog() {
            return transaction().catalog();
        }
    }
}
