package dev.oriel.sql;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    /// Whether parameter `i` takes the type `type` of its value, because its context gives it none. The answer stays
    /// the same.
    ///
    /// @param i from 0
    default boolean takes(int i, Type type) {
        return false;
    }

    /// Plans the statement for values of the types `given`, if they are others than before. [#parameters()] has the
    /// types of the plan from now on, and [#values()] needs values of these.
    ///
    /// @param given the type of each value whose parameter [#takes(int, Type)] that type; null for texts, NULL and
    ///     other parameters. The list must not change
    default ValueTypes give(List<@Nullable Type> given) {
        return new ValueTypes(given, parameters());
    }

    /// Types of a plan.
    ///
    /// @param given types of values that were given; null if the context decided
    /// @param held types of all parameters
    record ValueTypes(List<@Nullable Type> given, List<Type> held) {}

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
    default long[] batch(List<? extends Row> rows) {
        return batch(rows, List.of());
    }

    /// Same as [#batch(List)], with the types given for each of the rows.
    ///
    /// @param types results of [#give]; empty if all rows have the types given last
    long[] batch(List<? extends Row> rows, List<ValueTypes> types);

    /// For each column of the row that a call of a procedure returns, its argument; empty for other statements.
    default List<Output> outputs() {
        return List.of();
    }

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

    /// An OUT or INOUT argument of a call of a procedure.
    ///
    /// @param parameter position of the parameter that it is; -1 for a value
    /// @param in whether the procedure reads it
    record Output(int parameter, boolean in) {}

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
