package dev.oriel.sql.run;

import dev.oriel.sql.measure.Analysis;
import dev.oriel.table.value.Row;

/// An operator whose calls are reported to an [Analysis]. It stands between two operators of a statement that
/// EXPLAIN ANALYZE runs, and nowhere else.
public final class MeasuredOperator implements Operator {
    private final Operator measured;
    private final Analysis analysis;
    private final Analysis.Node node;

    MeasuredOperator(Operator measured, Analysis analysis, Object key) {
        this.measured = measured;
        this.analysis = analysis;
        this.node = analysis.node(key, measured.getClass());
    }

    /// The operator being measured.
    Operator measured() {
        return measured;
    }

    @Override
    public void open() {
        Analysis.Node before = analysis.enter(node);
        try {
            node.opens++;
            measured.open();
        } finally {
            analysis.leave(before);
        }
    }

    @Override
    public boolean next() {
        Analysis.Node before = analysis.enter(node);
        boolean found = false;
        try {
            node.calls++;
            found = measured.next();
            return found;
        } finally {
            analysis.leave(before);
            if (found) {
                node.rows++;
                if (node.rows == 1) {
                    node.firstRowNanos = analysis.sinceBegin();
                }
            }
        }
    }

    @Override
    public Row row() {
        return measured.row();
    }

    @Override
    public void close() {
        Analysis.Node before = analysis.enter(node);
        try {
            node.memoryBytes = Math.max(node.memoryBytes, measured.memoryBytes());
            node.putAsideBytes = Math.max(node.putAsideBytes, measured.putAsideBytes());
            measured.close();
        } finally {
            analysis.leave(before);
        }
    }
}
