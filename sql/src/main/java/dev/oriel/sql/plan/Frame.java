package dev.oriel.sql.plan;

import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Catalog;
import dev.oriel.table.definition.SqlFunction;
import dev.oriel.table.value.Row;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The evaluation context of an expression: the current row of an operator, and its execution. An operator makes
/// its frames once and keeps them; the row is a view that moves.
public final class Frame {
    private final Execution execution;
    private final Row row;

    /// Set by every evaluation of a LONG or DOUBLE shape: whether its value was NULL.
    public boolean isNull;

    /// The value of the previous link in an [OperatorChain]; null before the first.
    private OperatorChain.@Nullable Value prior;

    public Frame(Execution execution, Row row) {
        this.execution = execution;
        this.row = row;
    }

    /// A frame for expressions that read nothing but `row`. Its time zone is UTC.
    public static Frame alone(Row row) {
        return new Frame(Folding.NO_EXECUTION, row);
    }

    OperatorChain.Value prior() {
        OperatorChain.Value value = prior;
        if (value == null) {
            value = new OperatorChain.Value();
            prior = value;
        }
        return value;
    }

    Row row() {
        return row;
    }

    Row parameters() {
        return execution.parameters();
    }

    /// The arguments of the inner query `number`.
    Row arguments(int number) {
        return execution.arguments(number);
    }

    /// The catalog that the statement sees as it runs.
    public Catalog catalog() {
        return execution().transaction().catalog();
    }

    /// The time zone of the session.
    public Zone zone() {
        return execution.zone();
    }

    /// The value of a call of `function`, which runs statements.
    ///
    /// @param arguments as in [Bodies#call]
    public @Nullable Object call(SqlFunction function, List<Scalar> arguments, boolean unfinished) {
        return execution.bodies().call(function, arguments, this, execution, unfinished);
    }

    Execution execution() {
        return execution;
    }

    /// The moment at which the statement began, in microseconds since 1970.
    public long nowMicros() {
        return execution.nowMicros();
    }

    long clockMicros() {
        return execution.clockMicros();
    }
}
