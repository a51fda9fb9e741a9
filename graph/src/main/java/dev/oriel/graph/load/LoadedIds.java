package dev.oriel.graph.load;

import dev.oriel.graph.memory.Budget;
import dev.oriel.graph.memory.BytesMap;
import dev.oriel.graph.memory.LongMap;
import java.util.Arrays;

/// Maps ids in files to the vertices of this load. Integer ids are kept as numbers, in an array if they are dense;
/// other ids as bytes.
final class LoadedIds {
    private static final int GAPS_MAX = 1 << 10;

    private final Budget budget;
    private final LongMap numbers;
    private final BytesMap texts;

    /// Vertices of the ids from `base` on; 0 for none.
    private long[] dense = {};

    private long base;
    private long denseCount;

    LoadedIds(Budget budget) {
        this.budget = budget;
        this.numbers = new LongMap(budget);
        this.texts = new BytesMap(budget);
    }

    /// Maps the id in a field to `vertex`; false if the id is taken.
    boolean putNew(CsvSource in, int field, long vertex) throws RejectedRow {
        if (in.isWhole(field)) {
            return putNew(in.whole(field), vertex);
        }
        checkLength(in.end(field) - in.start(field));
        return texts.putNew(in.buffer(), in.start(field), in.end(field), vertex);
    }

    private boolean putNew(long id, long vertex) {
        if (get(id) != 0) {
            return false;
        }
        if (denseCount == 0) {
            base = id;
        }
        long place = id - base;
        if (place < 0 || place > 2 * denseCount + GAPS_MAX || place >= Integer.MAX_VALUE / 4) {
            return numbers.putNew(id, vertex);
        }
        if (place >= dense.length) {
            int length = (int) Math.max(place + 1, 2L * dense.length);
            budget.take((long) length * Long.BYTES);
            budget.giveBack((long) dense.length * Long.BYTES);
            dense = Arrays.copyOf(dense, length);
        }
        dense[(int) place] = vertex;
        denseCount++;
        return true;
    }

    private long get(long id) {
        long place = id - base;
        long near = place >= 0 && place < dense.length ? dense[(int) place] : 0;
        return near != 0 ? near : numbers.get(id, 0);
    }

    /// Maps an id that comes from no file, whose length has been checked, to `vertex`; false if the id exists.
    boolean putNew(byte[] id, long vertex) {
        return texts.putNew(id, 0, id.length, vertex);
    }

    private static void checkLength(int length) throws RejectedRow {
        if (length > BytesMap.KEY_BYTES_MAX) {
            throw new RejectedRow("an id is longer than " + BytesMap.KEY_BYTES_MAX + " bytes");
        }
    }

    /// The vertex of an id outside of files, or 0.
    long get(byte[] id) {
        return texts.get(id, 0, id.length, 0);
    }

    /// The vertex of the id in a field, or 0.
    long get(CsvSource in, int field) {
        return in.isWhole(field)
                ? get(in.whole(field))
                : texts.get(in.buffer(), in.start(field), in.end(field), 0);
    }
}
