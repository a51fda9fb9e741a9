package dev.oriel.sql.run;

import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.PickedRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowBlocks;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.WideRow;
import dev.oriel.sql.value.Typing;
import dev.oriel.table.definition.Type;
import dev.oriel.table.value.Row;
import dev.oriel.table.value.Tuple;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The build side of a hash join: the columns needed of each row, in chains of rows with equal keys. When the
/// budget is exceeded, all rows go to files, a [SpilledBuild].
final class HashBuild {
    /// Bytes of a row without its values, and of a chain.
    private static final int ROW_BYTES = 8;

    private static final int CHAIN_BYTES = 144;

    private static final int LONG_CHAIN_BYTES = 56;

    private static final int ROWS_MIN = 16;

    /// Number of rows for which space stays allocated when everything is cleared.
    private static final int ROWS_KEPT = 64;

    private final Operator input;
    private final Scalar[] keys;
    private final boolean keepsAll;
    private final Frame frame;
    private final RowKey probe;
    private final WideRow wide;

    /// Columns of the wide row that are kept.
    private final int[] columns;

    private final Type.Shape[] shapes;
    private final int[] slots;
    private final RowBlocks rows;

    /// View of the current row, by slot.
    private final Row[] views;

    /// View of the current row if it comes from files, by slot.
    private final PickedRow[] spilledViews;

    private final Execution execution;
    private final QueryMemory.Share share;
    private Map<RowKey, Chain> chains = new HashMap<>();

    /// Chains by a key of one whole number, instead of `chains`; null for other keys.
    private final @Nullable LongChains longs;

    /// Next row of the chain by row, or [LongChains#NONE].
    private int[] nextOfChain = new int[ROWS_MIN];

    private long held;

    /// Key of the chain by row, null if it is NULL; for FULL.
    private final List<@Nullable RowKey> keyOf = new ArrayList<>();

    /// Rows that have matched a probe row; for FULL.
    private final BitSet matched = new BitSet();

    /// The spilled rows, once they exceed the budget.
    private @Nullable SpilledBuild spilled;

    /// The current row, and the one after it.
    private int current = LongChains.NONE;

    private int next = LongChains.NONE;

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
        this.probe = new RowKey(Scalar.types(plan.buildKeys()));
        boolean ofLongs = keys.length == 1 && keys[0].type().shape() == Type.Shape.LONG;
        this.longs = ofLongs && !keepsAll ? new LongChains() : null;
        this.wide = wide;
        this.execution = execution;
        this.share = execution.memory().share();
        this.slots = plan.buildSlots().stream().mapToInt(Integer::intValue).toArray();
        this.columns =
                used.stream()
                        .filter(column -> plan.buildSlots().contains(wide.slot(column)))
                        .toArray();
        List<Type> kept = Arrays.stream(columns).mapToObj(types::get).toList();
        this.shapes = Typing.shapes(kept);
        this.rows = new RowBlocks(kept);
        this.views = new Row[slots.length];
        this.spilledViews = new PickedRow[slots.length];
        for (int i = 0; i < slots.length; i++) {
            int[] positions = positions(slots[i], types.size());
            views[i] = rows.view(positions);
            spilledViews[i] = new PickedRow(positions);
        }
    }

    /// Position among the kept columns, by column of a slot.
    private int[] positions(int slot, int all) {
        int first = wide.first(slot);
        int after = first;
        while (after < all && wide.slot(after) == slot) {
            after++;
        }
        int[] positions = new int[after - first];
        for (int i = 0; i < columns.length; i++) {
            if (wide.slot(columns[i]) == slot) {
                positions[columns[i] - first] = i;
            }
        }
        return positions;
    }

    private static final class Chain {
        private final RowKey key;
        private final int first;
        private int last;

        private Chain(RowKey key, int row) {
            this.key = key;
            first = row;
            last = row;
        }
    }

    /// Reads all of the input.
    void collect() {
        clear();
        share.begin();
        input.open();
        while (input.next()) {
            if (longs != null) {
                long key = keys[0].evalLong(frame);
                if (!frame.isNull) {
                    add(longs, key);
                }
                continue;
            }
            boolean isNull = false;
            for (int i = 0; i < keys.length; i++) {
                isNull |= !keys[i].fill(probe, i, frame);
            }
            if (!isNull || keepsAll) {
                add(isNull);
            }
        }
        input.close();
        if (spilled != null) {
            spilled.complete();
        } else if (longs != null) {
            longs.complete();
        }
    }

    private void add(LongChains to, long key) {
        if (spilled != null) {
            probe.values().setLong(0, key);
            add(spilled, false);
            return;
        }
        int row = rows.count();
        long bytes = keep(row);
        int before = to.add(key, row);
        if (before == LongChains.NONE) {
            bytes += LONG_CHAIN_BYTES;
        } else {
            nextOfChain[before] = row;
        }
        count(bytes);
    }

    private void add(boolean isNull) {
        if (spilled != null) {
            add(spilled, isNull);
            return;
        }
        int row = rows.count();
        long bytes = keep(row);
        count(bytes + chain(row, isNull));
    }

    private void add(SpilledBuild to, boolean isNull) {
        probe.rehash();
        Tuple values = new Tuple(columns.length);
        for (int i = 0; i < columns.length; i++) {
            values.copy(i, wide, columns[i], shapes[i]);
        }
        to.add(values, probe, isNull);
    }

    /// Stores the row as number `row`; returns its size in bytes.
    private long keep(int row) {
        if (row == nextOfChain.length) {
            nextOfChain = Arrays.copyOf(nextOfChain, 2 * row);
        }
        nextOfChain[row] = LongChains.NONE;
        return ROW_BYTES + rows.add(wide, columns);
    }

    private void count(long bytes) {
        held += bytes;
        if (share.add(bytes, held)) {
            putAside();
        }
    }

    /// Adds a row to the chain of its key; returns the bytes added.
    private long chain(int row, boolean isNull) {
        RowKey key = null;
        long bytes = 0;
        if (!isNull) {
            probe.rehash();
            Chain chain = chains.get(probe);
            if (chain == null) {
                key = probe.copy();
                chains.put(key, new Chain(key, row));
                bytes = CHAIN_BYTES + RowCodec.memoryBytes(key.values(), key.shapes());
            } else {
                key = chain.key;
                nextOfChain[chain.last] = row;
                chain.last = row;
            }
        }
        if (keepsAll) {
            keyOf.add(key);
        }
        return bytes;
    }

    /// Moves all rows to files.
    private void putAside() {
        SpilledBuild to = new SpilledBuild(execution, share, shapes, probe, keepsAll);
        spilled = to;
        int[] all = new int[columns.length];
        Arrays.setAll(all, i -> i);
        Row row = rows.view(all);
        for (int i = 0; i < keyOf.size(); i++) {
            RowKey key = keyOf.get(i);
            rows.show(i);
            to.add(row, key == null ? probe : key, key == null);
        }
        if (longs != null) {
            longs.forEach((key, first) -> {
                probe.values().setLong(0, key);
                probe.rehash();
                putAside(row, first, probe, to);
            });
        } else if (!keepsAll) {
            for (Chain chain : chains.values()) {
                putAside(row, chain.first, chain.key, to);
            }
        }
        forgetRows();
    }

    private void putAside(Row row, int first, RowKey key, SpilledBuild to) {
        for (int at = first; at != LongChains.NONE; at = nextOfChain[at]) {
            rows.show(at);
            to.add(row, key, false);
        }
    }

    /// Whether there are no rows.
    boolean isEmpty() {
        return rows.count() == 0 && spilled == null;
    }

    /// Whether rows are looked up by [#seek(long, RowKey)].
    boolean isByLong() {
        return longs != null;
    }

    /// Looks up the rows with the given number as their key.
    ///
    /// @param sought is filled if it is needed
    void seek(long key, RowKey sought) {
        if (longs != null && spilled == null) {
            current = LongChains.NONE;
            next = longs.first(key);
        } else {
            sought.values().setLong(0, key);
            seek(sought);
        }
    }

    /// Looks up the rows with the keys of `sought`.
    void seek(RowKey sought) {
        current = LongChains.NONE;
        sought.rehash();
        if (spilled != null) {
            spilled.seek(sought);
            return;
        }
        Chain chain = chains.get(sought);
        next = chain == null ? LongChains.NONE : chain.first;
    }

    /// Makes the look-up empty.
    void seekNothing() {
        current = LongChains.NONE;
        next = LongChains.NONE;
        if (spilled != null) {
            spilled.seekNothing();
        }
    }

    /// Shows the next matching row in the slots of this side; false at the end.
    boolean nextOfChain() {
        if (spilled != null) {
            return show(spilled.nextOfChain());
        }
        int row = next;
        current = row;
        if (row == LongChains.NONE) {
            return false;
        }
        next = nextOfChain[row];
        show(row);
        return true;
    }

    /// Marks the current row as matched.
    void matched() {
        if (!keepsAll) {
            return;
        }
        if (spilled != null) {
            spilled.matched();
        } else if (current != LongChains.NONE) {
            matched.set(current);
        }
    }

    /// Goes to before the first of all rows.
    void startUnmatched() {
        next = 0;
        if (spilled != null) {
            spilled.startUnmatched();
        }
    }

    /// Shows the next unmatched row; false at the end.
    boolean nextUnmatched() {
        if (spilled != null) {
            return show(spilled.nextUnmatched());
        }
        int row = matched.nextClearBit(next);
        if (row >= rows.count()) {
            return false;
        }
        next = row + 1;
        show(row);
        return true;
    }

    private void show(int row) {
        rows.show(row);
        for (int i = 0; i < slots.length; i++) {
            wide.set(slots[i], views[i]);
        }
    }

    private boolean show(@Nullable Tuple values) {
        if (values == null) {
            return false;
        }
        for (int i = 0; i < slots.length; i++) {
            spilledViews[i].set(values);
            wide.set(slots[i], spilledViews[i]);
        }
        return true;
    }

    int[] slots() {
        return slots;
    }

    QueryMemory.Share share() {
        return share;
    }

    private void forgetRows() {
        chains = chains.isEmpty() ? chains : new HashMap<>();
        if (longs != null && !longs.isEmpty()) {
            longs.clear();
        }
        rows.clear();
        if (nextOfChain.length > ROWS_KEPT) {
            nextOfChain = new int[ROWS_MIN];
        }
        keyOf.clear();
        matched.clear();
        current = LongChains.NONE;
        next = LongChains.NONE;
        share.take(held);
        held = 0;
    }

    void clear() {
        forgetRows();
        if (spilled != null) {
            spilled.delete();
            spilled = null;
        }
    }

    void close() {
        clear();
        input.close();
    }
}
