package dev.oriel.sql.dump;

import dev.oriel.sql.file.DelimitedWriter;
import dev.oriel.sql.syntax.DelimitedForm;
import dev.oriel.sql.value.Zone;
import dev.oriel.table.RowCursor;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Column;
import dev.oriel.table.key.KeyRange;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.LongConsumer;

/// Writes the rows of a table as CSV that COPY reads, in the order of their keys, with moments in UTC.
public final class RowOutput {
    private static final DelimitedForm CSV =
            new DelimitedForm(",", null, '"', '"', false, "", StandardCharsets.UTF_8);

    private final TableTransaction transaction;
    private final Writer out;

    /// @param out receives the text; it is flushed by the caller
    public RowOutput(TableTransaction transaction, Writer out) {
        this.transaction = transaction;
        this.out = out;
    }

    /// Writes a header and all rows; returns their number.
    ///
    /// @param written receives the number of rows so far, after each
    public long write(SchemaScript.Part.Rows rows, LongConsumer written) throws IOException {
        List<Column> columns =
                rows.columns().stream().map(i -> rows.table().columns().get(i)).toList();
        int[] positions = rows.columns().stream().mapToInt(Integer::intValue).toArray();
        DelimitedWriter writer =
                new DelimitedWriter(
                        CSV,
                        out,
                        columns.stream().map(Column::type).toList(),
                        new boolean[positions.length],
                        Zone.UTC);
        writer.header(columns.stream().map(Column::name).toList());
        RowCursor cursor = transaction.cursor(rows.table(), null);
        cursor.open(transaction, new KeyRange(0), false);
        long count = 0;
        try {
            while (cursor.next()) {
                writer.row(cursor, positions);
                count++;
                written.accept(count);
            }
        } finally {
            cursor.leave();
        }
        return count;
    }
}
