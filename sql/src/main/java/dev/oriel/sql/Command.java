package dev.oriel.sql;

import dev.oriel.table.Table;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What a statement does, ready to be executed: immutable and shared by all sessions.
sealed interface Command {
    record Query(Plan plan, List<Prepared.OutputColumn> columns) implements Command {}

    /// Rows written out; each has an expression for every column of the table.
    record InsertRows(Table table, List<List<Scalar>> rows) implements Command {}

    /// Rows of a query.
    ///
    /// @param values for every column of the table an expression over the query's rows
    record InsertQuery(Table table, Plan source, List<Scalar> values) implements Command {}

    record Update(
            Table table, Plan.Scan scan, @Nullable Scalar filter, List<Assignment> assignments)
            implements Command {}

    /// `column = value`.
    ///
    /// @param column position in the table
    record Assignment(int column, Scalar value) {}

    record Delete(Table table, Plan.Scan scan, @Nullable Scalar filter) implements Command {}

    /// CREATE, DROP and TRUNCATE: resolved when they run, against the catalog of that moment.
    record Definition(Statement statement) implements Command {}

    /// BEGIN, COMMIT and the like.
    record Control(Statement statement) implements Command {}

    /// EXPLAIN of another one.
    record Explain(Command command, ExplainOptions options, List<Prepared.OutputColumn> columns)
            implements Command {}
}
