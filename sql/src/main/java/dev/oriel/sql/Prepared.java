package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.List;

/// A statement with a plan, to be run again and again by its session. It plans itself anew when a
/// definition has changed. One result is open at a time: running it again closes the last one.
public interface Prepared extends AutoCloseable {
    /// Whether it returns rows.
    boolean isQuery();

    /// The result's columns; empty where it returns no rows.
    List<OutputColumn> columns();

    /// The types that the parameters are read as, in order of appearance.
    List<Type> parameters();

    /// The type of parameter `i` with the labels that its enumeration has by now, which may be others than when the
    /// statement was prepared.
    ///
    /// @param i from 0
    default Type currentParameter(int i) {
        return parameters().get(i);
    }

    /// The parameters' values, to be filled before each run, each with the shape of its type.
    Tuple values();

    /// Runs a query.
    Result query();

    /// Runs anything else.
    ///
    /// @return rows inserted, updated or deleted; 0 for definitions and transaction control
    long update();

    /// Runs an INSERT, UPDATE or DELETE once for each of `rows`, as one statement: all or nothing.
    ///
    /// @return what each of them changed
    long[] batch(List<? extends Row> rows);

    /// The columns of [#generatedKeys()]; empty unless the statement was prepared to return them.
    List<OutputColumn> keyColumns();

    /// The columns that were asked for when the statement was prepared, of the rows that its last run
    /// has changed. To be taken once.
    Result generatedKeys();

    /// Warnings of its last run; most runs have none.
    List<String> warnings();

    /// Operators of the plan, one a line, as EXPLAIN prints them.
    String explain();

    @Override
    void close();

    /// A column of a result.
    ///
    /// @param name as the query names it
    record OutputColumn(String name, Type type, boolean nullable, String table) {}

    /// The rows of a query, one at a time; the result is the row it stands on. `next` and the
    /// readers allocate nothing but the values returned.
    interface Result extends Row, AutoCloseable {
        boolean next();

        @Override
        void close();
    }
}
