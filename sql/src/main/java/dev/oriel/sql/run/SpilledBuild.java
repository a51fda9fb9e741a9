package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.rows.HashIndex;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowFile;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The build side of a hash join in files: its rows, each with its keys, and a [HashIndex] of them. The probe side
/// is read once and stays in its order, as in memory. A key with very many rows is no special case.
final class SpilledBuild {
    private static final int READ_PIECES = 2;

    /// Minimum and maximum number of entries sorted at a time.
    private static final int ENTRIES_MIN = 64;

    private static final int ENTRIES_MAX = 1 << 18;

    private final Execution execution;
    private final QueryMemory.Share share;
    private final int width;
    private final Type.Shape[] shapes;
    private final boolean keepsAll;
    private final RowFile rows;
    private final HashIndex index;
    private final Tuple row;
    private long[] entries;
    private int count;
    private RowFile.@Nullable Reader reader;
    private @Nullable RowKey sought;
    private long position;

    /// One bit for every eight bytes of the rows: whether the row that begins there has matched.
    private long[] matched = new long[0];

    private long all;

    /// @param shapes of the columns that are kept
    /// @param keepsAll whether unmatched rows will be read
    SpilledBuild(
            Execution execution,
            QueryMemory.Share share,
            Type.Shape[] shapes,
            RowKey key,
            boolean keepsAll) {
        this.execution = execution;
        this.share = share;
        this.width = shapes.length;
        int keys = key.shapes().length;
        this.shapes = Arrays.copyOf(shapes, width + keys);
        System.arraycopy(key.shapes(), 0, this.shapes, width, keys);
        this.keepsAll = keepsAll;
        this.rows = new RowFile(share, this.shapes);
        this.index = new HashIndex(execution.cancellation(), share);
        this.row = new Tuple(this.shapes.length);
        long memory = share.memory().bytesMax() / QueryMemory.PARTS / Long.BYTES;
        this.entries = new long[Math.clamp(memory, ENTRIES_MIN, ENTRIES_MAX)];
        share.add((long) Long.BYTES * entries.length, 0);
    }

    /// Adds a row; a row with a NULL key matches none.
    void add(Row values, RowKey key, boolean isNull) {
        execution.poll();
        for (int i = 0; i < width; i++) {
            row.copy(i, values, i, shapes[i]);
        }
        for (int i = width; i < shapes.length; i++) {
            row.copy(i, key.values(), i - width, shapes[i]);
        }
        long at = rows.append(row);
        if (!isNull) {
            entries[count++] = HashIndex.entry(key.hashCode(), at);
            if (count == entries.length) {
                index.add(entries, count);
                count = 0;
            }
        }
    }

    /// Completes the input.
    void complete() {
        if (count > 0) {
            index.add(entries, count);
        }
        share.take((long) Long.BYTES * entries.length);
        entries = new long[0];
        index.mergeAll();
        rows.finish();
        boolean scans = shapes.length == width; // without keys all rows are read for each
        reader =
                scans
                        ? rows.reader(share.memory().windowBytes(1))
                        : rows.reader(READ_PIECES, share.memory().windowBytes(Integer.MAX_VALUE));
        if (keepsAll) {
            matched = new long[Math.toIntExact(rows.bytes() / (8 * Long.SIZE) + 1)];
            share.add((long) Long.BYTES * matched.length, 0);
        }
    }

    void seek(RowKey wanted) {
        sought = wanted;
        index.seek(wanted.hashCode());
    }

    void seekNothing() {
        sought = null;
    }

    /// The next matching row, good until the next call; null at the end.
    @Nullable Tuple nextOfChain() {
        RowKey wanted = sought;
        RowFile.Reader from = reader;
        if (wanted == null || from == null) {
            return null;
        }
        for (position = index.next(); position >= 0; position = index.next()) {
            from.read(position, row);
            if (wanted.isOf(row, width)) {
                return row;
            }
        }
        return null;
    }

    /// Marks the last row returned as matched.
    void matched() {
        if (keepsAll) {
            long place = position >>> 3;
            matched[(int) (place >>> 6)] |= 1L << place;
        }
    }

    void startUnmatched() {
        all = 0;
    }

    /// The next unmatched row; null at the end.
    @Nullable Tuple nextUnmatched() {
        RowFile.Reader from = reader;
        while (from != null && all < rows.bytes()) {
            execution.poll();
            long place = all >>> 3;
            all = from.read(all, row);
            if ((matched[(int) (place >>> 6)] & 1L << place) == 0) {
                return row;
            }
        }
        return null;
    }

    void delete() {
        share.take((long) Long.BYTES * (entries.length + matched.length));
        entries = new long[0];
        matched = new long[0];
        if (reader != null) {
            reader.close();
            reader = null;
        }
        index.delete();
        rows.delete();
    }
}
