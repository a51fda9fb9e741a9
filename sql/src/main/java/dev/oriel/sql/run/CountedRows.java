package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.rows.CurrentRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowSpool;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps all rows of its input when it is opened, so that their number is known before the first one.
final class CountedRows implements Operator {
    private final Operator input;
    private final Type.Shape[] shapes;
    private final Execution execution;
    private final QueryMemory.Share share;
    private final CurrentRow row = new CurrentRow();
    private @Nullable RowSpool rows;
    private RowSpool.@Nullable Reader reader;
    private long count;

    CountedRows(Operator input, List<Type> types, Execution execution) {
        this.input = input;
        this.shapes = Typing.shapes(types);
        this.execution = execution;
        this.share = execution.memory().share();
    }

    @Override
    public void open() {
        clear();
        share.begin();
        RowSpool all = new RowSpool(execution.cancellation(), share, shapes);
        rows = all;
        count = 0;
        input.open();
        while (input.next()) {
            all.add(input.row());
            count++;
        }
        input.close();
        reader = all.reader();
    }

    long count() {
        return count;
    }

    @Override
    public boolean next() {
        Tuple found = reader == null ? null : reader.next();
        if (found == null) {
            return false;
        }
        row.set(found);
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        clear();
        input.close();
    }

    private void clear() {
        if (reader != null) {
            reader.close();
            reader = null;
        }
        if (rows != null) {
            rows.clear();
            rows = null;
        }
    }
}
