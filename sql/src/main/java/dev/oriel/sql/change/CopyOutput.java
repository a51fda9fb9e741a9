package dev.oriel.sql.change;

import dev.oriel.sql.Prepared;
import dev.oriel.sql.file.DelimitedWriter;
import dev.oriel.sql.file.FileOutput;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.run.Operator;
import dev.oriel.sql.syntax.CopyOptions;
import dev.oriel.sql.syntax.DelimitedForm;
import java.io.IOException;
import java.util.List;

/// COPY TO: writes the rows of a query into a file.
public final class CopyOutput {
    private final Command.CopyTo command;
    private final Execution execution;

    public CopyOutput(Command.CopyTo command, Execution execution) {
        this.command = command;
        this.execution = execution;
    }

    /// Writes the rows of `rows`; returns their number.
    public long run(Operator rows) {
        DelimitedForm form = command.options().form();
        try (FileOutput out =
                new FileOutput(execution.files().locate(command.file()), form.charset())) {
            rows.open();
            List<Prepared.OutputColumn> columns = command.columns();
            boolean[] forced = new boolean[columns.size()];
            for (int i = 0; i < forced.length; i++) {
                forced[i] = command.forced().get(i);
            }
            DelimitedWriter writer =
                    new DelimitedWriter(
                            form,
                            out.writer(),
                            columns.stream().map(Prepared.OutputColumn::type).toList(),
                            forced,
                            execution.zone());
            if (command.options().header() != CopyOptions.Header.NO) {
                writer.header(columns.stream().map(Prepared.OutputColumn::name).toList());
            }
            long written = 0;
            while (rows.next()) {
                execution.poll();
                writer.row(rows.row());
                written++;
            }
            out.complete();
            return written;
        } catch (IOException failure) {
            throw FileOutput.failed(command.file(), failure, command.place());
        } finally {
            rows.close();
        }
    }
}
