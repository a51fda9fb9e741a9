package dev.oriel.table.statistics;

import dev.oriel.store.Cursor;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction;
import dev.oriel.table.definition.Type;
import dev.oriel.table.key.KeyCodec;
import dev.oriel.table.row.StoredRow;
import dev.oriel.table.schema.TableEntry;
import dev.oriel.table.value.NativeBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Samples a table, reading a small one whole and a large one at places all over it, and computes the distribution
/// of each column.
final class RowSample {
    /// Number of first bytes by which longer values are told apart.
    private static final int KEY_BYTES_MAX = 48;

    /// Rows, and bytes of rows, up to which all rows are kept, see [SampledColumns].
    private static final int SMALL_ROWS = 64;

    private static final int SMALL_BYTES = 16 << 10;

    private static final int COMMON_MAX = 32;
    private static final int PARTS_MAX = 64;

    /// Multiple of the average frequency that makes a value common.
    private static final double COMMON_FACTOR = 1.5;

    private final Transaction store;
    private final TableEntry table;
    private final long rows;

    /// For each column the keys of its values in the sample.
    private final List<List<byte[]>> keys = new ArrayList<>();

    /// The rows so far; null once they are too many to be kept.
    private @Nullable NativeBuffer small = new NativeBuffer(512);

    private final int[] ends = new int[SMALL_ROWS];

    private long sampled;

    /// @param rows about how many there are
    RowSample(Transaction store, TableEntry table, long rows) {
        this.store = store;
        this.table = table;
        this.rows = rows;
        for (int i = 0; i < table.table().columns().size(); i++) {
            keys.add(new ArrayList<>());
        }
    }

    /// @param rowsMax about how many rows to read at most
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
        // A count is better than an estimate.
        long all = rows <= rowsMax ? sampled : Math.max(rows, sampled);
        List<ColumnStatistics> columns = columns(all);
        int form = TableStatistics.form(table.table());
        return new TableStatistics(all, all, sampled, form, columns, false);
    }

    private List<ColumnStatistics> columns(long all) {
        if (small != null && rows <= SMALL_ROWS) {
            return new SampledColumns(table, small, Arrays.copyOf(ends, (int) sampled));
        }
        forgetSmall();
        List<ColumnStatistics> columns = new ArrayList<>();
        for (int i = 0; i < keys.size(); i++) {
            Type type = table.table().columns().get(i).type();
            columns.add(column(type, keys.get(i), sampled, all));
        }
        return columns;
    }

    /// Reads `count` rows from the cursor's place on, each `stride` after the one before: neighbours are too much
    /// alike.
    private void read(Cursor cursor, boolean found, long count, long stride) {
        StoredRow row = table.newRow();
        Slice value = new Slice();
        NativeBuffer buffer = new NativeBuffer(64);
        boolean more = found;
        for (long i = 0; more && i < count; i++) {
            cursor.value(value);
            add(row, value, buffer);
            for (long passed = 0; more && i + 1 < count && passed < stride; passed++) {
                more = cursor.next();
            }
        }
    }

    private void add(StoredRow row, Slice value, NativeBuffer buffer) {
        if (small != null && isRoom(small, value)) {
            small.putSlice(value);
            ends[(int) sampled++] = small.length();
            return;
        }
        forgetSmall();
        sampled++;
        row.point(value);
        addKeys(row, buffer);
    }

    private boolean isRoom(NativeBuffer kept, Slice value) {
        return sampled < SMALL_ROWS && kept.length() + value.length() <= SMALL_BYTES;
    }

    /// Takes the keys of the rows kept so far, and forgets the rows.
    private void forgetSmall() {
        if (small == null) {
            return;
        }
        SampledColumns.forEachRow(table, small, Arrays.copyOf(ends, (int) sampled), this::addKeys);
        small = null;
    }

    private void addKeys(StoredRow row, NativeBuffer buffer) {
        for (int i = 0; i < keys.size(); i++) {
            if (!row.isNull(i)) {
                keys.get(i).add(key(row, i, table.table().columns().get(i).type(), buffer));
            }
        }
    }

    /// The first bytes of the key of a value that is not NULL.
    static byte[] key(StoredRow row, int column, Type type, NativeBuffer buffer) {
        buffer.clear();
        KeyCodec.putValue(buffer, row.holding(column), column, type);
        return shortened(buffer);
    }

    /// The first bytes of the key in `buffer`.
    static byte[] shortened(NativeBuffer buffer) {
        byte[] key = new byte[buffer.length()];
        buffer.copyTo(key);
        return key.length <= KEY_BYTES_MAX ? key : Arrays.copyOf(key, KEY_BYTES_MAX);
    }

    /// A value and its frequency in the sample.
    @SuppressWarnings("ArrayRecordComponent") // never changed
    private record Run(byte[] key, int count) {}

    /// The distribution of a column.
    ///
    /// @param keys of its values in the sample that are not NULL
    /// @param all number of rows of the table
    static ColumnStatistics column(Type type, List<byte[]> keys, long sampled, long all) {
        byte[][] sorted = keys.toArray(new byte[0][]);
        Arrays.sort(sorted, Arrays::compareUnsigned);
        List<Run> runs = runs(sorted);
        long once = 0;
        for (Run run : runs) {
            once += run.count == 1 ? 1 : 0;
        }
        double nullShare = sampled == 0 ? 0 : (double) (sampled - sorted.length) / sampled;
        double values = all * (1 - nullShare);
        double distinct = distinct(sorted.length, runs.size(), once, values);
        List<ColumnStatistics.Common> common = common(runs, sorted.length, sampled, distinct);
        byte[][] bounds = bounds(sorted, runs, common);
        return new ColumnStatistics(type, nullShare, distinct, common, bounds);
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

    /// Number of distinct values among `all`, if a sample of `count` has `found`, `once` of them once: the
    /// estimator of Haas and Stokes.
    private static double distinct(long count, long found, long once, double all) {
        if (count == 0 || count >= all) {
            return found;
        }
        double estimate = (double) count * found / (count - once + (double) once * count / all);
        return Math.clamp(estimate, (double) found, all);
    }

    private static List<ColumnStatistics.Common> common(
            List<Run> runs, int count, long sampled, double distinct) {
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
        if (common.size() == runs.size()) {
            return new byte[0][];
        }
        byte[][] taken = new byte[common.size()][];
        for (int i = 0; i < taken.length; i++) {
            taken[i] = common.get(i).key();
        }
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
