package dev.oriel;

import dev.oriel.Engines.Lease;
import dev.oriel.io.DiskDirectory;
import dev.oriel.sql.SqlException;
import dev.oriel.sql.dump.RowInput;
import dev.oriel.sql.engine.Script;
import dev.oriel.store.BulkOptions;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Durability;
import dev.oriel.store.Progress;
import dev.oriel.store.StorageException;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.engine.Tables;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Makes a database of a dump, under a temporary name beside the target; it gets its name when it is complete.
final class DumpInput {
    private static final String UNFINISHED = ".unfinished";

    private static final DatabaseOptions QUICK =
            DatabaseOptions.defaults().withDurability(Durability.ASYNC);

    /// Longest part of a statement that an error quotes.
    private static final int QUOTED_CHARS_MAX = 200;

    private final DumpSource source;
    private final RowInput rows = new RowInput(InstantSource.system());
    private final Progress progress;
    private final long total;
    private long read;

    private DumpInput(DumpSource source, Progress progress) {
        this.source = source;
        this.progress = progress;
        this.total = source.bytes();
    }

    /// Makes a database in `target`, which must be empty or not exist, of `dump`.
    static void restore(Path dump, Path target, Progress progress) {
        Path absolute = target.toAbsolutePath().normalize();
        Path name = absolute.getFileName();
        if (name == null || (Files.exists(absolute) && !isEmptyFolder(absolute))) {
            throw new UsageException(
                    "The folder is not empty; name an empty or a new one, or delete its files",
                    "path=" + target);
        }
        Path unfinished = absolute.resolveSibling(name + UNFINISHED);
        boolean done = false;
        try (DumpSource source = DumpSource.open(dump)) {
            begin(unfinished);
            try {
                new DumpInput(source, progress).fill(unfinished);
                Files.deleteIfExists(absolute);
                Files.move(unfinished, absolute, StandardCopyOption.ATOMIC_MOVE);
                done = true;
            } finally {
                if (!done) {
                    delete(unfinished);
                }
            }
            DiskDirectory.syncName(absolute);
        } catch (IOException failure) {
            throw new StorageException(
                    "The restored database cannot get its name; name another folder",
                    "path=" + target + " reason=" + failure.getMessage(),
                    failure);
        }
    }

    /// Makes the folder of a restore, which is no other restore's.
    private static void begin(Path unfinished) throws IOException {
        try {
            Files.createDirectories(unfinished.getParent());
            Files.createDirectory(unfinished, QUICK.fileMode().ofFolder(unfinished));
        } catch (FileAlreadyExistsException other) {
            throw new UsageException(
                    "A restore to this folder was cut off, or is running; wait for it, or delete its"
                            + " unfinished folder, and try again",
                    "path=" + unfinished,
                    other);
        }
    }

    private static boolean isEmptyFolder(Path folder) {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.findAny().isEmpty();
        } catch (IOException failure) {
            throw new StorageException(
                    "The folder cannot be read; name another one", "path=" + folder, failure);
        }
    }

    private static void delete(Path folder) {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        } catch (IOException failure) {
            throw new StorageException(
                    "The folder of a failed restore cannot be deleted; delete it",
                    "path=" + folder,
                    failure);
        }
    }

    private void fill(Path folder) {
        List<String> statements = statements();
        try (Lease lease = Engines.open(folder, QUICK);
                Connection connection = Database.connect(lease.another(), false);
                Statement runner = connection.createStatement()) {
            Tables tables = lease.engine().tables();
            for (String statement : statements) {
                run(tables, runner, statement);
            }
        } catch (SQLException failure) {
            throw new UsageException(
                    "The restored database cannot be closed; try again", "path=" + folder, failure);
        }
    }

    private List<String> statements() {
        String script = source.script();
        checkFormat(script);
        try {
            return Script.statements(script);
        } catch (SqlException unfit) {
            throw failed(DumpOutput.SCRIPT, unfit);
        }
    }

    private static void checkFormat(String script) {
        int end = script.indexOf('\n');
        String first = end < 0 ? script : script.substring(0, end).strip();
        if (!first.matches(DumpOutput.MARK + "[0-9]{1,9}")) {
            throw new UsageException(
                    "The script of the dump has no mark of a format; name a dump that 'oriel dump'"
                            + " has written",
                    "first=" + DumpOutput.MARK + DumpOutput.FORMAT);
        }
        int format = Integer.parseInt(first.substring(DumpOutput.MARK.length()));
        if (format != DumpOutput.FORMAT) {
            throw new UsageException(
                    "The dump has another format; restore it with the version of Oriel that wrote it,"
                            + " or a newer one",
                    "format=" + format + " known=" + DumpOutput.FORMAT);
        }
    }

    private void run(Tables tables, Statement runner, String statement) {
        try {
            if (RowInput.isCopy(statement)) {
                load(tables, statement);
            } else {
                execute(runner, statement);
            }
        } catch (UsageException failure) {
            throw failed(statement, failure);
        } catch (SQLException failure) {
            if (failure.getCause() instanceof DatabaseException cause
                    && !(cause instanceof UsageException)) {
                throw cause; // the disk is full, or the like
            }
            throw failed(statement, failure);
        }
    }

    /// Runs `statement`; a query to its end, since it may set the position of a sequence.
    private static void execute(Statement runner, String statement) throws SQLException {
        if (runner.execute(statement)) {
            try (ResultSet rows = runner.getResultSet()) {
                boolean more = rows.next();
                while (more) {
                    more = rows.next();
                }
            }
        }
    }

    private static UsageException failed(String statement, Exception failure) {
        String quoted =
                statement.length() <= QUOTED_CHARS_MAX
                        ? statement
                        : statement.substring(0, QUOTED_CHARS_MAX) + "...";
        return new UsageException(
                "A statement of the dump cannot be run; unpack the dump, mend it, and restore the"
                        + " folder",
                "reason=" + failure.getMessage() + " statement=" + quoted,
                failure);
    }

    private void load(Tables tables, String statement) {
        // A bulk load waits for nothing here; its rows are sorted on the disk if they need more
        // than its memory.
        try (TableTransaction transaction = tables.beginBulk(BulkOptions.defaults())) {
            rows.load(transaction, statement, name -> source.open(name, this::advance));
            transaction.commit();
        }
    }

    private void advance(long bytes) {
        read += bytes;
        progress.at(read, Math.max(read, total));
    }
}
