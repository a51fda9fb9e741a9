package dev.oriel.table.row;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.DecimalBytes;
import dev.oriel.table.value.HeapBytes;
import dev.oriel.table.value.JsonBounds;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Tuple;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A row in place: a movable view of bytes in the form of [RowLayout]. A column is decoded when it is read, and
/// only its value reaches the heap.
///
/// It is valid as long as the memory it points at. Not safe for use by two threads at once.
public final class StoredRow implements RowBytes {
    /// Greatest length of a text decoded from the shared array; longer ones get an array of their own.
    private static final int SCRATCH_BYTES_MAX = 4096;

    private final List<Column> columns;

    /// Row that holds the columns added after the row was written; null if they are NULL.
    private final @Nullable StoredRow missing;

    private RowLayout layout;
    private int header;
    private boolean wide;
    private int payload;

    /// Bytes from the payload to the end of the row.
    private int room;

    private MemorySegment segment = MemorySegment.NULL;
    private long base;

    /// The bitmap's first 32 bits, and the bytes after it if it is shorter.
    private int nulls;

    private byte[] scratch = new byte[64];

    /// Symbols by column, if any were requested.
    private final @Nullable Symbols[] symbols;

    /// A view of rows of a table whose columns are `columns`.
    public StoredRow(List<Column> columns, RowLayout layout, @Nullable StoredRow missing) {
        this.columns = columns;
        this.missing = missing;
        this.symbols = new Symbols[columns.size()];
        this.layout = layout;
        this.header = layout.header;
        this.payload = layout.payload(false);
    }

    /// Moves to the row in `row`.
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"})
    public void point(Slice row) {
        if (segment != row.segment()) {
            segment = row.segment();
        }
        base = row.offset();
        int length = row.length();
        int found;
        if (length >= Long.BYTES) {
            long head = segment.get(NativeBuffer.LONG, base);
            found = (int) head;
            nulls = (int) (head >>> Integer.SIZE);
        } else {
            found = length < RowLayout.HEADER_BYTES ? -1 : segment.get(NativeBuffer.INT, base);
            nulls = shortBitmap(length);
        }
        if (found != header) {
            adopt(found);
        }
        if (length < payload) {
            throw new CorruptionException(
                    "A row ends before its columns; run check", "bytes=" + length);
        }
        room = length - payload;
    }

    @Override
    public void forget() {
        segment = MemorySegment.NULL;
    }

    /// The bitmap's first four bytes, as far as they exist, of a row that ends before.
    private int shortBitmap(int length) {
        int bits = 0;
        for (int i = RowLayout.HEADER_BYTES; i < length; i++) {
            int shift = Byte.SIZE * (i - RowLayout.HEADER_BYTES);
            bits |= (segment.get(NativeBuffer.BYTE, base + i) & 0xFF) << shift;
        }
        return bits;
    }

    private void adopt(int found) {
        int stored = found & 0xFFFF;
        int flags = found >>> 16;
        if ((flags & ~RowLayout.WIDE) != 0 || stored > columns.size()) {
            throw new CorruptionException(
                    "A row has an unknown format; run check",
                    "columns=" + stored + " flags=" + flags);
        }
        if (stored != layout.columns) {
            layout = new RowLayout(columns, stored);
        }
        wide = flags == RowLayout.WIDE;
        payload = layout.payload(wide);
        header = found;
    }

    /// The memory of the row.
    MemorySegment segment() {
        return segment;
    }

    /// Offset of the bytes of `column` in [#segment()].
    public long start(int column) {
        int place = layout.places[column];
        if (layout.widths[column] != RowLayout.VARIABLE) {
            return base + place;
        }
        return base + payload + (place == 0 ? 0 : end(place - 1));
    }

    /// Number of bytes of the variable column `column`.
    int length(int column) {
        long span = span(layout.places[column]);
        return (int) (span >>> Integer.SIZE) - (int) span;
    }

    /// Begin and end of the variable column at `place` in the payload: `end << 32 | begin`.
    ///
    /// @throws CorruptionException if that is not within the row
    private long span(int place) {
        int begin;
        int end;
        if (wide) {
            end = end(place);
            begin = place == 0 ? 0 : end(place - 1);
        } else {
            long ends = base + layout.ends;
            int both =
                    place == 0
                            ? segment.get(NativeBuffer.SHORT, ends) << Short.SIZE
                            : segment.get(NativeBuffer.INT, ends + 2L * (place - 1));
            begin = both & 0xFFFF;
            end = both >>> Short.SIZE;
        }
        if ((begin | (end - begin) | (room - end)) < 0) {
            throw new CorruptionException(
                    "A column reaches beyond its row; run check",
                    "begin=%d end=%d bytes=%d".formatted(begin, end, room));
        }
        return (long) end << Integer.SIZE | begin;
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
        if (column < Integer.SIZE) {
            return (nulls >>> column & 1) != 0;
        }
        byte bits = segment.get(NativeBuffer.BYTE, base + RowLayout.HEADER_BYTES + (column >> 3));
        return (bits & 1 << (column & 7)) != 0;
    }

    /// Whether a column is NULL that was added after the row was written. The one after the last is the row's key,
    /// which is never NULL (see `Table.keyed`).
    private boolean isMissing(int column) {
        return column < columns.size() && (missing == null || missing.isNull(column));
    }

    /// The row to read `column` from, which is not NULL.
    public StoredRow holding(int column) {
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
        long span = row.span(row.layout.places[column]);
        long payloadAt = row.base + row.payload;
        long end = payloadAt + (span >>> Integer.SIZE);
        return DecimalBytes.digits(row.segment, payloadAt + (int) span, end, scale);
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
        long span = span(layout.places[column]);
        int length = (int) (span >>> Integer.SIZE) - (int) span;
        Symbols known = symbols[column];
        if (known == null) {
            known = new Symbols();
            symbols[column] = known;
        }
        return known.takes(length)
                ? known.at(segment, base + payload + (int) span, length, this, column)
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
        long span = span(layout.places[column]);
        int begin = (int) span;
        int length = (int) (span >>> Integer.SIZE) - begin;
        byte[] bytes = scratch;
        if (bytes.length < length) {
            bytes = enlarge(length);
        }
        return HeapBytes.text(segment, base + payload + begin, bytes, length);
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
        if (columns.get(column).type().name() == Type.Name.JSON) {
            JsonBounds.check(bytes);
        }
        return bytes;
    }
}
