package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.NamedArguments;
import dev.oriel.sql.text.Nearest;
import dev.oriel.table.definition.SqlFunction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The arguments of a function of SQL, which may have the names of its parameters.
final class FunctionArguments {
    private FunctionArguments() {}

    /// The argument for each parameter of `function`; null to take its default.
    static @Nullable Expression[] ordered(
            List<Expression> written, SqlFunction function, ScalarBinder scalars) {
        List<SqlFunction.Parameter> parameters = function.parameters();
        @Nullable Expression[] ordered = new @Nullable Expression[parameters.size()];
        for (int i = 0; i < written.size(); i++) {
            Expression argument = written.get(i);
            String name = NamedArguments.name(argument);
            int at = name == null ? i : position(parameters, name);
            if (at < 0 || ordered[at] != null) {
                List<String> names = parameters.stream().map(SqlFunction.Parameter::name).toList();
                throw scalars.source()
                        .error(
                                Kind.UNKNOWN_FUNCTION,
                                argument.position(),
                                FunctionLookup.signature(function)
                                        + " has no other argument \""
                                        + name
                                        + "\""
                                        + (at < 0
                                                ? Nearest.hint(String.valueOf(name), names)
                                                : ""));
            }
            ordered[at] = NamedArguments.value(argument);
        }
        for (int i = 0; i < ordered.length; i++) {
            if (ordered[i] == null && parameters.get(i).otherwise() == null) {
                throw scalars.source()
                        .error(
                                Kind.UNKNOWN_FUNCTION,
                                written.getFirst().position(),
                                FunctionLookup.signature(function)
                                        + " needs its argument \""
                                        + parameters.get(i).name()
                                        + "\"");
            }
        }
        return ordered;
    }

    private static int position(List<SqlFunction.Parameter> parameters, String name) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }
}
