package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Conversion;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.NamedArguments;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.SearchPath;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Binds calls of procedures of SQL.
final class ProcedureCalls {
    private final BindContext around;
    private final SqlText source;
    private final Catalog catalog;

    ProcedureCalls(BindContext around) {
        this.around = around;
        this.source = around.source();
        this.catalog = around.binding().catalog();
    }

    /// The call that `query` stands for, if it is CALL of a procedure of SQL; else null.
    Command.@Nullable Block bind(Statement.Query query) {
        if (!(query instanceof Statement.Select select)
                || !(select.from() instanceof From.Computed computed)
                || !computed.call()) {
            return null;
        }
        Statement.Identifier schema = computed.schema();
        String name = computed.name().name();
        Procedure procedure =
                catalog.procedure(schema == null ? name : SearchPath.named(schema.name(), name));
        List<Expression> arguments = computed.arguments();
        return procedure == null
                ? null
                : bind(procedure, arguments == null ? List.of() : arguments, computed.position());
    }

    /// A call of `procedure`.
    Command.Block bind(Procedure procedure, List<Expression> written, int position) {
        @Nullable Expression[] ordered = ordered(procedure, written, position);
        List<Scalar> arguments = new ArrayList<>();
        List<Integer> given = new ArrayList<>();
        List<Prepared.OutputColumn> columns = new ArrayList<>();
        ScalarBinder binder = new ScalarBinder(around, Scope.EMPTY);
        for (int i = 0; i < ordered.length; i++) {
            Procedure.Parameter parameter = procedure.parameters().get(i);
            Expression argument = ordered[i];
            Scalar value =
                    argument == null
                            ? otherwise(procedure, parameter)
                            : binder.assign(argument, parameter.type(), what(parameter));
            if (parameter.mode().out()) {
                String name = parameter.name().isEmpty() ? "column" + (i + 1) : parameter.name();
                columns.add(new Prepared.OutputColumn(name, parameter.type(), true, ""));
                given.add(value(value) instanceof Scalar.ParameterRef ref ? ref.index() : -1);
            }
            arguments.add(value);
        }
        return new Command.Block(
                procedure, "", List.copyOf(arguments), List.copyOf(columns), List.copyOf(given));
    }

    /// `scalar` without a conversion around it.
    private static Scalar value(Scalar scalar) {
        return scalar instanceof Conversion conversion ? conversion.operand() : scalar;
    }

    private static String what(Procedure.Parameter parameter) {
        return "Argument \"" + parameter.name() + "\"";
    }

    private Scalar otherwise(Procedure procedure, Procedure.Parameter parameter) {
        SqlText text =
                new SqlText(String.valueOf(parameter.otherwise()), procedure.name(), "procedure");
        BindContext inside =
                new BindContext(
                        around.binding().inside(text, catalog.seenBy(procedure.searched()), null),
                        null,
                        null);
        return new ScalarBinder(inside, Scope.EMPTY)
                .assign(
                        Parser.expression(text, UserTypes.of(catalog)),
                        parameter.type(),
                        what(parameter));
    }

    private @Nullable Expression[] ordered(
            Procedure procedure, List<Expression> written, int position) {
        List<Procedure.Parameter> parameters = procedure.parameters();
        @Nullable Expression[] ordered = new @Nullable Expression[parameters.size()];
        if (written.size() > parameters.size()) {
            throw count(procedure, written.size(), position);
        }
        for (int i = 0; i < written.size(); i++) {
            String name = NamedArguments.name(written.get(i));
            int at = name == null ? i : place(parameters, name);
            if (at < 0 || ordered[at] != null) {
                throw source.error(
                        Kind.UNKNOWN_FUNCTION,
                        written.get(i).position(),
                        "Procedure \""
                                + procedure.name()
                                + "\" has no other parameter \""
                                + name
                                + "\"");
            }
            ordered[at] = NamedArguments.value(written.get(i));
        }
        for (int i = 0; i < ordered.length; i++) {
            if (ordered[i] == null && parameters.get(i).otherwise() == null) {
                throw count(procedure, written.size(), position);
            }
        }
        return ordered;
    }

    private static int place(List<Procedure.Parameter> parameters, String name) {
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).name().equalsIgnoreCase(name)) {
                return i;
            }
        }
        return -1;
    }

    private RuntimeException count(Procedure procedure, int given, int position) {
        int most = procedure.parameters().size();
        int least = procedure.required();
        return source.error(
                Kind.UNKNOWN_FUNCTION,
                position,
                "Procedure \""
                        + procedure.name()
                        + "\" takes "
                        + (least == most ? most : least + " to " + most)
                        + (most == 1 ? " argument" : " arguments")
                        + ", not "
                        + given
                        + "; give OUT parameters one too, such as NULL");
    }
}
