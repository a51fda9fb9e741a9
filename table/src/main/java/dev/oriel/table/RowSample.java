package dev.oriel.table;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Looks at rows of a table, at all of a small one and at some all over a large one, and says how the values of each column are distributed.
final class RowSample {
    /// Values longer than this are told apart by their first bytes alone.
    private static final int KEY_BYTES_MAX = 48;

    private static final int COMMON_MAX = 32;
    private static final int PARTS_MAX = 64;

    /// A value is common when it comes so many times as often as the average one.
    private static final double COMMON_FACTOR = 1.5;

    private final Transaction store;
    private final TableEntry table;
    private final long rows;

    /// For each column the keys of its values in the sample.
    private final List<List<byte[]>> keys = new ArrayList<>();

    private final long[] nulls;
    private long sampled;

    /// @param rows about how many there are
    RowSample(Transaction store, TableEntry table, long rows) {
        this.store = store;
        this.table = table;
        this.rows = rows;
        for (int i = 0; i < table.table().columns().size(); i++) {
            keys.add(new ArrayList<>());
        }
        this.nulls = new long[keys.size()];
    }

    /// @param rowsMax look at so many rows at most, about
    TableStatistics take(long rowsMax) {
        Cursor cursor = store.cursor(table.tree());
        if (rows <= rowsMax) {
            read(cursor, cursor.first(), Long.MAX_VALUE, 1);
        } else {
            List<byte[]> points = store.splitPoints(table.tree(), (int) rowsMax);
            long part = rows / (points.size() + 1);
            long stride = Math.max(1, rows / rowsMax);
            long each = Math.max(1, part / stride);
            read(cursor, cursor.first(), each, stride);
            for (byte[] point : points) {
                read(cursor, cursor.seek(Slice.copyOf(point)), each, stride);
            }
        }
        // What was counted is better than what was estimated.
        long all = rows <= rowsMax ? sampled : Math.max(rows, sampled);
        List<ColumnStatistics> columns = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            columns.add(column(i, all));
        }
        int form = TableStatistics.form(table.table());
        return new TableStatistics(all, all, sampled, form, columns, false);
    }

    /// Looks at `count` rows from where the cursor stands, each `stride` after the one before: neighbours
    /// are too much alike.
    private void read(Cursor cursor, boolean found, long count, long stride) {
        StoredRow row = table.newRow();
        Slice value = new Slice();
        NativeBuffer buffer = new NativeBuffer(64);
        boolean more = found;
        for (long i = 0; more && i < count; i++) {
            cursor.value(value);
            row.point(value);
            add(row, buffer);
            for (long passed = 0; more && i + 1 < count && passed < stride; passed++) {
                more = cursor.next();
            }
        }
    }

    private void add(StoredRow row, NativeBuffer buffer) {
        sampled++;
        for (int i = 0; i < keys.size(); i++) {
            if (row.isNull(i)) {
                nulls[i]++;
                continue;
            }
            buffer.clear();
            KeyCodec.putValue(buffer, row.holding(i), i, table.table().columns().get(i).type());
            keys.get(i).add(shortened(buffer));
        }
    }

    /// The first bytes of the key in `buffer`.
    static byte[] shortened(NativeBuffer buffer) {
        byte[] key = new byte[buffer.length()];
        buffer.copyTo(key);
        return key.length <= KEY_BYTES_MAX ? key : Arrays.copyOf(key, KEY_BYTES_MAX);
    }

    /// A value and how often the sample has it.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    private record Run(byte[] key, int count) {}

    private ColumnStatistics column(int position, long all) {
        byte[][] sorted = keys.get(position).toArray(byte[][]::new);
        Arrays.sort(sorted, Arrays::compareUnsigned);
        List<Run> runs = runs(sorted);
        long once = runs.stream().filter(run -> run.count == 1).count();
        Type type = table.table().columns().get(position).type();
        double nullShare = sampled == 0 ? 0 : (double) nulls[position] / sampled;
        double values = all * (1 - nullShare);
        double distinct = distinct(sorted.length, runs.size(), once, values);
        List<ColumnStatistics.Common> common = common(runs, sorted.length, distinct);
        return new ColumnStatistics(
                type, nullShare, distinct, common, bounds(sorted, runs, common));
    }

    private static List<Run> runs(byte[][] sorted) {
        List<Run> runs = new ArrayList<>();
        int start = 0;
        for (int i = 1; i <= sorted.length; i++) {
            if (i == sorted.length || !Arrays.equals(sorted[i], sorted[start])) {
                runs.add(new Run(sorted[start], i - start));
                start = i;
            }
        }
        return runs;
    }

    /// How many different values there are among `all`, if a sample of `count` has `found`, `once` of
    /// them once: the estimator of Haas and Stokes.
    private static double distinct(long count, long found, long once, double all) {
        if (count == 0 || count >= all) {
            return found;
        }
        double estimate = (double) count * found / (count - once + (double) once * count / all);
        return Math.clamp(estimate, (double) found, all);
    }

    private List<ColumnStatistics.Common> common(List<Run> runs, int count, double distinct) {
        List<Run> byCount = new ArrayList<>(runs);
        byCount.sort((a, b) -> Integer.compare(b.count, a.count));
        boolean few = runs.size() <= COMMON_MAX && distinct < 1.5 * runs.size();
        double average = count / Math.max(1, distinct);
        List<ColumnStatistics.Common> common = new ArrayList<>();
        for (Run run : byCount) {
            boolean often = run.count > 1 && run.count > COMMON_FACTOR * average;
            if (common.size() < COMMON_MAX && (few || often)) {
                common.add(new ColumnStatistics.Common(run.key, (double) run.count / sampled));
            }
        }
        return common;
    }

    private static byte[][] bounds(
            byte[][] sorted, List<Run> runs, List<ColumnStatistics.Common> common) {
        byte[][] taken = common.stream().map(ColumnStatistics.Common::key).toArray(byte[][]::new);
        Arrays.sort(taken, Arrays::compareUnsigned);
        List<byte[]> others = new ArrayList<>(sorted.length);
        for (Run run : runs) {
            if (Arrays.binarySearch(taken, run.key, Arrays::compareUnsigned) < 0) {
                for (int i = 0; i < run.count; i++) {
                    others.add(run.key);
                }
            }
        }
        if (others.isEmpty()) {
            return new byte[0][];
        }
        int parts = Math.min(PARTS_MAX, others.size());
        byte[][] bounds = new byte[parts + 1][];
        for (int i = 0; i <= parts; i++) {
            bounds[i] = others.get((int) ((long) i * (others.size() - 1) / parts));
        }
        return bounds;
    }
}
