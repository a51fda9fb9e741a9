package dev.oriel.sql;

import dev.oriel.table.Type;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// An aggregate that a program has written in Java and named with [dev.oriel.sql.engine.Sql#add(JavaAggregate)]. It takes
/// DISTINCT, FILTER and OVER like any other.
///
/// Immutable; each group has a state of its own, which one thread uses at a time.
///
/// @param states makes the state of a group that has no rows yet
public record JavaAggregate(
        String name,
        List<JavaFunction.Parameter> parameters,
        Type result,
        Supplier<? extends State> states) {
    public JavaAggregate {
        parameters = List.copyOf(parameters);
    }

    /// A group, while its rows come in.
    public interface State {
        /// Takes in a row. Rows with NULL in a parameter that does not take it are passed over.
        ///
        /// @throws Exception for whatever reason; the statement fails then
        void add(@Nullable Object[] arguments) throws Exception;

        /// What has come out so far; rows may be added after that.
        ///
        /// @throws Exception for whatever reason; the statement fails then
        @Nullable Object result() throws Exception;
    }
}
