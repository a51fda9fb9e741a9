package dev.oriel.sql.run;

import dev.oriel.sql.file.ExternalFile;
import dev.oriel.sql.file.FileRows;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Plan;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import org.jspecify.annotations.Nullable;

/// Rows of an external table, read on demand.
final class FileOperator implements Operator {
    private final Plan.FileScan plan;
    private final Execution execution;
    private final Tuple row;
    private final Type.Shape[] shapes;
    private @Nullable FileRows rows;

    FileOperator(Plan.FileScan plan, Execution execution) {
        this.plan = plan;
        this.execution = execution;
        this.shapes = Typing.shapes(plan.types());
        this.row = new Tuple(shapes.length);
    }

    @Override
    public void open() {
        close();
        ExternalFile file =
                new ExternalFile(plan.table(), plan.place(), execution.files(), execution.zone());
        FileRows opened = file.open(file.form().faultsMax());
        rows = opened;
        file.skip(opened);
    }

    @Override
    public boolean next() {
        execution.poll();
        FileRows open = rows;
        if (open == null || !open.next()) {
            close();
            return false;
        }
        for (int i = 0; i < shapes.length; i++) {
            row.copy(i, open.row(), i, shapes[i]);
        }
        return true;
    }

    @Override
    public Row row() {
        return row;
    }

    @Override
    public void close() {
        FileRows open = rows;
        rows = null;
        if (open != null) {
            open.close();
        }
    }
}
