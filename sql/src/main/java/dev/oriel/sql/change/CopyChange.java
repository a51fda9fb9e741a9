package dev.oriel.sql.change;

import dev.oriel.io.FileAccess;
import dev.oriel.sql.file.DelimitedReader;
import dev.oriel.sql.file.FileRows;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.plan.Triggering;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.Trigger.Event;
import dev.oriel.table.value.Tuple;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/// COPY FROM: inserts the rows of a file, keeping one in memory at a time. If it is into a view, triggers fire for them.
final class CopyChange implements Change {
    private final Command.CopyFrom command;
    private final Execution execution;
    private final Scalar[] values;
    private final @Nullable InputStream given;

    /// Null if rows go to the triggers of a view.
    private final @Nullable RowInsertion insertion;

    CopyChange(Command.CopyFrom command, Execution execution) {
        this(command, execution, null);
    }

    /// @param given the content of the file; null to open it
    CopyChange(Command.CopyFrom command, Execution execution, @Nullable InputStream given) {
        this.given = given;
        this.command = command;
        this.execution = execution;
        boolean view = execution.transaction().catalog().view(command.table().id()) != null;
        this.insertion =
                view
                        ? null
                        : new RowInsertion(
                                command.table(), null, command.checks(), execution, null);
        this.values = command.values().toArray(Scalar[]::new);
    }

    @Override
    public long run() {
        if (insertion != null) {
            insertion.begin();
        }
        FileRows rows = open();
        try {
            return inserted(rows);
        } finally {
            rows.close();
        }
    }

    private FileRows open() {
        try {
            InputStream in = new BufferedInputStream(given == null ? opened() : given, 1 << 16);
            FileRows rows =
                    new FileRows(
                            command.file(),
                            new DelimitedReader(in, command.options().form()),
                            command.fields(),
                            command.place(),
                            execution.zone());
            rows.forced(command.filled(), command.emptied(), command.options().form().nullText());
            return rows;
        } catch (IOException failure) {
            throw FileRows.failed(command.file(), failure, command.place());
        }
    }

    private InputStream opened() throws IOException {
        FileAccess files = execution.files();
        return files.open(files.locate(command.file()));
    }

    private long inserted(FileRows rows) {
        switch (command.options().header()) {
            case NO -> {}
            case YES -> rows.skipHeader(false);
            case MATCH -> rows.skipHeader(true);
        }
        Frame frame = new Frame(execution, rows.row());
        Tuple row = new Tuple(values.length);
        long inserted = 0;
        while (rows.next()) {
            execution.poll();
            for (int i = 0; i < values.length; i++) {
                values[i].store(row, i, frame);
            }
            try {
                inserted += insert(row);
            } catch (ConstraintException refused) {
                throw refused.at(rows.where());
            }
        }
        return inserted;
    }

    private long insert(Tuple row) {
        if (insertion != null) {
            return insertion.insert(row);
        }
        Triggering.OfTable triggers = execution.triggers(command.table());
        if (triggers == null) {
            throw new IllegalStateException("a view has lost its triggers");
        }
        triggers.instead(Event.INSERT, null, row);
        return 1;
    }
}
