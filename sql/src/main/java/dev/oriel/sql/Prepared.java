package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.List;

/// A statement with a plan, for repeated runs by its session. It is replanned after a change of definitions. One
/// result is open at a time: another run closes the last one.
public interface Prepared extends AutoCloseable {
    /// Whether it returns rows.
    boolean isQuery();

    /// The result's columns; empty if it returns no rows.
    List<OutputColumn> columns();

    /// The types of the parameters, in order of appearance.
    List<Type> parameters();

    /// The type of parameter `i` with the current labels of its enumeration, which may have changed since the
    /// statement was prepared.
    ///
    /// @param i from 0
    default Type currentParameter(int i) {
        return parameters().get(i);
    }

    /// The values of the parameters, to be filled before each run; each has the shape of its type.
    Tuple values();

    /// Runs a query.
    Result query();

    /// Runs any other statement.
    ///
    /// @return rows inserted, updated or deleted; 0 for definitions and transaction control
    long update();

    /// Runs an INSERT, UPDATE or DELETE once for each of `rows`, as one atomic statement.
    ///
    /// @return number of rows changed by each of them
    long[] batch(List<? extends Row> rows);

    /// The columns of [#generatedKeys()]; empty unless the statement was prepared to return them.
    List<OutputColumn> keyColumns();

    /// The columns requested at preparation, of the rows changed by the last run. Can be taken once.
    Result generatedKeys();

    /// Warnings of its last run; most runs have none.
    List<String> warnings();

    /// The operators of the plan, one per line, as EXPLAIN prints them.
    String explain();

    @Override
    void close();

    /// A column of a result.
    ///
    /// @param name its name in the query
    record OutputColumn(String name, Type type, boolean nullable, String table) {}

    /// A cursor over the rows of a query; it is itself the current row. `next` and the getters allocate nothing but
    /// the values returned.
    interface Result extends Row, AutoCloseable {
        boolean next();

        @Override
        void close();
    }
}
