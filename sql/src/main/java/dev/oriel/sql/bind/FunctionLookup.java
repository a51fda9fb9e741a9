package dev.oriel.sql.bind;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// Finds functions of SQL that users have defined.
final class FunctionLookup {
    private final BindContext around;

    FunctionLookup(BindContext around) {
        this.around = around;
    }

    /// The function that `call` means; null if there is none of its name.
    @Nullable SqlFunction find(Expression.Call call) {
        return find(call.name(), call.position(), call.arguments().size());
    }

    /// The function that `call` means if it returns rows; null if it does not, or is not certain.
    @Nullable SqlFunction rows(Expression.Call call) {
        if (call.extras() != null || call.distinct() || call.star()) {
            return null;
        }
        int given = call.arguments().size();
        SqlFunction found = null;
        for (SqlFunction each : around.binding().catalog().functions(call.name())) {
            if (each.required() <= given && given <= each.parameters().size()) {
                if (!each.returnsSet() || found != null) {
                    return null;
                }
                found = each;
            }
        }
        return found;
    }

    /// The function that `from` calls; null if there is none of its name.
    @Nullable SqlFunction find(Statement.From.Computed from) {
        List<Expression> arguments = from.arguments();
        Statement.Identifier schema = from.schema();
        String name = from.name().name();
        return arguments == null || from.call()
                ? null
                : find(
                        schema == null ? name : SearchPath.named(schema.name(), name),
                        from.name().position(),
                        arguments.size());
    }

    private @Nullable SqlFunction find(String name, int position, int arguments) {
        List<SqlFunction> named = around.binding().catalog().functions(name);
        List<SqlFunction> fitting =
                named.stream()
                        .filter(each ->
                                each.required() <= arguments
                                        && arguments <= each.parameters().size())
                        .toList();
        if (named.isEmpty()) {
            return null;
        } else if (fitting.size() == 1) {
            spell(name, position, fitting.getFirst());
            return fitting.getFirst();
        }
        String called = name.replace('\0', '.');
        throw fitting.isEmpty()
                ? around.source()
                        .error(
                                Kind.UNKNOWN_FUNCTION,
                                position,
                                "No function \""
                                        + called
                                        + "\" takes "
                                        + arguments
                                        + (arguments == 1 ? " argument" : " arguments")
                                        + "; there is "
                                        + listed(named))
                : around.source()
                        .error(
                                Kind.AMBIGUOUS_FUNCTION,
                                position,
                                "Function \""
                                        + called
                                        + "\" is ambiguous: it may be "
                                        + listed(fitting)
                                        + "; write the arguments that have defaults too");
    }

    /// Reports the schema of `function` if a view definition is being expanded.
    private void spell(String name, int position, SqlFunction function) {
        ViewDeparser spelled = around.binding().spelled();
        if (spelled != null && name.indexOf('\0') < 0 && !function.schema().isEmpty()) {
            spelled.function(position, function.schema());
        }
    }

    /// The error that an argument of `function` has a wrong type.
    static SqlException unfit(
            ScalarBinder scalars, SqlFunction function, List<String> types, int position) {
        return scalars.source()
                .error(
                        Kind.UNKNOWN_FUNCTION,
                        position,
                        "There is no function \""
                                + function.name()
                                + "\" for ("
                                + String.join(", ", types)
                                + "); there is "
                                + signature(function)
                                + ": cast the arguments");
    }

    private static String listed(List<SqlFunction> functions) {
        return functions.stream()
                .map(FunctionLookup::signature)
                .collect(Collectors.joining(" or "));
    }

    /// `function` with its parameters.
    static String signature(SqlFunction function) {
        return function.name()
                + function.parameters().stream()
                        .map(each -> (each.name() + " " + each.type()).strip())
                        .collect(Collectors.joining(", ", "(", ")"));
    }
}
