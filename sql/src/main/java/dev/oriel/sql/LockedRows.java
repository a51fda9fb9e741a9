package dev.oriel.sql;

import dev.oriel.store.Slice;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.ArrayList;
import java.util.List;

/// A running SELECT ... FOR UPDATE: locks each row as it is found.
final class LockedRows implements Change {
    private final Operator rows;
    private final RowSink sink;

    /// @param sink takes the rows
    LockedRows(Command.LockingQuery query, Execution execution, RowSink sink) {
        Operator locked = new LockOperator(query, Operator.of(query.plan(), execution), execution);
        this.rows =
                query.limit() == null && query.offset() == null
                        ? locked
                        : new LimitOperator(
                                locked,
                                new Plan.Limit(
                                        query.plan(), query.limit(), query.offset(), List.of()),
                                execution);
        this.sink = sink;
    }

    /// A sink for the columns that are returned.
    static RowSink sink(Command.LockingQuery query, Execution execution) {
        List<Type> types = query.plan().types();
        List<Scalar> columns = new ArrayList<>();
        for (int i = 0; i < query.visible(); i++) {
            columns.add(new Scalar.ColumnRef(i, types.get(i), true, query.columns().get(i).name()));
        }
        return new RowSink(columns, execution);
    }

    @Override
    public long run() {
        long found = 0;
        rows.open();
        try {
            while (rows.next()) {
                sink.add(rows.row());
                found++;
            }
        } finally {
            rows.close();
        }
        return found;
    }

    /// Passes on the rows that it could lock.
    static final class LockOperator implements Operator {
        private final Command.LockingQuery query;
        private final Operator input;
        private final Execution execution;
        private final CurrentRow row = new CurrentRow();
        private final Type.Shape[] shapes;

        LockOperator(Command.LockingQuery query, Operator input, Execution execution) {
            this.query = query;
            this.input = input;
            this.execution = execution;
            this.shapes = query.plan().types().stream().map(Type::shape).toArray(Type.Shape[]::new);
        }

        @Override
        public void open() {
            input.open();
        }

        @Override
        public boolean next() {
            while (input.next()) {
                execution.poll();
                // A lock may wait, and a copy is read after it.
                Tuple copy = KeptRows.copy(input.row(), shapes);
                if (lock(copy)) {
                    row.set(copy);
                    return true;
                }
            }
            return false;
        }

        private boolean lock(Row found) {
            Wait patience = execution.transaction().patience();
            Wait wait = new Wait(query.waiting(), patience.timeoutMillis());
            for (int i = 0; i < query.locked().size(); i++) {
                byte[] key = found.bytesAt(query.visible() + i);
                if (key != null
                        && !execution
                                .transaction()
                                .lock(
                                        query.locked().get(i),
                                        Slice.copyOf(key),
                                        query.mode(),
                                        wait)) {
                    return false;
                }
            }
            return true;
        }

        @Override
        public Row row() {
            return row;
        }

        @Override
        public void close() {
            input.close();
        }
    }
}
