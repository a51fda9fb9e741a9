package dev.oriel;

import dev.oriel.io.DiskDirectory;
import dev.oriel.io.FileMode;
import dev.oriel.sql.dump.RowOutput;
import dev.oriel.sql.dump.SchemaScript;
import dev.oriel.sql.dump.SchemaScript.Part;
import dev.oriel.store.LimitException;
import dev.oriel.store.Progress;
import dev.oriel.store.StorageException;
import dev.oriel.store.UsageException;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Table;
import dev.oriel.table.engine.Tables;
import dev.oriel.table.key.KeyRange;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/// Writes a dump: a zip of `schema.sql`, the script that makes the database, and of the rows of each table as CSV.
/// The file gets its name when it is complete and on the disk. Equal databases have equal dumps.
final class DumpOutput {
    /// Name of the script in a dump.
    static final String SCRIPT = "schema.sql";

    /// Beginning of the first line of the script; the number of the format follows.
    static final String MARK = "-- Oriel dump ";

    /// Number of this format.
    static final int FORMAT = 1;

    private static final String UNFINISHED = ".unfinished";

    /// The date of all entries, so that equal databases have equal dumps.
    private static final LocalDateTime NO_DATE = LocalDateTime.of(1980, 1, 1, 0, 0);

    private static final int BUFFER_CHARS = 1 << 16;

    private final TableTransaction transaction;
    private final List<Part> parts;
    private final Progress progress;

    /// Rows in all tables, and in those written.
    private long total;

    private long before;

    private DumpOutput(Tables tables, TableTransaction transaction, Progress progress) {
        this.transaction = transaction;
        this.progress = progress;
        this.parts = SchemaScript.of(transaction.catalog(), tables::position, this::count);
    }

    private long count(Table table) {
        return transaction.count(table, null, new KeyRange(0));
    }

    /// Writes the database of `tables` as it is now.
    static void write(Tables tables, Path file, FileMode mode, Progress progress) {
        String context = "file=" + file;
        Path absolute = file.toAbsolutePath().normalize();
        Path name = absolute.getFileName();
        if (name == null || Files.exists(absolute)) {
            throw new UsageException(
                    "The file for the dump exists already; name a new one, or delete it", context);
        }
        Path unfinished = absolute.resolveSibling(name + UNFINISHED);
        try (TableTransaction transaction = tables.beginRead()) {
            new DumpOutput(tables, transaction, progress).write(absolute, unfinished, mode);
        } catch (FileAlreadyExistsException left) {
            throw new UsageException(
                    "A dump to this file was cut off; delete its unfinished file, and try again",
                    "file=" + left.getFile());
        } catch (AccessDeniedException refused) {
            throw new StorageException(
                    "The dump cannot be written here, access is denied; name another file",
                    context,
                    refused);
        } catch (IOException failure) {
            throw failed(context, failure);
        }
    }

    private static RuntimeException failed(String context, IOException failure) {
        String why = String.valueOf(failure.getMessage());
        String facts = context + " reason=" + why;
        return why.contains("No space left") || why.contains("not enough space")
                ? new LimitException(
                        "The disk is full; free some space, or name a file on another disk", facts)
                : new StorageException(
                        "The dump cannot be written; name another file, or mend the disk",
                        facts,
                        failure);
    }

    private void write(Path file, Path unfinished, FileMode mode) throws IOException {
        Set<StandardOpenOption> options =
                Set.of(StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW);
        boolean done = false;
        FileChannel channel = FileChannel.open(unfinished, options, mode.ofFile(unfinished));
        try {
            try (channel;
                    ZipOutputStream zip = new ZipOutputStream(Channels.newOutputStream(channel))) {
                write(zip);
                zip.finish();
                channel.force(true);
            }
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
            done = true;
            DiskDirectory.syncName(file);
        } finally {
            if (!done) {
                Files.deleteIfExists(unfinished);
            }
        }
    }

    private void write(ZipOutputStream zip) throws IOException {
        for (Part part : parts) {
            if (part instanceof Part.Rows rows) {
                total += count(rows.table());
            }
        }
        Writer out =
                new BufferedWriter(
                        new OutputStreamWriter(zip, StandardCharsets.UTF_8.newEncoder()),
                        BUFFER_CHARS);
        begin(zip, SCRIPT);
        out.write(script());
        end(zip, out);
        for (Part part : parts) {
            if (part instanceof Part.Rows rows) {
                begin(zip, rows.file());
                before +=
                        new RowOutput(transaction, out)
                                .write(rows, done -> progress.at(before + done, total));
                end(zip, out);
            }
        }
        progress.at(before, total);
    }

    private static void begin(ZipOutputStream zip, String name) throws IOException {
        ZipEntry entry = new ZipEntry(name);
        entry.setTimeLocal(NO_DATE);
        zip.putNextEntry(entry);
    }

    private static void end(ZipOutputStream zip, Writer out) throws IOException {
        out.flush();
        zip.closeEntry();
    }

    private String script() {
        StringBuilder script = new StringBuilder(MARK).append(FORMAT).append('\n');
        script.append("-- Make a database of it by: oriel restore FILE PATH\n");
        script.append("-- or, in the folder of its files, by: oriel sql PATH <schema.sql\n");
        for (Part part : parts) {
            switch (part) {
                case Part.Heading heading ->
                        script.append("\n-- ").append(heading.text()).append('\n');
                case Part.Definition definition -> script.append(definition.text()).append(";\n");
                case Part.Rows rows -> script.append(rows.text()).append(";\n");
            }
        }
        return script.toString();
    }
}
