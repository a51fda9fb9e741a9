package dev.oriel.sql.bind;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.plan.Body;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Correlation;
import dev.oriel.sql.plan.ParameterTypes;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.planner.Estimate;
import dev.oriel.sql.syntax.BodyParser;
import dev.oriel.sql.syntax.BodyStatement;
import dev.oriel.sql.syntax.Expression;
import dev.oriel.sql.syntax.Parser;
import dev.oriel.sql.syntax.UserTypes;
import dev.oriel.sql.text.Nearest;
import dev.oriel.sql.text.SqlText;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.Type;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Binds the statements of a body. Each is a statement of its own, with the values of the body as parameters.
final class BodyBinder {
    private final SqlText source;
    private final Catalog catalog;
    private final ComputedTables computed;
    private final Estimate estimate;
    private final BodyValues values;

    /// Names and columns of the tables of the rows before a change and after it; empty for none.
    private String oldTable = "";

    private String newTable = "";
    private List<Column> columns = List.of();

    /// Positions of the values that the last statement gives if it returns a row.
    private List<Integer> outputs = List.of();

    /// @param catalog with the search path of the body
    BodyBinder(
            SqlText source,
            Catalog catalog,
            ComputedTables computed,
            Estimate estimate,
            BodyValues values) {
        this.source = source;
        this.catalog = catalog;
        this.computed = computed;
        this.estimate = estimate;
        this.values = values;
    }

    /// Lets the statements read all rows before a change and after it, as tables.
    void tables(String old, String fresh, List<Column> of) {
        oldTable = old;
        newTable = fresh;
        columns = of;
    }

    /// Lets the last statement give the values at `positions`, if it returns a row.
    void outputs(List<Integer> positions) {
        outputs = positions;
    }

    Body body() {
        List<Body.Step> steps = new ArrayList<>();
        List<BodyStatement> statements = statements();
        for (BodyStatement statement : statements) {
            steps.add(step(statement, steps.size() + 1 == statements.size()));
        }
        return new Body(steps);
    }

    private List<BodyStatement> statements() {
        return new BodyParser(
                        source,
                        UserTypes.of(catalog),
                        name -> computed.aggregate(name) != null,
                        name -> catalog.procedure(name) != null)
                .statements();
    }

    /// A context for one statement.
    private BindContext around(SqlText text) {
        BindContext around =
                BindContext.of(text, catalog, computed, new ParameterTypes(0), estimate);
        return around.within(new Correlation(values, around.nextNumber(), true));
    }

    private Body.Step step(BodyStatement statement, boolean last) {
        BindContext around = around(source);
        return switch (statement) {
            case BodyStatement.Run run -> {
                int old = around.nextNumber();
                int fresh = around.nextNumber();
                BindContext inside = withTable(around, oldTable, old);
                inside = withTable(inside, newTable, fresh);
                Command command = Compiler.command(inside, run.statement());
                inside.checkRead();
                yield new Body.Step.Run(
                        command,
                        old,
                        fresh,
                        last ? into(command, run.statement().position()) : List.of());
            }
            case BodyStatement.Assign assign -> assigned(around, assign);
            case BodyStatement.Signal signal -> {
                Expression written = signal.message();
                Scalar message =
                        written == null
                                ? null
                                : new ScalarBinder(around, Scope.EMPTY)
                                        .assign(written, Typing.TEXT, "The message");
                yield new Body.Step.Signal(signal.state(), message, source.at(signal.position()));
            }
            case BodyStatement.Call call -> call(around, call);
        };
    }

    private Body.Step call(BindContext around, BodyStatement.Call call) {
        Procedure procedure = catalog.procedure(call.name().path());
        if (procedure == null) {
            throw new IllegalStateException("no procedure " + call.name().name());
        }
        Command.Block block =
                new ProcedureCalls(around)
                        .bind(procedure, call.arguments(), call.name().position());
        List<Command.Assignment> into = new ArrayList<>();
        for (int i = 0; i < block.given().size(); i++) {
            int value = block.given().get(i);
            if (value >= 0 && values.value(value).writable()) {
                into.add(assigned(block.columns(), i, value, call.name().position()));
            }
        }
        int none = around.nextNumber();
        return new Body.Step.Run(block, none, none, List.copyOf(into));
    }

    /// The value at `position` from the column `i` of a row.
    private Command.Assignment assigned(
            List<Prepared.OutputColumn> row, int i, int position, int place) {
        Prepared.OutputColumn column = row.get(i);
        BodyValues.Value value = values.value(position);
        return new Command.Assignment(
                position,
                ScalarBinder.assigned(
                        new Scalar.ColumnRef(i, column.type(), column.nullable(), column.name()),
                        value.type(),
                        source.at(place),
                        "\"" + value.name() + "\""));
    }

    /// The values that the last statement gives.
    private List<Command.Assignment> into(Command command, int position) {
        List<Prepared.OutputColumn> row = Compiler.Compiled.columns(command);
        if (outputs.isEmpty() || row.isEmpty()) {
            return List.of();
        } else if (row.size() != outputs.size()) {
            throw source.error(
                    Kind.FUNCTION_DEFINITION,
                    position,
                    "The last statement returns "
                            + row.size()
                            + " columns for "
                            + outputs.size()
                            + (outputs.size() == 1 ? " result" : " results")
                            + "; return as many");
        }
        List<Command.Assignment> into = new ArrayList<>();
        for (int i = 0; i < row.size(); i++) {
            into.add(assigned(row, i, outputs.get(i), position));
        }
        return List.copyOf(into);
    }

    private BindContext withTable(BindContext around, String name, int number) {
        if (name.isEmpty()) {
            return around;
        }
        List<Type> types = columns.stream().map(Column::type).toList();
        return around.with(
                CommonTable.of(
                        name, columns, new Plan.Returned(number, name, types), around.commons()));
    }

    private Body.Step assigned(BindContext around, BodyStatement.Assign assign) {
        ScalarBinder binder = new ScalarBinder(around, Scope.EMPTY);
        List<Command.Assignment> assignments = new ArrayList<>();
        Set<Integer> seen = new HashSet<>();
        for (BodyStatement.Target target : assign.targets()) {
            int position = values.position(target.row(), target.name());
            BodyValues.Value value = position < 0 ? null : values.value(position);
            if (value == null || !value.writable()) {
                throw source.error(
                        value == null ? Kind.UNKNOWN_COLUMN : Kind.WRONG_OBJECT,
                        target.name().position(),
                        value == null
                                ? "The body has no value \""
                                        + target.name().name()
                                        + "\""
                                        + Nearest.hint(target.name().name(), writable())
                                : "\""
                                        + target.name().name()
                                        + "\" cannot be set here; SET is for the new row of a"
                                        + " trigger BEFORE it, and for OUT and INOUT parameters");
            } else if (!seen.add(position)) {
                throw source.error(
                        Kind.DUPLICATE_COLUMN,
                        target.name().position(),
                        "\"" + target.name().name() + "\" is set twice");
            }
            Column column = value.column();
            if (column != null && column.generated()) {
                throw source.error(
                        Kind.GENERATED_ALWAYS,
                        target.name().position(),
                        "Column \""
                                + column.name()
                                + "\" is always generated; set the columns from which it is computed");
            }
            String what = column == null ? "\"" + value.name() + "\"" : ChangeBinder.what(column);
            assignments.add(
                    new Command.Assignment(
                            position, binder.assign(target.value(), value.type(), what)));
        }
        return new Body.Step.Assign(List.copyOf(assignments));
    }

    private List<String> writable() {
        List<String> names = new ArrayList<>();
        for (int i = 0; i < values.count(); i++) {
            if (values.value(i).writable()) {
                names.add(values.value(i).name());
            }
        }
        return names;
    }

    /// The condition `text`; null if it is null.
    @Nullable Scalar condition(@Nullable String text) {
        if (text == null) {
            return null;
        }
        SqlText own = new SqlText(text, source.function(), source.kind());
        Expression expression = Parser.expression(own, UserTypes.of(catalog));
        return new ScalarBinder(around(own), Scope.EMPTY).condition(expression, "WHEN");
    }
}
