package dev.oriel.sql.change;

import dev.oriel.sql.SqlException;
import dev.oriel.sql.plan.Body;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.sql.run.Operator;
import dev.oriel.table.Unsettled;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A body that runs any number of times, with the same values, which may change in between.
final class BodyRun {
    private static final Tuple NOTHING = new Tuple(0);

    private final Tuple values;
    private final Execution around;
    private final List<StepRun> steps = new ArrayList<>();

    /// @param values its values
    /// @param around of the statement that runs it
    /// @param unfinished whether that has not yet changed all of its rows
    BodyRun(Body body, Tuple values, Execution around, boolean unfinished) {
        this.values = values;
        this.around = around;
        for (Body.Step step : body.steps()) {
            steps.add(new StepRun(step, around.nested(values, unfinished)));
        }
    }

    /// Runs all steps.
    void run() {
        run(null);
    }

    /// Runs all steps.
    ///
    /// @param rows tables of a trigger; null if it reads none
    void run(@Nullable TransitionRows rows) {
        for (StepRun step : steps) {
            around.poll();
            step.run(rows);
        }
    }

    /// A statement of the body.
    private final class StepRun {
        private final Body.Step step;
        private final Execution execution;
        private @Nullable Change change;
        private @Nullable RowSink sink;
        private @Nullable Operator operator;

        StepRun(Body.Step step, Execution execution) {
            this.step = step;
            this.execution = execution;
        }

        void run(@Nullable TransitionRows rows) {
            execution.start(around.transaction());
            execution.parameters(values);
            try {
                Unsettled unsettled = around.transaction().unsettled();
                if (unsettled.hidesRows()) {
                    HiddenRows.check(step, unsettled);
                }
                switch (step) {
                    case Body.Step.Run run -> {
                        if (rows != null) {
                            rows.lend(execution, run.old(), run.fresh());
                        }
                        run(run.command(), run.into());
                    }
                    case Body.Step.Assign assign -> assign(assign);
                    case Body.Step.Signal signal -> throw raised(signal);
                }
            } finally {
                execution.release();
            }
        }

        private void run(Command command, List<Command.Assignment> into) {
            if (command instanceof Command.Query query) {
                Operator rows = operator;
                if (rows == null) {
                    rows = Operator.ofWhole(query.plan(), execution);
                    operator = rows;
                }
                rows.open();
                try {
                    boolean first = true;
                    while (rows.next()) {
                        execution.poll();
                        if (first) {
                            give(into, rows.row());
                            first = false;
                        }
                    }
                } finally {
                    rows.close();
                }
                return;
            }
            Change running = change;
            if (running == null) {
                sink = RowSink.ofCommand(command, execution);
                running = Change.of(command, execution, sink);
                if (running == null) {
                    throw new IllegalStateException(command + " stands in no body");
                }
                change = running;
            }
            TemporaryChanges.check(command, execution);
            if (sink != null) {
                sink.begin();
            }
            try {
                var _ = StatementTriggers.run(running, execution);
                if (sink != null && !into.isEmpty()) {
                    RowSpool.Reader returned = sink.take().reader();
                    Tuple row = returned.next();
                    if (row != null) {
                        give(into, row);
                    }
                    returned.close();
                }
            } finally {
                if (sink != null) {
                    sink.begin();
                }
            }
        }

        /// Gives values of the body the values of `row`.
        private void give(List<Command.Assignment> into, Row row) {
            Frame frame = new Frame(execution, row);
            for (Command.Assignment each : into) {
                each.value().store(values, each.column(), frame);
            }
        }

        private void assign(Body.Step.Assign assign) {
            Frame frame = new Frame(execution, NOTHING);
            Tuple next = new Tuple(values.columns());
            for (Command.Assignment each : assign.values()) {
                each.value().store(next, each.column(), frame);
            }
            for (Command.Assignment each : assign.values()) {
                values.copy(each.column(), next, each.column(), each.value().type().shape());
            }
        }

        private SqlException raised(Body.Step.Signal signal) {
            Scalar message = signal.message();
            String text = message == null ? null : message.evalText(new Frame(execution, NOTHING));
            return new SqlException(
                    signal.state(),
                    text == null ? "A statement has raised " + signal.state() : text);
        }
    }
}
