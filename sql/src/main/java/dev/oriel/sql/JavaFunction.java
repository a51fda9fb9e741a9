package dev.oriel.sql;

import dev.oriel.table.definition.Type;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A scalar function written in Java and registered with [dev.oriel.sql.engine.Sql#add(JavaFunction)]. It is called
/// like any other, and never evaluated before its statement runs.
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
    /// @param takesNull whether NULL is passed to the body; else a NULL argument makes the result NULL
    ///     without a call
    public record Parameter(Type type, boolean takesNull) {}

    /// The function itself.
    @FunctionalInterface
    public interface Body {
        /// The value for `arguments`, objects of the classes that [JavaObjects] gives their types.
        ///
        /// @throws Exception for any reason; the statement then fails
        @Nullable Object of(@Nullable Object[] arguments) throws Exception;
    }
}
