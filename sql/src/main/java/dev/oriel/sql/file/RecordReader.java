package dev.oriel.sql.file;

import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Cuts a file into records and these into fields, one record at a time.
sealed interface RecordReader extends AutoCloseable permits DelimitedReader, FixedWidthReader {
    /// Goes to the next record; false at the end.
    ///
    /// @throws FileFormatException if it cannot be cut
    boolean next() throws IOException;

    /// How many fields the record has.
    int fields();

    /// What field `i` holds; null where that is NULL.
    @Nullable String field(int i);

    /// What field `i` holds, where nothing stands for NULL.
    String text(int i);

    /// Sets column `i` of `out` to what field `i` holds, if that is a number or a date of `type` in its usual form;
    /// false where it is anything else, or this reader does not look.
    default boolean plain(int i, Type type, Tuple out) {
        return false;
    }

    /// Whether field `i` was enclosed in quotes.
    boolean quoted(int i);

    /// Number of the line that the record begins in, from 1.
    long line();

    @Override
    void close() throws IOException;
}
