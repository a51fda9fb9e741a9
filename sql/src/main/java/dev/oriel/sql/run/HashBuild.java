package dev.oriel.sql.run;

import dev.oriel.sql.plan.BoundFrom;
import dev.oriel.sql.plan.Execution;
import dev.oriel.sql.plan.Frame;
import dev.oriel.sql.plan.Join;
import dev.oriel.sql.plan.Scalar;
import dev.oriel.sql.rows.PickedRow;
import dev.oriel.sql.rows.QueryMemory;
import dev.oriel.sql.rows.RowCodec;
import dev.oriel.sql.rows.RowKey;
import dev.oriel.sql.rows.WideRow;
import dev.oriel.table.Tuple;
import dev.oriel.table.Type;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The side of a hash join that is kept: of each row the columns that anything asks for, in chains of those
/// that have the same keys. When the budget has no room for them all go to files, a [SpilledBuild].
final class HashBuild {
    /// What a row takes beside its values: itself, and what holds it; and what its chain takes.
    private static final int ENTRY_BYTES = 40;

    private static final int CHAIN_BYTES = 144;

    private static final int LONG_CHAIN_BYTES = 48;

    private final Operator input;
    private final Scalar[] keys;
    private final boolean keepsAll;
    private final Frame frame;
    private final RowKey probe;
    private final WideRow wide;
    private final int[] columns;
    private final Type.Shape[] shapes;
    private final int[] slots;
    private final PickedRow[] views;
    private final Execution execution;
    private final QueryMemory.Share share;
    private Map<RowKey, Chain> chains = new HashMap<>();

    /// In the place of `chains` where the key is one whole number; null where it is not.
    private final @Nullable LongChains longs;

    private long held;

    /// Of all rows, in their order; for FULL.
    private @Nullable Entry first;

    private @Nullable Entry last;

    /// Where the rows are, once they do not fit into memory.
    private @Nullable SpilledBuild spilled;

    /// The row that is shown, and the one after it.
    private @Nullable Entry current;

    private @Nullable Entry next;

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
        this.shapes = new Type.Shape[columns.length];
        this.views = new PickedRow[slots.length];
        for (int i = 0; i < slots.length; i++) {
            views[i] = new PickedRow(width(types.size(), slots[i]));
        }
        for (int i = 0; i < columns.length; i++) {
            shapes[i] = types.get(columns[i]).shape();
            int slot = wide.slot(columns[i]);
            int view = Arrays.binarySearch(slots, slot);
            views[view].pick(columns[i] - wide.first(slot), i);
        }
    }

    private int width(int all, int slot) {
        int after = wide.first(slot);
        while (after < all && wide.slot(after) == slot) {
            after++;
        }
        return after - wide.first(slot);
    }

    /// A row that is kept.
    static final class Entry {
        private final Tuple values;
        @Nullable Entry nextOfChain;
        private @Nullable Entry nextOfAll;

        /// That of its chain; null where its key is NULL.
        private @Nullable RowKey key;

        /// Whether it went with a row of the other side.
        private boolean matched;

        private Entry(Tuple values) {
            this.values = values;
        }
    }

    private static final class Chain {
        private final RowKey key;
        private final Entry first;
        private Entry last;

        private Chain(RowKey key, Entry entry) {
            this.key = key;
            first = entry;
            last = entry;
        }
    }

    /// Reads all of the input.
    void collect() {
        clear();
        share.begin();
        input.open();
        while (input.next()) {
            boolean isNull = false;
            for (int i = 0; i < keys.length; i++) {
                isNull |= !keys[i].fill(probe, i, frame);
            }
            if (!isNull || keepsAll) {
                probe.rehash();
                add(isNull);
            }
        }
        input.close();
        if (spilled != null) {
            spilled.complete();
        }
    }

    private void add(boolean isNull) {
        Tuple values = new Tuple(columns.length);
        for (int i = 0; i < columns.length; i++) {
            values.copy(i, wide, columns[i], shapes[i]);
        }
        if (spilled != null) {
            spilled.add(values, probe, isNull);
            return;
        }
        long bytes = ENTRY_BYTES + RowCodec.memoryBytes(values, shapes);
        Entry entry = new Entry(values);
        if (keepsAll) {
            if (last == null) {
                first = entry;
            } else {
                last.nextOfAll = entry;
            }
            last = entry;
        }
        if (longs != null) {
            boolean begins = longs.add(probe.values().longAt(0), entry);
            bytes += begins ? LONG_CHAIN_BYTES : 0;
        } else if (!isNull) {
            Chain chain = chains.get(probe);
            if (chain == null) {
                RowKey key = probe.copy();
                entry.key = key;
                chains.put(key, new Chain(key, entry));
                bytes += CHAIN_BYTES + RowCodec.memoryBytes(key.values(), key.shapes());
            } else {
                entry.key = chain.key;
                chain.last.nextOfChain = entry;
                chain.last = entry;
            }
        }
        held += bytes;
        if (share.add(bytes, held)) {
            putAside();
        }
    }

    /// Moves all rows to files.
    private void putAside() {
        SpilledBuild to = new SpilledBuild(execution, share, shapes, probe, keepsAll);
        spilled = to;
        for (Entry at = first; at != null; at = at.nextOfAll) {
            RowKey key = at.key;
            to.add(at.values, key == null ? probe : key, key == null);
        }
        if (longs != null) {
            longs.forEach((key, head) -> {
                probe.values().setLong(0, key);
                probe.rehash();
                for (Entry at = head; at != null; at = at.nextOfChain) {
                    to.add(at.values, probe, false);
                }
            });
        } else if (!keepsAll) {
            for (Chain chain : chains.values()) {
                for (Entry at = chain.first; at != null; at = at.nextOfChain) {
                    to.add(at.values, chain.key, false);
                }
            }
        }
        forgetRows();
    }

    /// Looks for the rows whose keys are those of `sought`.
    void seek(RowKey sought) {
        current = null;
        if (longs != null && spilled == null) {
            next = longs.first(sought.values().longAt(0));
            return;
        }
        sought.rehash();
        if (spilled != null) {
            spilled.seek(sought);
            return;
        }
        Chain chain = chains.get(sought);
        next = chain == null ? null : chain.first;
    }

    /// Nothing is sought.
    void seekNothing() {
        current = null;
        next = null;
        if (spilled != null) {
            spilled.seekNothing();
        }
    }

    /// Has the slots of this side show the next row that was looked for; false where there is none.
    boolean nextOfChain() {
        if (spilled != null) {
            Tuple values = spilled.nextOfChain();
            if (values != null) {
                show(values);
            }
            return values != null;
        }
        Entry entry = next;
        current = entry;
        if (entry == null) {
            return false;
        }
        next = entry.nextOfChain;
        show(entry.values);
        return true;
    }

    /// The row that is shown went with one of the other side.
    void matched() {
        if (current != null) {
            current.matched = true;
        } else if (spilled != null) {
            spilled.matched();
        }
    }

    /// Goes to before the first of all rows.
    void startUnmatched() {
        next = first;
        if (spilled != null) {
            spilled.startUnmatched();
        }
    }

    /// Shows the next row that went with none of the other side; false where there is none.
    boolean nextUnmatched() {
        if (spilled != null) {
            Tuple values = spilled.nextUnmatched();
            if (values != null) {
                show(values);
            }
            return values != null;
        }
        while (next != null) {
            Entry entry = next;
            next = entry.nextOfAll;
            if (!entry.matched) {
                show(entry.values);
                return true;
            }
        }
        return false;
    }

    private void show(Tuple values) {
        for (int i = 0; i < slots.length; i++) {
            views[i].set(values);
            wide.set(slots[i], views[i]);
        }
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
        first = null;
        last = null;
        current = null;
        next = null;
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
