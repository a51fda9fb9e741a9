package dev.oriel.sql.change;

import dev.oriel.sql.file.ExternalFile;
import dev.oriel.sql.file.FileOutput;
import dev.oriel.sql.file.FileRows;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.run.Operator;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Changes the file of an external table: writes a new one beside it, which replaces it at the end of the
/// statement. It is no part of the transaction: a rollback does not undo it.
final class ExternalChange implements Change {
    private final Command.ExternalChange command;
    private final Execution execution;
    private final ExternalFile file;
    private final List<Type> types;

    ExternalChange(Command.ExternalChange command, Execution execution) {
        this.command = command;
        this.execution = execution;
        this.file =
                new ExternalFile(
                        command.external(), command.place(), execution.files(), execution.zone());
        this.types = command.external().columns().stream().map(Column::type).toList();
    }

    @Override
    public long run() {
        return ExternalFile.alone(() -> written(file.path()), execution::poll);
    }

    private long written(Path path) {
        try (FileOutput out = new FileOutput(path, file.form().form().charset())) {
            long changed =
                    command.insert() == null ? rewritten(out.writer()) : inserted(out.writer());
            out.complete();
            return changed;
        } catch (IOException failure) {
            throw FileOutput.failed(file.form().file(), failure, command.place());
        }
    }

    private long inserted(Writer out) throws IOException {
        boolean ended = true;
        Path path = file.path();
        if (Files.exists(path) && Files.size(path) > 0) {
            ended = file.copy(out, execution::poll);
        } else {
            file.writeHeader(out);
        }
        if (!ended) {
            out.append(file.form().recordEnd());
        }
        Command.RowChange insert = command.insert();
        if (insert instanceof Command.InsertRows rows) {
            return rows(rows, file.rows(out));
        } else if (insert instanceof Command.InsertQuery query) {
            return query(query, file.rows(out));
        }
        throw new IllegalStateException(insert + " adds no rows");
    }

    private long rows(Command.InsertRows insert, ExternalFile.RowWriter out) throws IOException {
        Frame frame = new Frame(execution, new Tuple(0));
        Tuple row = new Tuple(types.size());
        for (List<Scalar> values : insert.rows()) {
            write(values, row, frame, out);
        }
        return insert.rows().size();
    }

    private long query(Command.InsertQuery insert, ExternalFile.RowWriter out) throws IOException {
        Operator source = Operator.ofWhole(insert.source(), execution);
        Frame frame = new Frame(execution, source.row());
        Tuple row = new Tuple(types.size());
        long written = 0;
        source.open();
        try {
            while (source.next()) {
                write(insert.values(), row, frame, out);
                written++;
            }
        } finally {
            source.close();
        }
        return written;
    }

    private void write(List<Scalar> values, Tuple row, Frame frame, ExternalFile.RowWriter out)
            throws IOException {
        execution.poll();
        for (int i = 0; i < values.size(); i++) {
            values.get(i).store(row, i, frame);
        }
        file.fit(row);
        out.write(row);
    }

    /// Writes every row, changed or not, except for deleted ones. A malformed record is an error here: it would be
    /// lost.
    private long rewritten(Writer out) throws IOException {
        FileRows rows = file.open(0);
        try {
            if (file.form().header() && rows.skip()) {
                file.writeHeader(out);
            }
            return changed(rows, file.rows(out));
        } finally {
            rows.close();
        }
    }

    private long changed(FileRows rows, ExternalFile.RowWriter out) throws IOException {
        Frame frame = new Frame(execution, rows.row());
        Tuple changed = new Tuple(types.size());
        @Nullable Scalar filter = command.filter();
        long count = 0;
        while (rows.next()) {
            execution.poll();
            if (filter != null && filter.evalTruth(frame) != 1) {
                out.write(rows.row());
                continue;
            }
            count++;
            if (!command.assignments().isEmpty()) {
                for (int i = 0; i < types.size(); i++) {
                    changed.copy(i, rows.row(), i, types.get(i).shape());
                }
                for (Command.Assignment assignment : command.assignments()) {
                    assignment.value().store(changed, assignment.column(), frame);
                }
                file.fit(changed);
                out.write(changed);
            }
        }
        return count;
    }
}
