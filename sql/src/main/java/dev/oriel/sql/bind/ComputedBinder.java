package dev.oriel.sql.bind;

import dev.oriel.sql.ComputedTable;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Function;
import dev.oriel.sql.syntax.Statement;
import dev.oriel.sql.syntax.Statement.From;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.SearchPath;
import dev.oriel.table.definition.SqlFunction;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Finds the [ComputedTable] that a FROM or a CALL names, and binds its arguments.
final class ComputedBinder {
    private final BindContext around;
    private final SqlText source;

    ComputedBinder(BindContext around) {
        this.around = around;
        this.source = around.source();
    }

    Plan.Computed bind(From.Computed from) {
        ComputedTable table = find(from);
        if (table.acts() != from.call()) {
            throw source.error(
                    Kind.WRONG_STATEMENT_KIND,
                    from.name().position(),
                    table.acts()
                            ? table.qualifiedName() + " has effects: run it by CALL"
                            : table.qualifiedName() + " has no effects: read it with SELECT");
        }
        List<Expression> given = from.arguments();
        if (given == null && !table.parameters().isEmpty()) {
            throw count(table, from, 0);
        }
        if (given != null && given.size() > table.parameters().size()) {
            throw count(table, from, given.size());
        }
        ScalarBinder binder = new ScalarBinder(around, Scope.EMPTY);
        List<Scalar> arguments = new ArrayList<>();
        for (int i = 0; given != null && i < given.size(); i++) {
            Column parameter = table.parameters().get(i);
            arguments.add(
                    binder.assign(
                            given.get(i),
                            parameter.type(),
                            "Argument \"" + parameter.name() + "\""));
        }
        return new Plan.Computed(table, List.copyOf(arguments));
    }

    /// A query of the value of `from`, called `name`, if that is a function of one value; else null.
    Statement.@Nullable Query ofValue(From.Computed from, Statement.Identifier name) {
        List<Expression> arguments = from.arguments();
        Statement.Identifier schema = from.schema();
        String called = from.name().name();
        boolean own = schema == null || schema.name().equalsIgnoreCase(PgCatalog.NAME);
        SqlFunction function = new FunctionLookup(around).find(from);
        boolean known =
                Function.of(called) != null || around.binding().computed().function(called) != null;
        if (function != null && arguments != null) {
            String path = schema == null ? called : SearchPath.named(schema.name(), called);
            Expression call = new Expression.Call(from.name().position(), path, arguments);
            return CompositeBinder.is(function.type()) ? starred(call) : select(call, name);
        }
        if (arguments == null
                || from.call()
                || !own
                || !known
                || around.binding().computed().find(called) != null) {
            return null;
        }
        Expression call = new Expression.Call(from.position(), called, arguments);
        return Function.of(called) == Function.JSON_POPULATE_RECORD
                ? starred(call)
                : select(call, name);
    }

    /// The attributes of a composite value.
    private static Statement.Query starred(Expression value) {
        int position = value.position();
        Expression all =
                new Expression.Literal(
                        position, Expression.Literal.Kind.STRING, Expression.Name.ALL);
        return select(
                new Expression.Call(position, Function.ATTRIBUTE.called(), List.of(value, all)),
                null);
    }

    private static Statement.Query select(Expression value, Statement.@Nullable Identifier name) {
        return new Statement.Select(
                value.position(),
                false,
                List.of(new Statement.Item.Value(value, name)),
                null,
                null,
                List.of(),
                null,
                List.of(),
                null,
                Statement.Tail.NONE);
    }

    private SqlException count(ComputedTable table, From.Computed from, int given) {
        List<String> parameters = new ArrayList<>();
        table.parameters().forEach(column -> parameters.add(column.name() + " " + column.type()));
        return source.error(
                Kind.PARAMETER_COUNT,
                from.name().position(),
                given == 0
                        ? table.qualifiedName()
                                + " is a function: write "
                                + table.name()
                                + "("
                                + String.join(", ", parameters)
                                + ")"
                        : table.qualifiedName()
                                + " takes at most "
                                + parameters.size()
                                + " arguments ("
                                + String.join(", ", parameters)
                                + "), not "
                                + given);
    }

    private ComputedTable find(From.Computed from) {
        ComputedTables all = around.binding().computed();
        Statement.@Nullable Identifier schema = from.schema();
        String name = from.name().name();
        ComputedTable found = schema == null ? all.find(name) : all.find(schema.name(), name);
        if (found != null) {
            return found;
        }
        if (schema != null && all.schemas().stream().noneMatch(schema.name()::equalsIgnoreCase)) {
            throw source.error(
                    Kind.UNKNOWN_TABLE,
                    schema.position(),
                    "There is no schema \""
                            + schema.name()
                            + "\""
                            + Nearest.hint(schema.name(), all.schemas()));
        }
        List<String> names = new ArrayList<>();
        for (ComputedTable table : all.all()) {
            if (schema == null
                    ? !table.parameters().isEmpty()
                    : table.schema().equalsIgnoreCase(schema.name())) {
                names.add(table.name());
            }
        }
        String what = from.arguments() == null ? "table" : from.call() ? "procedure" : "function";
        throw source.error(
                from.arguments() == null ? Kind.UNKNOWN_TABLE : Kind.UNKNOWN_FUNCTION,
                from.name().position(),
                "There is no "
                        + what
                        + " \""
                        + (schema == null ? name : schema.name() + "." + name)
                        + "\""
                        + Nearest.hint(name, names));
    }
}
