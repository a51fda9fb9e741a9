package dev.oriel.table.definition;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A function whose body is a query of SQL.
///
/// @param id stable number, of the numbers of tables
/// @param schema as in [Table]
/// @param parameters its parameters, in order
/// @param result columns of its result; a single value has one, without a name
/// @param returnsSet whether it returns any number of rows, not one value
/// @param body text of the language that `Expressions` understands
/// @param path schemas in which the body's names are looked up; PUBLIC is the empty one
public record SqlFunction(
        long id,
        String name,
        String schema,
        List<Parameter> parameters,
        List<Result> result,
        boolean returnsSet,
        Body body,
        Traits traits,
        List<String> path)
        implements Note {
    public SqlFunction {
        parameters = List.copyOf(parameters);
        result = List.copyOf(result);
        path = List.copyOf(path);
    }

    /// A parameter.
    ///
    /// @param name empty if it has none
    /// @param otherwise expression of its default; null if it has none
    public record Parameter(String name, Type type, @Nullable String otherwise) {}

    /// A column of the result.
    public record Result(String name, Type type) {}

    /// Text of the body.
    public record Body(Form form, String text) {}

    /// Ways of writing a body.
    public enum Form {
        /// A string. It may name objects that do not exist before the call.
        STRING,
        /// An expression after RETURN.
        RETURN,
        /// A query between BEGIN ATOMIC and END.
        ATOMIC
    }

    /// Promises about the results of a function.
    ///
    /// @param strict whether the result is NULL, or no row, if an argument is NULL
    /// @param effect effect of its statements beside computing the result
    public record Traits(boolean strict, Volatility volatility, Effect effect) {
        public Traits(boolean strict, Volatility volatility) {
            this(strict, volatility, Effect.NONE);
        }

        /// These traits with another effect.
        public Traits with(Effect other) {
            return new Traits(strict, volatility, other);
        }
    }

    /// Effect of the statements of a function.
    public enum Effect {
        /// The body is a query.
        NONE,
        /// The body has several statements or changes rows; the last statement returns the value.
        VALUE,
        /// The body has such statements and returns nothing; the value is NULL.
        VOID
    }

    /// Dependence of the results on other things than the arguments.
    public enum Volatility {
        VOLATILE,
        STABLE,
        IMMUTABLE
    }

    /// Whether a call runs statements.
    public boolean runs() {
        return traits.effect() != Effect.NONE;
    }

    /// This function with other promises.
    public SqlFunction with(Traits other) {
        return new SqlFunction(id, name, schema, parameters, result, returnsSet, body, other, path);
    }

    /// This function under another name.
    public SqlFunction withName(String other) {
        return new SqlFunction(
                id, other, schema, parameters, result, returnsSet, body, traits, path);
    }

    /// This function in another schema.
    public SqlFunction withSchema(String other) {
        return new SqlFunction(id, name, other, parameters, result, returnsSet, body, traits, path);
    }

    /// This function with another effect.
    public SqlFunction with(Effect effect) {
        return new SqlFunction(
                id, name, schema, parameters, result, returnsSet, body, traits.with(effect), path);
    }

    @Override
    public SqlFunction withId(long other) {
        return new SqlFunction(
                other, name, schema, parameters, result, returnsSet, body, traits, path);
    }

    /// This function in the schema `other`, with the schema `from` of its path renamed to `to`.
    public SqlFunction moved(String other, String from, String to) {
        List<String> renamed =
                path.stream().map(each -> each.equalsIgnoreCase(from) ? to : each).toList();
        return new SqlFunction(
                id, name, other, parameters, result, returnsSet, body, traits, renamed);
    }

    /// Types of its parameters and columns.
    public List<Type> types() {
        List<Type> types = new ArrayList<>();
        parameters.forEach(parameter -> types.add(parameter.type()));
        result.forEach(column -> types.add(column.type()));
        return types;
    }

    /// This function with the types of its parameters and columns replaced by those that `change` returns, if not null.
    public SqlFunction withTypes(Function<Type, @Nullable Type> change) {
        List<Parameter> parametersAfter = new ArrayList<>();
        for (Parameter each : parameters) {
            Type type = change.apply(each.type());
            parametersAfter.add(
                    type == null ? each : new Parameter(each.name(), type, each.otherwise()));
        }
        List<Result> resultAfter = new ArrayList<>();
        for (Result each : result) {
            Type type = change.apply(each.type());
            resultAfter.add(type == null ? each : new Result(each.name(), type));
        }
        return new SqlFunction(
                id, name, schema, parametersAfter, resultAfter, returnsSet, body, traits, path);
    }

    /// The names of its parameters and columns.
    public List<String> names() {
        List<String> names = new ArrayList<>();
        parameters.forEach(parameter -> names.add(parameter.name()));
        result.forEach(column -> names.add(column.name()));
        names.removeIf(String::isEmpty);
        return names;
    }

    /// Number of arguments that a call must have.
    public int required() {
        int required = parameters.size();
        while (required > 0 && parameters.get(required - 1).otherwise() != null) {
            required--;
        }
        return required;
    }

    /// Type of its value; of its first column if it returns rows.
    public Type type() {
        return result.getFirst().type();
    }

    /// The search path of its body.
    public SearchPath searched() {
        return path.equals(SearchPath.DEFAULT.schemas())
                ? SearchPath.DEFAULT
                : new SearchPath("", path);
    }
}
