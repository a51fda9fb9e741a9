package dev.oriel.sql.run;

import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.rows.KeptRows;
import dev.oriel.sql.rows.PickedRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.sql.rows.RowFile;
import dev.oriel.sql.rows.RowOrder;
import dev.oriel.sql.rows.SpillFile;
import dev.oriel.sql.rows.SpillReader;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A partition of a window that is filled row by row, and spills beyond the budget. It has three files: the rows;
/// the position and the group of each row; the first row of each group. Rows are read at random, through a small
/// cache of recently read ones: each frame looks at its start, its end, and the positions between.
final class SpilledPartition implements WindowPartition {
    /// Number of files: of rows, of their positions, of the groups' first rows.
    private static final int FILES = 3;

    private static final int PLACE_BYTES = 2 * Long.BYTES;

    private final Execution execution;
    private final QueryMemory.Share share;
    private final Type.Shape[] shapes;
    private final RowOrder peers;
    private final PickedRow keys;
    private final byte[] encoded = new byte[PLACE_BYTES];
    private List<Tuple> rows = new ArrayList<>();
    private int[] groupOf = new int[16];
    private int[] firstOf = new int[16];
    private int count;
    private int groups;
    private long held;
    private @Nullable Tuple last;
    private @Nullable Files files;

    /// Recently read rows, and their numbers.
    private final Tuple[] kept;

    private final int[] keptOf;
    private int oldest;

    /// @param peers order in which peers are equal
    /// @param firstKey position of the first sort key
    /// @param frames number of frames that move through the rows at a time
    SpilledPartition(
            Execution execution,
            QueryMemory.Share share,
            Type.Shape[] shapes,
            RowOrder peers,
            int firstKey,
            int frames) {
        this.execution = execution;
        this.share = share;
        this.shapes = shapes;
        this.peers = peers;
        this.keys = new PickedRow(shapes.length - firstKey);
        for (int i = firstKey; i < shapes.length; i++) {
            keys.pick(i - firstKey, i);
        }
        this.kept = new Tuple[2 + 2 * frames];
        this.keptOf = new int[kept.length];
        Arrays.setAll(kept, i -> new Tuple(shapes.length));
    }

    /// The files of the rows, once they exceed the budget.
    private record Files(RowFile rows, SpillFile places, SpillFile firsts, Readers readers) {}

    private static final class Readers {
        private RowFile.@Nullable Reader rows;
        private @Nullable SpillReader places;
        private @Nullable SpillReader firsts;
    }

    /// The row added last; null if there is none.
    @Nullable Tuple last() {
        return last;
    }

    /// Adds a copy of `row`, which follows in the order.
    void add(Row row) {
        Tuple copy = KeptRows.copy(row, shapes);
        boolean begins = last == null || peers.compareRows(last, copy) != 0;
        last = copy;
        if (begins) {
            groups++;
        }
        if (files != null) {
            put(files, copy, groups - 1, begins);
            count++;
            return;
        }
        if (count == groupOf.length) {
            groupOf = Arrays.copyOf(groupOf, 2 * count);
        }
        if (groups + 1 > firstOf.length) {
            firstOf = Arrays.copyOf(firstOf, 2 * groups);
        }
        if (begins) {
            firstOf[groups - 1] = count;
        }
        groupOf[count++] = groups - 1;
        rows.add(copy);
        long bytes = 2 * Integer.BYTES + RowCodec.memoryBytes(copy, shapes);
        held += bytes;
        if (share.add(bytes, held)) {
            putAside();
        }
    }

    private void putAside() {
        QueryMemory memory = share.memory();
        Files to =
                new Files(new RowFile(share, shapes), memory.file(), memory.file(), new Readers());
        files = to;
        int all = count;
        count = 0;
        for (int i = 0; i < all; i++) {
            execution.poll();
            int group = groupOf[i];
            put(to, rows.get(i), group, firstOf[group] == i);
            count++;
        }
        rows = new ArrayList<>();
        groupOf = new int[16];
        firstOf = new int[16];
        share.take(held);
        held = 0;
    }

    private void put(Files to, Tuple row, int group, boolean begins) {
        RowCodec.LONG.set(encoded, 0, to.rows.append(row));
        RowCodec.LONG.set(encoded, Long.BYTES, (long) group);
        to.places.append(encoded, PLACE_BYTES);
        if (begins) {
            RowCodec.LONG.set(encoded, 0, (long) count);
            to.firsts.append(encoded, Long.BYTES);
        }
        share.wrote(PLACE_BYTES);
        if (count == Integer.MAX_VALUE) {
            throw new IllegalStateException("a partition has too many rows");
        }
    }

    /// Completes the partition.
    void complete() {
        Files from = files;
        if (from == null) {
            firstOf[groups] = count;
            return;
        }
        RowCodec.LONG.set(encoded, 0, (long) count);
        from.firsts.append(encoded, Long.BYTES);
        from.rows.finish();
        from.places.finish();
        from.firsts.finish();
        QueryMemory memory = share.memory();
        int pieces = kept.length;
        int piece = Math.min(memory.blockBytes(), memory.windowBytes(FILES * pieces));
        from.readers.rows = from.rows.reader(pieces, piece);
        from.readers.places = new SpillReader(from.places, pieces, piece);
        from.readers.firsts = new SpillReader(from.firsts, pieces, piece);
        Arrays.fill(keptOf, -1);
    }

    @Override
    public int count() {
        return count;
    }

    @Override
    public Row row(int i) {
        return tuple(i);
    }

    @Override
    public Row keys(int i) {
        keys.set(tuple(i));
        return keys;
    }

    private Tuple tuple(int i) {
        Files from = files;
        if (from == null) {
            return rows.get(i);
        }
        for (int k = 0; k < kept.length; k++) {
            if (keptOf[k] == i) {
                return kept[k];
            }
        }
        RowFile.Reader reader = from.readers.rows;
        if (reader == null) {
            throw new IllegalStateException("the partition is not complete");
        }
        oldest = (oldest + 1) % kept.length;
        keptOf[oldest] = -1;
        reader.read(number(from.readers.places, (long) i * PLACE_BYTES), kept[oldest]);
        keptOf[oldest] = i;
        return kept[oldest];
    }

    private static long number(@Nullable SpillReader from, long position) {
        if (from == null) {
            throw new IllegalStateException("the partition is not complete");
        }
        int at = from.require(position, Long.BYTES);
        return (long) RowCodec.LONG.get(from.bytes(), at);
    }

    @Override
    public int groups() {
        return groups;
    }

    @Override
    public int group(int i) {
        Files from = files;
        return from == null
                ? groupOf[i]
                : (int) number(from.readers.places, (long) i * PLACE_BYTES + Long.BYTES);
    }

    @Override
    public int first(int group) {
        Files from = files;
        return from == null
                ? firstOf[group]
                : (int) number(from.readers.firsts, (long) group * Long.BYTES);
    }

    /// Releases all rows; others may be added then.
    void clear() {
        rows = new ArrayList<>();
        share.take(held);
        held = 0;
        count = 0;
        groups = 0;
        last = null;
        Files of = files;
        files = null;
        if (of != null) {
            if (of.readers.rows != null) {
                of.readers.rows.close();
            }
            if (of.readers.places != null) {
                of.readers.places.close();
            }
            if (of.readers.firsts != null) {
                of.readers.firsts.close();
            }
            of.rows.delete();
            of.places.delete();
            of.firsts.delete();
        }
    }
}
