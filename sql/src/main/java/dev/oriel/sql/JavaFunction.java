package dev.oriel.sql;

import dev.oriel.table.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A function of one row that a program has written in Java and named with [dev.oriel.sql.engine.Sql#add(JavaFunction)].
/// It is called like any other, and never evaluated before its statement runs.
///
/// Immutable; the body may be called by any number of threads at a time.
///
/// @param result any type that [JavaObjects] has a class for
public record JavaFunction(String name, List<Parameter> parameters, Type result, Body body) {
    public JavaFunction {
        parameters = List.copyOf(parameters);
    }

    /// A parameter.
    ///
    /// @param takesNull whether the body wants to see NULL; else the result is NULL where it is, and the
    ///     body is not called
    public record Parameter(Type type, boolean takesNull) {}

    /// The function itself.
    @FunctionalInterface
    public interface Body {
        /// The value for `arguments`, objects of the classes that [JavaObjects] gives their types.
        ///
        /// @throws Exception for whatever reason; the statement fails then
        @Nullable Object of(@Nullable Object[] arguments) throws Exception;
    }
}
