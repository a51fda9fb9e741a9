package dev.oriel.sql.rows;

import dev.oriel.table.definition.Type;
import dev.oriel.table.value.DecimalDigits;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Rows of the same columns, numbered from 0 in insertion order, in a few large arrays. A row is not an object; a
/// row of numbers needs no objects at all. One row is current at a time, visible through any number of views.
///
/// ```
/// longs        | row 0: NULL bits, numbers      | row 1: ... |    a decimal is its digits at the column's scale
/// references   | row 0: texts, bytes, decimals  | row 1: ... |    allocated with the first reference
/// ```
///
/// The first block grows with its rows; the others have [#BLOCK_ROWS].
public final class RowBlocks {
    private static final int SHIFT = 10;
    private static final int BLOCK_ROWS = 1 << SHIFT;
    private static final int ROWS_MIN = 16;

    /// Number of rows for which space stays allocated when everything is cleared.
    private static final int ROWS_KEPT = 64;

    private static final long[] NOTHING = {};

    private final Type.Shape[] shapes;

    /// Scale of the decimals' digits by column, or -1.
    private final int[] scales;

    /// Offset of a column's number in a row, and of its reference.
    private final int[] longPlaces;

    private final int[] referencePlaces;
    private final int nullWords;
    private final int longWidth;
    private final int referenceWidth;

    private long[][] longs = new long[1][];
    private @Nullable Object[] @Nullable [] references = new @Nullable Object[1] @Nullable [];
    private int capacity;
    private int count;

    /// Arrays of the current row.
    private long[] shownLongs = NOTHING;

    private @Nullable Object @Nullable [] shownReferences;
    private int longAt;
    private int referenceAt;

    /// Creates storage for rows whose columns have `types`.
    public RowBlocks(List<Type> types) {
        int columns = types.size();
        this.shapes = new Type.Shape[columns];
        this.scales = new int[columns];
        this.longPlaces = new int[columns];
        this.referencePlaces = new int[columns];
        this.nullWords = (columns + Long.SIZE - 1) / Long.SIZE;
        int number = nullWords;
        int reference = 0;
        for (int i = 0; i < columns; i++) {
            Type type = types.get(i);
            shapes[i] = type.shape();
            boolean isDecimal = shapes[i] == Type.Shape.DECIMAL;
            boolean isShort = type.length() > 0 && type.length() <= DecimalDigits.DIGITS_MAX;
            scales[i] = isDecimal && isShort ? type.scale() : -1;
            switch (shapes[i]) {
                case LONG, DOUBLE -> longPlaces[i] = number++;
                case DECIMAL -> {
                    longPlaces[i] = number++;
                    referencePlaces[i] = reference++;
                }
                case TEXT, FOLDED, BYTES -> referencePlaces[i] = reference++;
            }
        }
        this.longWidth = number;
        this.referenceWidth = reference;
    }

    public int count() {
        return count;
    }

    /// Adds a copy of the given columns of `row`; returns its approximate size in bytes.
    public long add(Row row, int[] columns) {
        if (count == capacity) {
            grow();
        }
        int block = count >>> SHIFT;
        int index = count & (BLOCK_ROWS - 1);
        long[] numbers = longs[block];
        int at = index * longWidth;
        for (int i = 0; i < nullWords; i++) {
            numbers[at + i] = 0;
        }
        long bytes = (long) Long.BYTES * longWidth + (long) Integer.BYTES * referenceWidth;
        for (int i = 0; i < columns.length; i++) {
            int column = columns[i];
            if (row.isNull(column)) {
                numbers[at + (i >>> 6)] |= 1L << i;
                continue;
            }
            switch (shapes[i]) {
                case LONG -> numbers[at + longPlaces[i]] = row.longAt(column);
                case DOUBLE ->
                        numbers[at + longPlaces[i]] =
                                Double.doubleToRawLongBits(row.doubleAt(column));
                case DECIMAL -> {
                    long digits = scales[i] < 0 ? Row.NO_DIGITS : row.digitsAt(column, scales[i]);
                    numbers[at + longPlaces[i]] = digits;
                    if (digits == Row.NO_DIGITS) {
                        bytes += refer(block, index, i, row.decimalAt(column), 48);
                    }
                }
                case TEXT, FOLDED -> {
                    String text = row.symbolAt(column);
                    bytes += refer(block, index, i, text, 48L + (text == null ? 0 : text.length()));
                }
                case BYTES -> {
                    byte[] value = row.bytesAt(column);
                    bytes +=
                            refer(block, index, i, value, 16L + (value == null ? 0 : value.length));
                }
            }
        }
        count++;
        return bytes;
    }

    private long refer(int block, int index, int column, @Nullable Object value, long bytes) {
        @Nullable Object @Nullable [] into = references[block];
        if (into == null) {
            into = new Object[longs[block].length / longWidth * referenceWidth];
            references[block] = into;
        }
        into[index * referenceWidth + referencePlaces[column]] = value;
        return bytes;
    }

    private void grow() {
        if (capacity < BLOCK_ROWS) {
            int rows = Math.max(ROWS_MIN, 2 * capacity);
            longs[0] =
                    capacity == 0
                            ? new long[rows * longWidth]
                            : Arrays.copyOf(longs[0], rows * longWidth);
            @Nullable Object @Nullable [] referred = references[0];
            if (referred != null) {
                references[0] = Arrays.copyOf(referred, rows * referenceWidth);
            }
            capacity = rows;
            return;
        }
        int block = capacity >>> SHIFT;
        if (block == longs.length) {
            longs = Arrays.copyOf(longs, 2 * block);
            references = Arrays.copyOf(references, 2 * block);
        }
        longs[block] = new long[BLOCK_ROWS * longWidth];
        capacity += BLOCK_ROWS;
    }

    /// Makes row `number` the current one of all views.
    public void show(int number) {
        int block = number >>> SHIFT;
        int index = number & (BLOCK_ROWS - 1);
        shownLongs = longs[block];
        shownReferences = references[block];
        longAt = index * longWidth;
        referenceAt = index * referenceWidth;
    }

    public void clear() {
        if (capacity > ROWS_KEPT) {
            longs = new long[1][];
            references = new @Nullable Object[1] @Nullable [];
            capacity = 0;
        } else {
            @Nullable Object @Nullable [] referred = references[0];
            if (referred != null) {
                Arrays.fill(referred, null);
            }
        }
        shownLongs = NOTHING;
        shownReferences = null;
        count = 0;
    }

    /// A view with column `columns[i]` of the rows as its column `i`. Columns that are never read may have any
    /// position.
    public Row view(int[] columns) {
        return new View(columns);
    }

    private final class View implements Row {
        private final int[] columns;

        private View(int[] columns) {
            this.columns = columns;
        }

        @Override
        public boolean isNull(int column) {
            int kept = columns[column];
            return (shownLongs[longAt + (kept >>> 6)] >>> kept & 1) != 0;
        }

        @Override
        public long longAt(int column) {
            return isNull(column) ? 0 : number(columns[column]);
        }

        private long number(int kept) {
            return shownLongs[longAt + longPlaces[kept]];
        }

        @Override
        public double doubleAt(int column) {
            return isNull(column) ? 0 : Double.longBitsToDouble(number(columns[column]));
        }

        @Override
        public @Nullable BigDecimal decimalAt(int column) {
            if (isNull(column)) {
                return null;
            }
            int kept = columns[column];
            long digits = number(kept);
            return digits == NO_DIGITS
                    ? (BigDecimal) reference(kept)
                    : BigDecimal.valueOf(digits, scales[kept]);
        }

        @Override
        public long digitsAt(int column, int scale) {
            int kept = columns[column];
            long digits = number(kept);
            return digits != NO_DIGITS && scales[kept] == scale
                    ? digits
                    : Row.super.digitsAt(column, scale);
        }

        @Override
        public void copyDecimal(int column, Tuple out, int to) {
            int kept = columns[column];
            if (!isNull(column) && number(kept) != NO_DIGITS) {
                out.setDigits(to, number(kept), scales[kept]);
            } else {
                out.setDecimal(to, decimalAt(column));
            }
        }

        private @Nullable Object reference(int kept) {
            @Nullable Object @Nullable [] referred = shownReferences;
            return referred == null ? null : referred[referenceAt + referencePlaces[kept]];
        }

        @Override
        public @Nullable String textAt(int column) {
            return isNull(column) ? null : (String) reference(columns[column]);
        }

        @Override
        public byte @Nullable [] bytesAt(int column) {
            return isNull(column) ? null : (byte[]) reference(columns[column]);
        }
    }
}
