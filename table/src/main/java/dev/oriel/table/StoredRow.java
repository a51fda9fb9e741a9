package dev.oriel.table;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A row where it lies: a movable view of bytes in the form of [RowLayout]. A column is decoded when
/// it is asked for, and what escapes to the heap is the value alone.
///
/// It holds for as long as the memory it was pointed at does. Not safe for use by two threads at
/// once.
final class StoredRow implements RowBytes {
    /// Longer texts are decoded from an array of their own.
    private static final int SCRATCH_BYTES_MAX = 4096;

    private final List<Column> columns;

    /// What columns are that the row was written without; null where they are NULL.
    private final @Nullable StoredRow missing;

    private RowLayout layout;
    private int header;
    private boolean wide;
    private int payload;
    private MemorySegment segment = MemorySegment.NULL;
    private long base;
    private byte[] scratch = new byte[64];

    /// By column, for those that were asked for them.
    private final @Nullable Symbols[] symbols;

    /// A view of rows of a table whose columns are `columns`.
    StoredRow(List<Column> columns, RowLayout layout, @Nullable StoredRow missing) {
        this.columns = columns;
        this.missing = missing;
        this.symbols = new Symbols[columns.size()];
        this.layout = layout;
        this.header = layout.header;
        this.payload = layout.payload(false);
    }

    /// Stands on the row in `row` from now on.
    void point(Slice row) {
        segment = row.segment();
        base = row.offset();
        int length = row.length();
        int found = length < RowLayout.HEADER_BYTES ? -1 : segment.get(NativeBuffer.INT, base);
        if (found != header) {
            adopt(found);
        }
        if (length < payload) {
            throw new CorruptionException(
                    "A row ends before its columns; run check", "bytes=" + length);
        }
    }

    private void adopt(int found) {
        int stored = found & 0xFFFF;
        int flags = found >>> 16;
        if ((flags & ~RowLayout.WIDE) != 0 || stored > columns.size()) {
            throw new CorruptionException(
                    "A row has a form that this version does not know; run check",
                    "columns=" + stored + " flags=" + flags);
        }
        if (stored != layout.columns) {
            layout = new RowLayout(columns, stored);
        }
        wide = flags == RowLayout.WIDE;
        payload = layout.payload(wide);
        header = found;
    }

    /// The memory that the row lies in.
    MemorySegment segment() {
        return segment;
    }

    /// Where the bytes of `column` begin in [#segment()].
    long start(int column) {
        int place = layout.places[column];
        if (layout.widths[column] != RowLayout.VARIABLE) {
            return base + place;
        }
        return base + payload + (place == 0 ? 0 : end(place - 1));
    }

    /// How many bytes the variable column `column` has.
    int length(int column) {
        int place = layout.places[column];
        return end(place) - (place == 0 ? 0 : end(place - 1));
    }

    private int end(int variable) {
        long ends = base + layout.ends;
        return wide
                ? segment.get(NativeBuffer.INT, ends + 4L * variable)
                : segment.get(NativeBuffer.SHORT, ends + 2L * variable) & 0xFFFF;
    }

    @Override
    public boolean isNull(int column) {
        if (column >= layout.columns) {
            return isMissing(column);
        }
        byte bits = segment.get(NativeBuffer.BYTE, base + RowLayout.HEADER_BYTES + (column >> 3));
        return (bits & 1 << (column & 7)) != 0;
    }

    /// Whether a column is NULL that the row was written without. The one behind the last stands for
    /// the row's key, which is there (see [Table#keyed]).
    private boolean isMissing(int column) {
        return column < columns.size() && (missing == null || missing.isNull(column));
    }

    /// The row that `column`, which is not NULL, is to be read from.
    StoredRow holding(int column) {
        return column < layout.columns || missing == null ? this : missing;
    }

    @Override
    public long longAt(int column) {
        long at = base + layout.places[column];
        return switch (layout.widths[column]) {
            case 1 -> segment.get(NativeBuffer.BYTE, at);
            case 2 -> segment.get(NativeBuffer.SHORT, at);
            case 4 -> segment.get(NativeBuffer.INT, at);
            case 8 -> segment.get(NativeBuffer.LONG, at);
            default -> missing == null ? 0 : missing.longAt(column); // as in older rows
        };
    }

    @Override
    public double doubleAt(int column) {
        long at = base + layout.places[column];
        return switch (layout.widths[column]) {
            case 4 -> Float.intBitsToFloat(segment.get(NativeBuffer.INT, at));
            case 8 -> Double.longBitsToDouble(segment.get(NativeBuffer.LONG, at));
            default -> missing == null ? 0 : missing.doubleAt(column);
        };
    }

    @Override
    public @Nullable BigDecimal decimalAt(int column) {
        if (isNull(column)) {
            return null;
        }
        StoredRow row = holding(column);
        return DecimalBytes.read(row.segment, row.start(column), row.length(column));
    }

    @Override
    public long digitsAt(int column, int scale) {
        StoredRow row = holding(column);
        return DecimalBytes.digits(row.segment, row.start(column), row.length(column), scale);
    }

    @Override
    public void copyDecimal(int column, Tuple out, int to) {
        if (isNull(column)) {
            out.setNull(to);
            return;
        }
        StoredRow row = holding(column);
        DecimalBytes.read(row.segment, row.start(column), row.length(column), out, to);
    }

    @Override
    public @Nullable String symbolAt(int column) {
        if (isNull(column)) {
            return null;
        }
        if (column >= layout.columns) {
            return textAt(column);
        }
        int length = length(column);
        Symbols known = symbols[column];
        if (known == null) {
            known = new Symbols();
            symbols[column] = known;
        }
        return known.takes(length)
                ? known.at(segment, start(column), length, this, column)
                : textAt(column);
    }

    @Override
    public @Nullable String textAt(int column) {
        if (isNull(column)) {
            return null;
        }
        if (column >= layout.columns) {
            return holding(column).textAt(column);
        }
        int length = length(column);
        byte[] bytes = scratch;
        if (bytes.length < length) {
            bytes = enlarge(length);
        }
        MemorySegment.copy(segment, NativeBuffer.BYTE, start(column), bytes, 0, length);
        // The JDK's decoder looks for a byte above 127 with vector instructions and, finding none,
        // copies the array: nothing written here is faster.
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }

    private byte[] enlarge(int length) {
        byte[] larger = new byte[Math.max(length, Math.min(SCRATCH_BYTES_MAX, 2 * length))];
        if (length <= SCRATCH_BYTES_MAX) {
            scratch = larger;
        }
        return larger;
    }

    @Override
    public void sliceAt(int column, Slice out) {
        int width = layout.widths[column];
        int length = width == RowLayout.VARIABLE ? length(column) : width;
        out.set(segment, start(column), length);
    }

    @Override
    public byte @Nullable [] bytesAt(int column) {
        if (isNull(column)) {
            return null;
        }
        if (column >= layout.columns) {
            return holding(column).bytesAt(column);
        }
        int width = layout.widths[column];
        byte[] bytes = new byte[width == RowLayout.VARIABLE ? length(column) : width];
        MemorySegment.copy(segment, NativeBuffer.BYTE, start(column), bytes, 0, bytes.length);
        return bytes;
    }
}
