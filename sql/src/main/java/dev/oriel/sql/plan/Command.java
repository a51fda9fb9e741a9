package dev.oriel.sql.plan;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.syntax.CopyOptions;
import dev.oriel.sql.syntax.ExplainOptions;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.Matching;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Arbiter;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.Trigger;
import dev.oriel.table.definition.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// An executable statement: immutable and shared by all sessions.
public sealed interface Command {
    record Query(Plan plan, List<Prepared.OutputColumn> columns) implements Command {}

    /// Rows that are locked as they are found, and then returned.
    record LockingQuery(Plan plan, List<Prepared.OutputColumn> columns) implements Command {}

    /// A command that changes rows of a table.
    sealed interface RowChange extends Command {
        Table table();

        @Nullable Returning returning();
    }

    /// The RETURNING clause: expressions over the new row, or over the old row if it was deleted, and over the
    /// joined row.
    ///
    /// @param versions number of columns of this row, if the old row (OLD) and the new one (NEW) follow it; else -1
    record Returning(List<Scalar> values, List<Prepared.OutputColumn> columns, int versions) {}

    /// ON CONFLICT of an INSERT.
    ///
    /// @param update null to do nothing
    record OnConflict(Arbiter arbiter, @Nullable ConflictUpdate update) {}

    /// DO UPDATE.
    ///
    /// @param assignments over the existing row, followed by the row to be inserted
    record ConflictUpdate(
            List<Assignment> assignments, @Nullable Scalar where, SqlText.Place place) {}

    /// A condition of the view `view` on the table's row, for rows written through it.
    record ViewCheck(String view, Scalar condition, boolean partition) {}

    /// INSERT of VALUES; each row has an expression for every column of the table.
    record InsertRows(
            Table table,
            List<List<Scalar>> rows,
            @Nullable OnConflict onConflict,
            List<ViewCheck> checks,
            @Nullable Returning returning)
            implements RowChange {}

    /// INSERT of a query.
    ///
    /// @param values for every column of the table an expression over the query's rows
    record InsertQuery(
            Table table,
            Plan source,
            List<Scalar> values,
            @Nullable OnConflict onConflict,
            List<ViewCheck> checks,
            @Nullable Returning returning)
            implements RowChange {}

    record Update(
            Table table,
            Plan.Scan scan,
            @Nullable Scalar filter,
            Plan.@Nullable Count limit,
            List<Assignment> assignments,
            List<ViewCheck> checks,
            @Nullable Returning returning)
            implements RowChange {}

    /// `column = value`.
    ///
    /// @param column position in the table
    record Assignment(int column, Scalar value) {}

    record Delete(
            Table table,
            Plan.Scan scan,
            @Nullable Scalar filter,
            Plan.@Nullable Count limit,
            @Nullable Returning returning)
            implements RowChange {}

    /// UPDATE ... FROM, DELETE ... USING and MERGE: for each row of a join the first of `actions` that applies.
    ///
    /// @param source the join; the columns of the table begin at `first`, and its row's key follows them, NULL if
    ///     no row of the table has matched
    /// @param marker position of a column of the source that is never NULL, or -1 if all rows of the join have a
    ///     row of the source
    /// @param once whether a row may be matched only once
    record Joined(
            Table table,
            Plan source,
            int first,
            int marker,
            List<Action> actions,
            boolean once,
            SqlText.Place place,
            List<ViewCheck> checks,
            @Nullable Returning returning)
            implements RowChange {}

    /// The action for a row of a join.
    ///
    record Action(Matching rows, @Nullable Scalar condition, Deed deed) {}

    sealed interface Deed {
        record Update(List<Assignment> assignments) implements Deed {}

        record Delete() implements Deed {}

        /// Adds a row.
        ///
        /// @param values for every column of the table
        record Insert(List<Scalar> values) implements Deed {}

        record Nothing() implements Deed {}
    }

    /// COPY FROM: rows of a file.
    ///
    /// @param fields the table columns of a record, in record order
    /// @param values an expression over the fields for each table column
    /// @param filled for each field, whether it is FORCE NOT NULL: the NULL text is read as a value
    /// @param emptied for each field, whether it is FORCE NULL: a quoted NULL text is NULL too
    /// @param place position of the file's name in the statement
    record CopyFrom(
            Table table,
            List<Column> fields,
            List<Scalar> values,
            Path file,
            CopyOptions options,
            List<Boolean> filled,
            List<Boolean> emptied,
            List<ViewCheck> checks,
            SqlText.Place place)
            implements RowChange {
        @Override
        public @Nullable Returning returning() {
            return null;
        }
    }

    /// A change of an external table.
    ///
    /// @param table the external table as a table
    /// @param insert the rows to insert; null for UPDATE and DELETE
    /// @param filter predicate on the rows to change; null for all
    /// @param assignments empty for DELETE
    record ExternalChange(
            ExternalTable external,
            Table table,
            @Nullable RowChange insert,
            @Nullable Scalar filter,
            List<Assignment> assignments,
            SqlText.Place place)
            implements RowChange {
        @Override
        public @Nullable Returning returning() {
            return null;
        }
    }

    /// CALL of a procedure, or DO.
    ///
    /// @param procedure null for DO
    /// @param text the body of DO; empty for a procedure
    /// @param arguments one for each parameter
    /// @param columns of the row of OUT and INOUT parameters
    /// @param given for each of these the parameter of the statement that is its argument, or -1
    record Block(
            @Nullable Procedure procedure,
            String text,
            List<Scalar> arguments,
            List<Prepared.OutputColumn> columns,
            List<Integer> given)
            implements Command {
        /// The OUT and INOUT parameters.
        public List<Prepared.Output> outputs() {
            List<Prepared.Output> outputs = new ArrayList<>();
            for (int i = 0; procedure != null && i < given.size(); i++) {
                outputs.add(
                        new Prepared.Output(given.get(i), procedure.outputs().get(i).mode().in()));
            }
            return outputs;
        }
    }

    /// A change of a view, for whose rows triggers fire.
    ///
    /// @param table the view as a table
    /// @param rows the new rows of an INSERT, the old ones of a DELETE, or both, side by side, of an UPDATE
    record Instead(Table table, Trigger.Event event, Plan rows, @Nullable Returning returning)
            implements RowChange {}

    /// A statement with changes in its WITH.
    ///
    /// @param before rows that are kept before the first change runs
    /// @param last the statement itself, a [Query] or a [RowChange]
    record Chain(List<Plan.Kept> before, List<Part> parts, Command last) implements Command {}

    /// A change in WITH.
    ///
    /// @param number under which the rows of its RETURNING are kept
    record Part(int number, String name, RowChange change) {}

    /// COPY TO: rows into a file.
    ///
    /// @param forced for each column whether it is always written in quotes
    record CopyTo(
            Plan plan,
            List<Prepared.OutputColumn> columns,
            Path file,
            CopyOptions options,
            List<Boolean> forced,
            SqlText.Place place)
            implements Command {}

    /// CREATE, ALTER, DROP and TRUNCATE: resolved when they run, against the catalog of that moment.
    ///
    /// @param parameters types of the parameters of CREATE TABLE AS; empty for other definitions
    record Definition(Statement.Definition statement, List<Type> parameters) implements Command {}

    /// Transaction control, such as BEGIN and COMMIT.
    record Control(Statement.Control statement) implements Command {}

    /// EXPLAIN of another command.
    ///
    /// @param rules notes on the planner's rules, if they were requested
    /// @param planningNanos time that binding and planning the command took
    record Explain(
            Command command,
            ExplainOptions options,
            List<String> rules,
            long planningNanos,
            List<Prepared.OutputColumn> columns)
            implements Command {}
}
