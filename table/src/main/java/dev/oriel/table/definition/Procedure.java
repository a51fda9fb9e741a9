package dev.oriel.table.definition;

import java.util.List;
import org.jspecify.annotations.Nullable;

/// A procedure whose body is statements of SQL.
///
/// @param id stable number, of the numbers of tables
/// @param schema as in [Table]
/// @param parameters its parameters, in order
/// @param body text of the language that the layer above understands
/// @param path schemas in which the body's names are looked up; PUBLIC is the empty one
public record Procedure(
        long id,
        String name,
        String schema,
        List<Parameter> parameters,
        SqlFunction.Body body,
        List<String> path)
        implements Note {
    public Procedure {
        parameters = List.copyOf(parameters);
        path = List.copyOf(path);
    }

    /// A parameter.
    ///
    /// @param name empty if it has none
    /// @param otherwise expression of its default; null if it has none
    public record Parameter(String name, Mode mode, Type type, @Nullable String otherwise) {}

    /// Direction of a parameter.
    public enum Mode {
        IN,
        INOUT,
        OUT;

        /// Whether a call gives it a value.
        public boolean in() {
            return this != OUT;
        }

        /// Whether a call returns its value.
        public boolean out() {
            return this != IN;
        }
    }

    @Override
    public Procedure withId(long other) {
        return new Procedure(other, name, schema, parameters, body, path);
    }

    /// This procedure under another name.
    public Procedure withName(String other) {
        return new Procedure(id, other, schema, parameters, body, path);
    }

    /// This procedure in another schema.
    public Procedure withSchema(String other) {
        return new Procedure(id, name, other, parameters, body, path);
    }

    /// This procedure in the schema `other`, with the schema `from` of its path renamed to `to`.
    public Procedure moved(String other, String from, String to) {
        List<String> renamed =
                path.stream().map(each -> each.equalsIgnoreCase(from) ? to : each).toList();
        return new Procedure(id, name, other, parameters, body, renamed);
    }

    /// Number of arguments that a call must have.
    public int required() {
        int required = parameters.size();
        while (required > 0 && parameters.get(required - 1).otherwise() != null) {
            required--;
        }
        return required;
    }

    /// The parameters whose values a call returns.
    public List<Parameter> outputs() {
        return parameters.stream().filter(parameter -> parameter.mode().out()).toList();
    }

    /// The search path of its body.
    public SearchPath searched() {
        return path.equals(SearchPath.DEFAULT.schemas())
                ? SearchPath.DEFAULT
                : new SearchPath("", path);
    }
}
