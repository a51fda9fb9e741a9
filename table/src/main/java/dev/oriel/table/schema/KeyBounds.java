package dev.oriel.table.schema;

import dev.oriel.store.Slice;
import dev.oriel.table.definition.KeyOrder;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.key.KeyRange;
import dev.oriel.table.value.NativeBuffer;
import org.jspecify.annotations.Nullable;

/// A [KeyRange] in bytes: the keys `low <= key < high`. An inclusive upper bound and an exclusive lower one come
/// after all keys that begin with the bound: they are the bound and one byte more (see [KeyCodec#AFTER]). So a
/// range of leading columns is no special case, and a step compares once.
///
/// No key is longer than [IndexKey#BYTES_MAX], so a bound is cut one byte after that: the rest compares with every
/// key as the whole does.
public final class KeyBounds {
    private final NativeBuffer lowBytes = new NativeBuffer(64);
    private final NativeBuffer highBytes = new NativeBuffer(64);
    private final Slice low = new Slice();
    private final Slice high = new Slice();
    private boolean hasLow;
    private boolean hasHigh;
    private boolean point;

    private static final KeyOrder[] ASCENDING = {};

    /// Takes over `range` of `index`, or of the row key of `table` if there is none.
    ///
    /// @param wholeColumns number of columns that are a whole key, unless one of them is NULL; 0 if none ever are
    public void set(
            KeyRange range, TableEntry table, @Nullable IndexEntry index, int wholeColumns) {
        if (index == null) {
            set(range, table.keyTypes(), ASCENDING, wholeColumns);
        } else {
            set(range, index.entryTypes(), index.orders(), wholeColumns);
        }
    }

    /// Takes over `range` of a key.
    ///
    /// @param types of the columns
    /// @param orders of the first columns; the others are ascending
    public void set(KeyRange range, Type[] types, KeyOrder[] orders, int wholeColumns) {
        hasLow = range.lowerColumns() > 0;
        if (hasLow) {
            lowBytes.clear();
            KeyCodec.putRow(lowBytes, range.lower(), types, range.lowerColumns(), orders);
            finish(!range.lowerInclusive(), lowBytes);
            lowBytes.slice(low);
        }
        hasHigh = range.upperColumns() > 0;
        if (hasHigh) {
            highBytes.clear();
            KeyCodec.putRow(highBytes, range.upper(), types, range.upperColumns(), orders);
            finish(range.upperInclusive(), highBytes);
            highBytes.slice(high);
        }
        point = wholeColumns > 0 && isPoint(range, wholeColumns);
    }

    private boolean isPoint(KeyRange range, int wholeColumns) {
        boolean whole =
                range.lowerColumns() == wholeColumns
                        && range.upperColumns() == wholeColumns
                        && range.lowerInclusive()
                        && range.upperInclusive();
        if (!whole || high.length() != low.length() + 1 || low.length() > KeyCodec.BYTES_MAX) {
            return false;
        }
        for (int i = 0; i < wholeColumns; i++) {
            if (range.lower().isNull(i)) {
                return false;
            }
        }
        return Slice.compare(
                        low.segment(),
                        low.offset(),
                        low.length(),
                        high.segment(),
                        high.offset(),
                        low.length())
                == 0;
    }

    /// Whether the range is one whole key, which is [#low()].
    public boolean isPoint() {
        return point;
    }

    private static void finish(boolean after, NativeBuffer out) {
        if (after) {
            out.putByte(KeyCodec.AFTER);
        }
        if (out.length() > KeyCodec.BYTES_MAX + 1) {
            out.length(KeyCodec.BYTES_MAX + 1);
        }
    }

    public boolean hasLow() {
        return hasLow;
    }

    public boolean hasHigh() {
        return hasHigh;
    }

    /// The first bytes inside, if [#hasLow()].
    public Slice low() {
        return low;
    }

    /// The first bytes outside, if [#hasHigh()].
    public Slice high() {
        return high;
    }
}
