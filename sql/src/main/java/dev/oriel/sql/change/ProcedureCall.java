package dev.oriel.sql.change;

import dev.oriel.sql.plan.Body;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.table.definition.Procedure;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A running CALL of a procedure of SQL, or DO.
final class ProcedureCall implements Change {
    private static final Tuple NOTHING = new Tuple(0);

    private final Command.Block command;
    private final Execution execution;
    private final @Nullable RowSink sink;
    private final List<Procedure.Parameter> parameters;

    ProcedureCall(Command.Block command, Execution execution, @Nullable RowSink sink) {
        this.command = command;
        this.execution = execution;
        this.sink = sink;
        Procedure procedure = command.procedure();
        this.parameters = procedure == null ? List.of() : procedure.parameters();
    }

    @Override
    public long run() {
        StatementTriggers.checkDepth(execution);
        Procedure procedure = command.procedure();
        Body body =
                procedure == null
                        ? execution
                                .bodies()
                                .block(command.text(), execution.transaction().catalog())
                        : execution
                                .bodies()
                                .procedure(procedure, execution.transaction().catalog());
        Tuple values = values();
        new BodyRun(body, values, execution, false).run();
        if (sink != null) {
            sink.add(outputs(values));
        }
        return 0;
    }

    private Tuple values() {
        Tuple values = new Tuple(parameters.size());
        Frame frame = new Frame(execution, NOTHING);
        for (int i = 0; i < parameters.size(); i++) {
            Scalar argument = command.arguments().get(i);
            if (parameters.get(i).mode().in()) {
                argument.store(values, i, frame);
            } else {
                values.setNull(i);
            }
        }
        return values;
    }

    private Tuple outputs(Tuple values) {
        Tuple row = new Tuple(command.columns().size());
        int next = 0;
        for (int i = 0; i < parameters.size(); i++) {
            if (parameters.get(i).mode().out()) {
                Type.Shape shape = parameters.get(i).type().shape();
                row.copy(next++, values, i, shape);
            }
        }
        return row;
    }
}
