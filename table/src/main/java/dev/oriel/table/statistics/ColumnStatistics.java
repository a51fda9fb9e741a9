package dev.oriel.table.statistics;

import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.value.NativeBuffer;
import dev.oriel.table.value.Row;
import java.util.Arrays;
import java.util.List;

/// Distribution of the values of a column, from a sample of the rows. Values are told apart and ordered by their
/// keys, as [KeyCodec] writes them. Immutable.
///
/// The most common values have entries of their own; the bounds cut all others into parts of equally many rows.
public final class ColumnStatistics {
    /// A value and its share of all rows.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    record Common(byte[] key, double share) {
        private int compareTo(byte[] other) {
            return Arrays.compareUnsigned(key, other);
        }
    }

    private final Type type;
    private final double nulls;
    private final double distinct;
    private final List<Common> common;
    private final byte[][] bounds;
    private final double commonShare;

    /// @param nulls share of the rows whose value is NULL
    /// @param distinct number of distinct values
    /// @param bounds bounds of a histogram, ascending: the least value, then the last one of each part; empty without a
    ///     histogram
    ColumnStatistics(
            Type type, double nulls, double distinct, List<Common> common, byte[][] bounds) {
        this.type = type;
        this.nulls = nulls;
        this.distinct = distinct;
        this.common = List.copyOf(common);
        this.bounds = bounds.clone();
        this.commonShare = sum(this.common);
    }

    /// Sum of the shares, by Kahan's method: they make one if all values are common.
    private static double sum(List<Common> common) {
        double sum = 0;
        double excess = 0;
        for (Common value : common) {
            double added = value.share() - excess;
            double next = sum + added;
            excess = next - sum - added;
            sum = next;
        }
        return sum - excess;
    }

    /// Share of the rows in which the column is NULL, from 0 to 1.
    public double nulls() {
        return nulls;
    }

    /// About how many distinct values there are, in the table as it was sampled.
    public double distinct() {
        return distinct;
    }

    List<Common> common() {
        return common;
    }

    byte[][] bounds() {
        return bounds.clone();
    }

    /// Share of the rows whose value is the one at `at` of `values`, which is not NULL and has the
    /// shape of the column.
    public double equal(Row values, int at) {
        byte[] key = key(type, values, at);
        for (Common value : common) {
            if (value.compareTo(key) == 0) {
                return value.share();
            }
        }
        boolean outside =
                bounds.length == 0
                        || Arrays.compareUnsigned(key, bounds[0]) < 0
                        || Arrays.compareUnsigned(key, bounds[bounds.length - 1]) > 0;
        return outside ? 0 : equal();
    }

    /// Average share of the rows with one value, over the values that are not common; over the common ones if there are
    /// no others.
    public double equal() {
        double others = distinct - common.size();
        if (others >= 1) {
            return Math.max(0, 1 - nulls - commonShare) / others;
        }
        return common.isEmpty() ? 0 : commonShare / common.size();
    }

    /// Share of the rows whose value is less than the one at `at` of `values`, see [#equal(Row, int)].
    public double below(Row values, int at) {
        byte[] key = key(type, values, at);
        double share = 0;
        for (Common value : common) {
            if (value.compareTo(key) < 0) {
                share += value.share();
            }
        }
        return share + Math.max(0, 1 - nulls - commonShare) * partBelow(key);
    }

    /// Share of the values that are not common, and below `key`.
    private double partBelow(byte[] key) {
        if (bounds.length < 2) {
            return bounds.length == 0 || Arrays.compareUnsigned(key, bounds[0]) <= 0 ? 0 : 1;
        }
        int found = Arrays.binarySearch(bounds, key, Arrays::compareUnsigned);
        int parts = bounds.length - 1;
        if (found >= 0) {
            return (double) found / parts;
        }
        int after = -1 - found;
        if (after == 0) {
            return 0;
        }
        if (after > parts) {
            return 1;
        }
        return (after - 1 + between(bounds[after - 1], key, bounds[after])) / parts;
    }

    /// Position of `key` between `low` and `high`, from 0 to 1, by the first bytes in which these differ.
    private static double between(byte[] low, byte[] key, byte[] high) {
        int same = Arrays.mismatch(low, high);
        double from = number(low, same);
        double to = number(high, same);
        double at = number(key, same);
        return to <= from ? 0.5 : Math.clamp((at - from) / (to - from), 0, 1);
    }

    private static double number(byte[] key, int from) {
        double number = 0;
        for (int i = from; i < from + 6; i++) {
            number = number * 256 + (i < key.length ? key[i] & 0xFF : 0);
        }
        return number;
    }

    private static byte[] key(Type type, Row values, int at) {
        NativeBuffer buffer = new NativeBuffer(64);
        KeyCodec.putValue(buffer, values, at, type);
        return RowSample.shortened(buffer);
    }
}
