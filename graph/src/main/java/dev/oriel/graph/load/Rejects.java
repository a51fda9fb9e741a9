package dev.oriel.graph.load;

import dev.oriel.store.LimitException;
import dev.oriel.store.UsageException;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/// The file of rejected rows: CSV with the columns file, row, reason, record. It is created with the first of
/// them.
final class Rejects implements Closeable {
    private final @Nullable Path file;
    private final long most;
    private @Nullable BufferedWriter out;
    private long count;

    /// @param file null if no row may be rejected
    /// @param most the number of rejected rows that is tolerated
    Rejects(@Nullable Path file, long most) throws IOException {
        this.file = file;
        this.most = most;
        if (file != null) {
            Files.deleteIfExists(file); // from an earlier load
        }
    }

    long count() {
        return count;
    }

    /// @throws UsageException if rows must not be rejected
    /// @throws LimitException if there are too many
    void add(Path from, CsvSource at, String reason) throws IOException {
        Path to = file;
        if (to == null) {
            throw new UsageException(
                    "A row cannot be loaded, and nothing was: correct it, or name a file for rejected rows. "
                            + reason,
                    "file=%s row=%d".formatted(from, at.row()));
        }
        BufferedWriter writer = out;
        if (writer == null) {
            writer = Files.newBufferedWriter(to);
            out = writer;
            writer.write("file,row,reason,record\n");
        }
        writer.write(
                "%s,%d,%s,%s\n"
                        .formatted(
                                quoted(from.toString()),
                                at.row(),
                                quoted(reason),
                                quoted(at.record())));
        count++;
        if (count > most) {
            writer.flush();
            throw new LimitException(
                    "The load was stopped: too many rows were rejected; see the file of rejected"
                            + " rows",
                    "rejects=%s most=%d file=%s row=%d".formatted(to, most, from, at.row()));
        }
    }

    private static String quoted(String text) {
        boolean plain = text.chars().noneMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
        return plain ? text : '"' + text.replace("\"", "\"\"") + '"';
    }

    @Override
    public void close() throws IOException {
        if (out != null) {
            out.close();
        }
    }
}
