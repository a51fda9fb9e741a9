package dev.oriel.table.row;

import dev.oriel.table.definition.Column;
import dev.oriel.table.definition.ConstraintException;
import dev.oriel.table.definition.ConstraintException.Kind;
import dev.oriel.table.definition.NonFinite;
import dev.oriel.table.definition.Table;
import dev.oriel.table.definition.TimePrecision;
import dev.oriel.table.definition.Type;
import dev.oriel.table.definition.ZonedTime;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.value.DecimalBytes;
import dev.oriel.table.value.DecimalDigits;
import dev.oriel.table.value.IntervalValue;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.ShortText;
import dev.oriel.table.value.Utf8;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.RoundingMode;

/// Encodes values as a row, in the form of [RowLayout], and refuses values that their columns do not accept:
///
/// - NULL in a NOT NULL column or in the primary key;
/// - text of more characters (code points) than CHAR and VARCHAR allow, more bytes than BINARY and VARBINARY
///   allow, UUIDs of other than 16 bytes, text with half of a surrogate pair. CHAR and BINARY are stored as given:
///   nothing is padded or cut;
/// - numbers outside of their type; TIME outside of a day;
/// - TIME(n) and TIMESTAMP(n) are rounded to `n` digits of a second, half up.
/// - DECIMAL(p, s) is rounded to `s` digits after the point, half away from zero (1.005 becomes 1.01 at scale 2),
///   and refused if more than `p` digits remain. DECIMAL without limits is stored as given. REAL is rounded to the
///   nearest float, and refused if that is infinite.
///
/// Not safe for use by two threads at once.
public final class RowEncoder {
    private static final long DAY_MICROS = 86_400_000_000L;
    private static final int NARROW_BYTES_MAX = 0xFFFF;

    private final Table table;
    private final RowLayout layout;
    private final boolean[] required;
    private final Type[] types;
    private final int[] ends;

    public RowEncoder(Table table, RowLayout layout) {
        this.table = table;
        this.layout = layout;
        this.ends = new int[layout.variables];
        this.types = table.columns().stream().map(Column::type).toArray(Type[]::new);
        this.required = new boolean[table.columns().size()];
        for (int i = 0; i < required.length; i++) {
            boolean wanted = !table.columns().get(i).nullable() || table.primaryKey().contains(i);
            required[i] = wanted && table.columns().get(i).role() != Column.Role.VERSION;
        }
    }

    /// Replaces the content of `out` by the row of `values`.
    ///
    /// @throws ConstraintException if a column does not accept its value
    public void encode(Row values, NativeBuffer out) {
        encode(values, out, true);
    }

    /// Like [#encode(Row, NativeBuffer)], but a column that must have a value may be NULL unless `complete`.
    public void encode(Row values, NativeBuffer out, boolean complete) {
        int payload = layout.payload(false);
        out.clear();
        out.putZeros(payload);
        out.segment().set(NativeBuffer.INT, 0, layout.header);
        ChangedRow change = values instanceof ChangedRow row ? row : null;
        for (int i = 0; i < layout.columns; i++) {
            if (values.isNull(i)) {
                setNull(i, out, complete);
            } else if (change != null && change.keeps(i)) {
                copy(change.old().holding(i), i, out);
            } else {
                encode(values, i, out);
            }
            if (layout.widths[i] == RowLayout.VARIABLE) {
                ends[layout.places[i]] = out.length() - payload;
            }
        }
        putEnds(out, payload);
    }

    /// A value in a row of this table was accepted once, and is in its final form.
    private void copy(StoredRow from, int column, NativeBuffer out) {
        int width = layout.widths[column];
        int bytes = width == RowLayout.VARIABLE ? from.length(column) : width;
        long at = layout.places[column];
        if (width == RowLayout.VARIABLE) {
            out.ensure(bytes);
            at = out.length();
            out.length(out.length() + bytes);
        }
        MemorySegment.copy(from.segment(), from.start(column), out.segment(), at, bytes);
    }

    private void putEnds(NativeBuffer out, int payload) {
        int bytes = out.length() - payload;
        if (bytes <= NARROW_BYTES_MAX) {
            MemorySegment segment = out.segment();
            for (int i = 0; i < ends.length; i++) {
                segment.set(NativeBuffer.SHORT, layout.ends + 2L * i, (short) ends[i]);
            }
            return;
        }
        int moved = layout.payload(true);
        out.ensure((long) moved - payload);
        MemorySegment segment = out.segment();
        MemorySegment.copy(segment, payload, segment, moved, bytes);
        segment.set(NativeBuffer.INT, 0, layout.header | RowLayout.WIDE << 16);
        for (int i = 0; i < ends.length; i++) {
            segment.set(NativeBuffer.INT, layout.ends + 4L * i, ends[i]);
        }
        out.length(moved + bytes);
    }

    private void setNull(int column, NativeBuffer out, boolean complete) {
        if (complete && required[column]) {
            throw refused(Kind.NOT_NULL, "A column that must have a value got none", column, "");
        }
        int at = RowLayout.HEADER_BYTES + (column >> 3);
        MemorySegment segment = out.segment();
        int bits = segment.get(NativeBuffer.BYTE, at) | 1 << (column & 7);
        segment.set(NativeBuffer.BYTE, at, (byte) bits);
    }

    @SuppressWarnings("NullAway") // isNull was asked
    private void encode(Row values, int column, NativeBuffer out) {
        Type type = types[column];
        switch (type.shape()) {
            case LONG -> {
                long value = values.longAt(column);
                putLong(
                        column,
                        type,
                        type.length() == 0 ? value : TimePrecision.rounded(value, type),
                        out);
            }
            case DOUBLE -> putDouble(column, type, values.doubleAt(column), out);
            case DECIMAL -> putDecimal(column, type, values, out);
            case TEXT, FOLDED -> putText(column, type, values.textAt(column), out);
            case BYTES -> putBytes(column, type, values.bytesAt(column), out);
        }
    }

    private void putLong(int column, Type type, long value, NativeBuffer out) {
        boolean fits =
                switch (type.name()) {
                    case BOOLEAN -> value == 0 || value == 1;
                    case TINYINT -> value == (byte) value;
                    case SMALLINT -> value == (short) value;
                    case INTEGER, DATE -> value == (int) value;
                    case TIME -> value >= 0 && value < DAY_MICROS;
                    case TIME_TZ -> ZonedTime.isValid(value);
                    case ENUM -> type.labels().has(value);
                    default -> true;
                };
        if (!fits) {
            throw outOfRange(column, Long.toString(value));
        }
        long at = layout.places[column];
        MemorySegment segment = out.segment();
        switch (layout.widths[column]) {
            case 1 -> segment.set(NativeBuffer.BYTE, at, (byte) value);
            case 2 -> segment.set(NativeBuffer.SHORT, at, (short) value);
            case 4 -> segment.set(NativeBuffer.INT, at, (int) value);
            default -> segment.set(NativeBuffer.LONG, at, value);
        }
    }

    private void putDouble(int column, Type type, double value, NativeBuffer out) {
        long at = layout.places[column];
        if (type.name() != Type.Name.REAL) {
            out.segment().set(NativeBuffer.LONG, at, Double.doubleToRawLongBits(value));
            return;
        }
        float rounded = (float) value;
        if (Float.isInfinite(rounded) && !Double.isInfinite(value)) {
            throw outOfRange(column, Double.toString(value));
        }
        out.segment().set(NativeBuffer.INT, at, Float.floatToRawIntBits(rounded));
    }

    @SuppressWarnings("NullAway") // isNull was asked
    private void putDecimal(int column, Type type, Row values, NativeBuffer out) {
        int most = type.length();
        int scale = type.scale();
        if (most > 0 && Math.max(most, scale) <= DecimalDigits.DIGITS_MAX && scale >= 0) {
            long digits = values.digitsAt(column, scale);
            if (digits != Row.NO_DIGITS && DecimalDigits.fit(digits, most)) {
                DecimalBytes.put(out, digits, scale);
                return;
            }
        }
        DecimalBytes.put(out, rounded(column, type, values.decimalAt(column)));
    }

    private BigDecimal rounded(int column, Type type, BigDecimal value) {
        if (type.length() == 0 || NonFinite.isNaN(value)) {
            return value;
        }
        if (NonFinite.is(value)) {
            throw outOfRange(column, NonFinite.text(value));
        }
        BigDecimal rounded = value;
        if (value.scale() != type.scale()) {
            // Tested before rounding: 1E+1000000000 at scale 2 would be a billion digits.
            long digitsBeforePoint = (long) value.precision() - value.scale();
            if (value.signum() == 0 || digitsBeforePoint < -type.scale()) {
                return BigDecimal.valueOf(0, type.scale());
            }
            if (digitsBeforePoint > type.length() - type.scale()) {
                throw outOfRange(column, value.toString());
            }
            rounded = value.setScale(type.scale(), RoundingMode.HALF_UP);
        }
        if (rounded.precision() > type.length() && rounded.signum() != 0) {
            throw outOfRange(column, value.toString());
        }
        return rounded;
    }

    private void putText(int column, Type type, String given, NativeBuffer out) {
        int most = type.length();
        if (type.name() == Type.Name.BIT && most > 0 && given.length() != most) {
            throw refused(
                    Kind.VALUE_TOO_LONG,
                    "A bit string has another length than its column; cast it to the column's type",
                    column,
                    " bits=" + given.length());
        }
        String value = most > 0 && given.length() > most ? shortened(column, given, most) : given;
        int start = out.length();
        out.putText(value);
        if (out.length() - start != value.length()) {
            int unpaired = Utf8.unpaired(value);
            if (unpaired >= 0) {
                throw refused(
                        Kind.OUT_OF_RANGE,
                        "A text holds half of a surrogate pair, which is not a character",
                        column,
                        " at=" + unpaired);
            }
        }
    }

    /// `value` with no more than `most` characters: surplus blanks at its end are cut, as the standard says.
    private String shortened(int column, String value, int most) {
        int characters = value.codePointCount(0, value.length());
        if (characters <= most) {
            return value;
        }
        int end = value.offsetByCodePoints(0, most);
        for (int i = end; i < value.length(); i++) {
            if (value.charAt(i) != ' ') {
                throw tooLong(column, "characters=" + characters);
            }
        }
        return value.substring(0, end);
    }

    private void putBytes(int column, Type type, byte[] value, NativeBuffer out) {
        if (type.name() == Type.Name.UUID) {
            if (value.length != KeyCodec.UUID_BYTES) {
                throw outOfRange(column, value.length + " bytes");
            }
            MemorySegment.copy(
                    value,
                    0,
                    out.segment(),
                    NativeBuffer.BYTE,
                    layout.places[column],
                    value.length);
            return;
        }
        if (type.name() == Type.Name.INTERVAL) {
            if (value.length != IntervalValue.BYTES) {
                throw outOfRange(column, value.length + " bytes");
            }
            out.putBytes(value);
            return;
        }
        if (type.length() > 0 && value.length > type.length()) {
            throw tooLong(column, "bytes=" + value.length);
        }
        out.putBytes(value);
    }

    private ConstraintException outOfRange(int column, String value) {
        return refused(
                Kind.OUT_OF_RANGE,
                "A value does not fit the type of its column",
                column,
                " value=" + ShortText.of(value));
    }

    private ConstraintException tooLong(int column, String length) {
        return refused(
                Kind.VALUE_TOO_LONG,
                "A value is longer than its column allows",
                column,
                " " + length);
    }

    private ConstraintException refused(Kind kind, String message, int column, String facts) {
        Column refusing = table.columns().get(column);
        return new ConstraintException(
                kind,
                message,
                "table="
                        + table.name()
                        + " column="
                        + refusing.name()
                        + " type="
                        + refusing.type()
                        + facts);
    }
}
