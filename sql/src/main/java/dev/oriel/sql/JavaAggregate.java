package dev.oriel.sql;

import dev.oriel.table.definition.Type;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An aggregate written in Java and registered with [dev.oriel.sql.engine.Sql#add(JavaAggregate)]. It takes
/// DISTINCT, FILTER and OVER like any other.
///
/// Immutable; each group has a state of its own, which one thread uses at a time.
///
/// @param states creates the state of a group without rows
public record JavaAggregate(
        String name,
        List<JavaFunction.Parameter> parameters,
        Type result,
        Supplier<? extends State> states) {
    public JavaAggregate {
        parameters = List.copyOf(parameters);
    }

    /// The state of a group while rows are added.
    public interface State {
        /// Adds a row. Rows with NULL in a parameter that does not take it are skipped.
        ///
        /// @throws Exception for any reason; the statement then fails
        void add(@Nullable Object[] arguments) throws Exception;

        /// The result of the rows added so far; more rows may follow.
        ///
        /// @throws Exception for any reason; the statement then fails
        @Nullable Object result() throws Exception;
    }
}
