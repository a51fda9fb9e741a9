package dev.oriel.sql.file;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Tuple;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// Splits a file into records and records into fields, one record at a time.
sealed interface RecordReader extends AutoCloseable permits DelimitedReader, FixedWidthReader {
    /// Goes to the next record; false at the end.
    ///
    /// @throws FileFormatException if the record is malformed
    boolean next() throws IOException;

    /// Number of fields in the record.
    int fields();

    /// Text of field `i`; null if it is NULL.
    @Nullable String field(int i);

    /// Text of field `i`, even if it is the text for NULL.
    String text(int i);

    /// Sets column `i` of `out` to field `i`, if that is a number or a date of `type` in its usual form. Returns
    /// false for any other text, or if this reader has no such shortcut.
    default boolean plain(int i, Type type, Tuple out) {
        return false;
    }

    /// Whether field `i` was enclosed in quotes.
    boolean quoted(int i);

    /// Line number of the record's beginning, from 1.
    long line();

    @Override
    void close() throws IOException;
}
