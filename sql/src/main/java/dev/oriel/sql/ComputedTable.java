package dev.oriel.sql;

import dev.oriel.table.Catalog;
import dev.oriel.table.Column;
import dev.oriel.table.Row;
import dev.oriel.table.TableTransaction;
import java.util.List;

/// A table that is stored nowhere: Java computes its rows whenever a statement begins to read it.
/// It can be joined, filtered and sorted like any other, and not be written to.
///
/// With parameters it is a table function, `FROM flame_graph(1, NULL)`; arguments that are left out
/// at the end are NULL. One that acts is a procedure: it has effects, so it is run by CALL alone,
/// and never by a plan that reads it more than once.
///
/// Immutable; the source may be asked by any number of threads at a time.
///
/// @param schema what stands before the name: `sys`
/// @param parameters empty for a table
/// @param acts whether it is for CALL
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
        /// @throws dev.oriel.store.UsageException if an argument makes no sense
        void fill(Reading reading, RowList rows);
    }

    /// Who asks.
    public interface Reading {
        /// The arguments by position, each of its parameter's type.
        Row arguments();

        /// The transaction that the statement reads.
        TableTransaction transaction();

        /// The definitions that the statement sees.
        default Catalog catalog() {
            return transaction().catalog();
        }
    }
}
