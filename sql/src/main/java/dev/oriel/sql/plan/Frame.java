package dev.oriel.sql.plan;

import dev.oriel.table.Row;

/// What an expression is evaluated against: the row an operator stands on, and the execution that
/// it is part of. An operator makes its frames once and keeps them; the row is a view that moves.
public final class Frame {
    private final Execution execution;
    private final Row row;

    /// Set by every evaluation of a LONG or DOUBLE shape: whether its value was NULL.
    public boolean isNull;

    public Frame(Execution execution, Row row) {
        this.execution = execution;
        this.row = row;
    }

    /// A frame for expressions that read nothing but `row`.
    public static Frame alone(Row row) {
        return new Frame(Folding.NO_EXECUTION, row);
    }

    Row row() {
        return row;
    }

    Row parameters() {
        return execution.parameters();
    }

    /// What the inner query `number` was given.
    Row arguments(int number) {
        return execution.arguments(number);
    }

    Execution execution() {
        return execution;
    }

    long nowMicros() {
        return execution.nowMicros();
    }

    long clockMicros() {
        return execution.clockMicros();
    }
}
