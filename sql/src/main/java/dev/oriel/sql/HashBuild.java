package dev.oriel.sql;

import dev.oriel.table.Row;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The side of a hash join that is kept in memory: of each row the columns that anything asks for,
/// in chains of those that have the same keys.
final class HashBuild {
    private final Operator input;
    private final Scalar[] keys;
    private final boolean keepsAll;
    private final Frame frame;
    private final RowKey probe;
    private final WideRow wide;
    private final int[] columns;
    private final Type.Shape[] shapes;
    private final int[] slots;
    private final View[] views;
    private final Map<RowKey, Chain> chains = new HashMap<>();

    /// Of all rows, in their order; for FULL.
    private @Nullable Entry first;

    private @Nullable Entry last;

    HashBuild(
            Join.Hash plan,
            Operator input,
            List<Type> types,
            BitSet used,
            WideRow wide,
            Execution execution) {
        this.input = input;
        this.keys = plan.buildKeys().toArray(Scalar[]::new);
        this.keepsAll = plan.kind() == BoundFrom.Kind.FULL;
        this.frame = new Frame(execution, wide);
        this.probe = new RowKey(plan.buildKeys().stream().map(Scalar::type).toList());
        this.wide = wide;
        this.slots = plan.buildSlots().stream().mapToInt(Integer::intValue).toArray();
        this.columns =
                used.stream()
                        .filter(column -> plan.buildSlots().contains(wide.slot(column)))
                        .toArray();
        this.shapes = new Type.Shape[columns.length];
        this.views = new View[slots.length];
        for (int i = 0; i < slots.length; i++) {
            views[i] = new View(width(types.size(), slots[i]));
        }
        for (int i = 0; i < columns.length; i++) {
            shapes[i] = types.get(columns[i]).shape();
            int slot = wide.slot(columns[i]);
            int view = Arrays.binarySearch(slots, slot);
            views[view].positions[columns[i] - wide.first(slot)] = i;
        }
    }

    private int width(int all, int slot) {
        int next = wide.first(slot);
        while (next < all && wide.slot(next) == slot) {
            next++;
        }
        return next - wide.first(slot);
    }

    /// A row that is kept.
    static final class Entry {
        private final Tuple values;
        private @Nullable Entry nextOfChain;
        private @Nullable Entry nextOfAll;

        /// Whether it went with a row of the other side.
        boolean matched;

        private Entry(Tuple values) {
            this.values = values;
        }

        /// The next one with the same keys.
        @Nullable Entry nextOfChain() {
            return nextOfChain;
        }

        /// The next one of all.
        @Nullable Entry nextOfAll() {
            return nextOfAll;
        }
    }

    private static final class Chain {
        private final Entry first;
        private Entry last;

        private Chain(Entry entry) {
            first = entry;
            last = entry;
        }
    }

    /// Reads all of the input.
    void collect() {
        clear();
        input.open();
        while (input.next()) {
            boolean isNull = false;
            for (int i = 0; i < keys.length; i++) {
                isNull |= !keys[i].store(probe.values(), i, frame);
            }
            if (!isNull || keepsAll) {
                add(isNull);
            }
        }
        input.close();
    }

    /// About how many bytes its rows take, without the values that are objects.
    long memoryBytes() {
        long rows = 0;
        for (Chain chain : chains.values()) {
            for (Entry entry = chain.first; entry != null; entry = entry.nextOfChain) {
                rows++;
            }
        }
        return Operator.rowBytes(rows, columns.length) + Operator.rowBytes(chains.size(), 1);
    }

    private void add(boolean isNull) {
        Tuple values = new Tuple(columns.length);
        for (int i = 0; i < columns.length; i++) {
            values.copy(i, wide, columns[i], shapes[i]);
        }
        Entry entry = new Entry(values);
        if (keepsAll) {
            if (last == null) {
                first = entry;
            } else {
                last.nextOfAll = entry;
            }
            last = entry;
        }
        if (isNull) {
            return;
        }
        probe.rehash();
        Chain chain = chains.get(probe);
        if (chain == null) {
            chains.put(probe.copy(), new Chain(entry));
        } else {
            chain.last.nextOfChain = entry;
            chain.last = entry;
        }
    }

    /// The first row whose keys are those of `sought`, which has been hashed; null where there is
    /// none.
    @Nullable Entry find(RowKey sought) {
        Chain chain = chains.get(sought);
        return chain == null ? null : chain.first;
    }

    /// The first of all rows.
    @Nullable Entry first() {
        return first;
    }

    /// Has the slots of this side show `entry`.
    void show(Entry entry) {
        for (int i = 0; i < slots.length; i++) {
            views[i].values = entry.values;
            wide.set(slots[i], views[i]);
        }
    }

    int[] slots() {
        return slots;
    }

    void clear() {
        chains.clear();
        first = null;
        last = null;
    }

    void close() {
        clear();
        input.close();
    }

    /// The columns of one slot within a kept row.
    private static final class View implements Row {
        private final int[] positions;
        private Tuple values = new Tuple(0);

        private View(int width) {
            this.positions = new int[width];
        }

        @Override
        public boolean isNull(int column) {
            return values.isNull(positions[column]);
        }

        @Override
        public long longAt(int column) {
            return values.longAt(positions[column]);
        }

        @Override
        public double doubleAt(int column) {
            return values.doubleAt(positions[column]);
        }

        @Override
        public @Nullable BigDecimal decimalAt(int column) {
            return values.decimalAt(positions[column]);
        }

        @Override
        public @Nullable String textAt(int column) {
            return values.textAt(positions[column]);
        }

        @Override
        public byte @Nullable [] bytesAt(int column) {
            return values.bytesAt(positions[column]);
        }
    }
}
