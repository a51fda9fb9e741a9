package dev.oriel.sql.dump;

import dev.oriel.sql.bind.Compiler;
import dev.oriel.sql.change.Change;
import dev.oriel.sql.plan.Command;
import dev.oriel.sql.plan.Execution;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.value.Tuple;
import java.io.InputStream;
import java.time.InstantSource;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Loads the rows of a dump.
public final class RowInput {
    private final InstantSource clock;

    public RowInput(InstantSource clock) {
        this.clock = clock;
    }

    /// Whether `statement` is a COPY from a file.
    public static boolean isCopy(String statement) {
        return statement.toUpperCase(Locale.ROOT).startsWith("COPY ");
    }

    /// The files of a dump.
    @FunctionalInterface
    public interface Files {
        /// Opens the file `name` of the dump.
        ///
        /// @throws dev.oriel.store.DatabaseException if it cannot be read
        InputStream open(String name);
    }

    /// Runs `statement`, a COPY from a file of `files`, in `transaction`; returns the number of rows.
    ///
    /// @throws dev.oriel.sql.SqlException if it is another statement, or the file does not fit its table
    public long load(TableTransaction transaction, String statement, Files files) {
        @Nullable Command command = Compiler.compile(statement, transaction.catalog()).command();
        if (!(command instanceof Command.CopyFrom copy)) {
            throw new IllegalStateException("no COPY from a file: " + statement);
        }
        Execution execution = new Execution(clock, new Tuple(0));
        execution.start(transaction);
        String name = copy.file().toString().replace('\\', '/');
        long rows = Change.copy(copy, execution, files.open(name));
        transaction.settle();
        execution.release();
        return rows;
    }
}
