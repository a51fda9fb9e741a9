package dev.oriel.sql.file;

import dev.oriel.io.FileAccess;
import dev.oriel.sql.SqlException.Kind;
import dev.oriel.sql.text.SqlText.Place;
import dev.oriel.sql.value.CoercionCheck;
import dev.oriel.sql.value.TextFormat;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ExternalTable;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/// The file of an external table: reads and writes its rows.
public final class ExternalFile {
    /// Lock for writing a file: of two concurrent statements each would lose the other's changes.
    private static final ReentrantLock WRITING = new ReentrantLock();

    /// Interval between checks for cancellation while waiting for the lock.
    private static final long POLL_MILLIS = 20;

    private final ExternalTable table;
    private final FileAccess files;
    private final Zone zone;
    private final Path path;
    private final ExternalForm form;
    private final Place place;

    /// @param place position of the table in the statement
    /// @param zone time zone of moments without one, and of written moments
    public ExternalFile(ExternalTable table, Place place, FileAccess files, Zone zone) {
        this.table = table;
        this.files = files;
        this.zone = zone;
        this.form = ExternalForm.of(table, place);
        try {
            this.path = files.locate(form.file());
        } catch (IOException failure) {
            throw FileRows.failed(form.file(), failure, place);
        }
        this.place = place;
    }

    public ExternalForm form() {
        return form;
    }

    /// Real path of the file that the form names.
    public Path path() {
        return path;
    }

    /// Runs `work`, which writes the file of an external table, under a lock of this process. The lock covers all
    /// files, since two tables, even of two databases, may have the same file.
    ///
    /// @param poll called periodically while it waits; an exception from it ends the wait
    /// @return the result of `work`
    public static long alone(LongSupplier work, Runnable poll) {
        lock(poll);
        try {
            return work.getAsLong();
        } finally {
            WRITING.unlock();
        }
    }

    /// Keeps waiting when interrupted, and restores the interrupt status.
    private static void lock(Runnable poll) {
        boolean interrupted = false;
        try {
            boolean locked = WRITING.tryLock();
            while (!locked) {
                poll.run();
                try {
                    locked = WRITING.tryLock(POLL_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /// Copies the file's records to `out`.
    ///
    /// @param poll called periodically; an exception from it ends the copy
    /// @return whether the file ends with a complete record, so that another one can follow
    public boolean copy(Writer out, Runnable poll) throws IOException {
        try (InputStream in = files.open(path)) {
            return ExternalCopy.copy(in, form, out, poll);
        }
    }

    /// Opens the rows; the first one is next.
    ///
    /// @param faultsMax number of malformed records that may be skipped
    public FileRows open(long faultsMax) {
        try {
            long skipped = Math.min(form.headerBytes(), Files.size(path));
            InputStream in = new BufferedInputStream(files.open(path), 1 << 16);
            skip(in, skipped);
            RecordReader records =
                    form.fixed()
                            ? new FixedWidthReader(
                                    in,
                                    form.form().charset(),
                                    form.widths(),
                                    form.form().recordDelimiter(),
                                    form.trims())
                            : new DelimitedReader(in, form.form());
            FileRows rows = new FileRows(form.file(), records, table.columns(), place, zone);
            rows.checked(form.trims(), faultsMax);
            return rows;
        } catch (IOException failure) {
            throw FileRows.failed(form.file(), failure, place);
        }
    }

    private static void skip(InputStream in, long bytes) throws IOException {
        try {
            in.skipNBytes(bytes);
        } catch (IOException failure) {
            in.close();
            throw failure;
        }
    }

    /// Number of records before the first row.
    long before() {
        return form.skipped() + (form.header() ? 1 : 0);
    }

    /// Goes to the first row.
    public void skip(FileRows rows) {
        for (long i = 0; i < before() && rows.skip(); i++) {
            // without a check of its content
        }
    }

    /// Writes the first line, if it names the columns.
    public void writeHeader(Writer out) throws IOException {
        if (form.header()) {
            List<String> names = table.columns().stream().map(Column::name).toList();
            if (form.fixed()) {
                StringBuilder line = new StringBuilder();
                for (int i = 0; i < names.size(); i++) {
                    String name = names.get(i);
                    int width = form.widths()[i];
                    line.append(name, 0, Math.min(name.length(), width));
                    line.repeat(' ', Math.max(0, width - name.length()));
                }
                out.append(line).append(form.recordEnd());
            } else {
                delimited(out).header(names);
            }
        }
    }

    private DelimitedWriter delimited(Writer out) {
        return new DelimitedWriter(
                form.form(),
                out,
                table.columns().stream().map(Column::type).toList(),
                new boolean[table.columns().size()],
                zone);
    }

    /// A writer of rows to `out`.
    public RowWriter rows(Writer out) {
        if (!form.fixed()) {
            return delimited(out)::row;
        }
        return row -> fixed(row, out);
    }

    @FunctionalInterface
    public interface RowWriter {
        void write(Row row) throws IOException;
    }

    private void fixed(Row row, Writer out) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < form.widths().length; i++) {
            Column column = table.columns().get(i);
            String text = TextFormat.of(row, i, column.type(), zone);
            String there = text == null ? "" : text;
            int width = form.widths()[i];
            int characters = there.codePointCount(0, there.length());
            if (characters > width) {
                throw place.error(
                        Kind.INVALID_VALUE,
                        "'"
                                + there
                                + "' does not fit column \""
                                + column.name()
                                + "\", which is "
                                + width
                                + " characters wide in the file");
            }
            line.append(there).repeat(' ', width - characters);
        }
        String end = form.recordEnd();
        int length = line.length();
        line.append(end);
        if (!end.isEmpty() && endsBefore(length, line, end)) {
            throw place.error(
                    Kind.BAD_FILE_FORMAT,
                    "A value holds the end of a record, and"
                            + " fields of fixed width cannot be quoted");
        }
        out.append(line);
    }

    /// Whether a record end occurs in `line` before the proper one, which begins at `length`.
    private boolean endsBefore(int length, StringBuilder line, String end) {
        return form.form().recordDelimiter() == null
                ? line.indexOf("\r") >= 0 || line.indexOf("\n") < length
                : line.indexOf(end) < length;
    }

    /// Converts the values of `row` to the stored form of their columns, before it is written.
    ///
    /// @throws ConstraintException if a column does not accept its value
    public void fit(Tuple row) {
        for (int i = 0; i < table.columns().size(); i++) {
            Column column = table.columns().get(i);
            if (row.isNull(i) && !column.nullable()) {
                throw new ConstraintException(
                        ConstraintException.Kind.NOT_NULL,
                        "A column that must have a value got none",
                        "table=" + table.name() + " column=" + column.name());
            }
            ConstraintException.Kind wrong = CoercionCheck.fit(row, i, column.type());
            if (wrong != null) {
                throw new ConstraintException(
                        wrong,
                        wrong == ConstraintException.Kind.VALUE_TOO_LONG
                                ? "A value is longer than its column allows"
                                : "A value does not fit the type of its column",
                        "table="
                                + table.name()
                                + " column="
                                + column.name()
                                + " type="
                                + column.type());
            }
        }
    }
}
