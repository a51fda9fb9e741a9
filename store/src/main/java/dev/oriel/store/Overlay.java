package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/// What one transaction has written and nobody else sees yet: for each tree that it wrote to a tree of
/// its own, in private memory, from keys to what they are to become: a value, or nothing. At commit
/// all of it is put into the real trees.
///
/// "Removed" is an entry with a reference to an overflow chain of length -1 and no pages: whatever
/// handles entries and frees their chains handles it too, only nobody may ask for its value.
///
/// Where memory is not enough, what is in it becomes a [SpilledRun] in a file, and memory begins anew. So an
/// overlay is layers: memory, and runs from the newest to the oldest. The newest layer that has an entry for
/// a key counts. [#FAN] runs of one level become one of the next, so that there are few.
///
/// The trees are made by a [TreeEditor], so its fingers make ordered writes cheap here as well. Not
/// safe for use by two threads at once. Slices that it hands out hold until it is written to.
final class Overlay {
    /// So many runs of one level are merged.
    static final int FAN = 8;

    /// Entries of a merge between two looks at how much has been changed.
    private static final int STRETCH = 16;

    /// What the overlay has for a key.
    enum Found {
        /// No entry: what the snapshot says holds.
        NOTHING,
        VALUE,
        DELETED
    }

    private final PrivatePages space = new PrivatePages();
    private final TreeEditor editor = new TreeEditor(space);
    private final OverlayLayer memory = new OverlayLayer(space.pages);
    private final OverlayLayer[] memoryAlone = {memory};
    private final Slice absent = Node.unbounded();
    private final Slice key = new Slice();

    /// Oldest first.
    private final List<SpilledRun> runs = new ArrayList<>(0);

    /// Memory, and the runs, newest first.
    private OverlayLayer[] layers = memoryAlone;

    /// Of memory and runs: one that has entries in several layers counts in each.
    private long entries;

    private long memoryEntries;

    /// All layers, newest first.
    OverlayLayer[] layers() {
        return layers;
    }

    boolean isEmpty() {
        return entries == 0;
    }

    /// Whether some of it is in files.
    boolean isSpilled() {
        return !runs.isEmpty();
    }

    /// Entries of all trees, removals among them.
    long entries() {
        return entries;
    }

    /// Bytes of the pages that hold them in memory.
    long bytes() {
        return space.bytes();
    }

    /// Native bytes taken from the operating system.
    long memoryBytes() {
        return space.memoryBytes();
    }

    /// Whether something was written to the tree `root`.
    boolean has(long root) {
        if (memory.rootOf(root) != 0) {
            return true;
        }
        for (int i = 1; i < layers.length; i++) {
            if (layers[i].rootOf(root) != 0) {
                return true;
            }
        }
        return false;
    }

    /// About how many entries a range of a tree has, those of each layer by themselves.
    long estimate(long root, Slice low, @Nullable Slice high) {
        long estimate = 0;
        for (OverlayLayer layer : layers) {
            long own = layer.rootOf(root);
            estimate += own == 0 ? 0 : new TreeRanges(layer.pages).estimate(own, low, high);
        }
        return estimate;
    }

    private long rootFor(long root) {
        long own = memory.rootOf(root);
        if (own == 0) {
            own = editor.create();
            memory.add(root, own);
        }
        return own;
    }

    /// What is here for `wanted`; where that is a value, points `out` at it.
    Found find(long root, Slice wanted, Slice out) {
        long own = memory.rootOf(root);
        if (own != 0) {
            int slot = editor.find(own, wanted);
            if (slot >= 0) {
                return found(memory, slot, out);
            }
        }
        return runs.isEmpty() ? Found.NOTHING : findInRuns(root, wanted, out);
    }

    private Found findInRuns(long root, Slice wanted, Slice out) {
        for (int i = 1; i < layers.length; i++) {
            OverlayLayer layer = layers[i];
            long own = layer.rootOf(root);
            if (own != 0) {
                layer.reader.leafOf(own, wanted);
                MemorySegment segment = layer.pages.segment;
                long at = layer.pages.at;
                int slot =
                        Node.search(
                                segment, at, wanted.segment(), wanted.offset(), wanted.length());
                if (slot >= 0) {
                    return found(layer, slot, out);
                }
            }
        }
        return Found.NOTHING;
    }

    /// Of the leaf that is located.
    private static Found found(OverlayLayer layer, int slot, Slice out) {
        Pages at = layer.pages;
        if (isAbsent(at.segment, at.at, slot)) {
            return Found.DELETED;
        }
        layer.reader.value(at.segment, at.at, slot, out);
        return Found.VALUE;
    }

    /// Whether an entry of a leaf here says "removed".
    static boolean isAbsent(MemorySegment segment, long at, int slot) {
        return Node.overflows(segment, at, slot)
                && segment.get(Page.INT, Node.value(segment, at, slot)) < 0;
    }

    /// Maps `changed` to `becomes`, whatever was here for it. Lengths have been checked.
    void put(long root, Slice changed, Slice becomes) {
        long own = rootFor(root);
        int found = editor.find(own, changed);
        editor.set(own, found, changed, becomes);
        if (found < 0) {
            entries++;
            memoryEntries++;
        }
    }

    /// Says that `changed` is no more, whether the snapshot has it or not.
    void remove(long root, Slice changed) {
        put(root, changed, absent);
    }

    /// Takes the entry of `kept` away, so that the snapshot shows through again; false where there is
    /// none. Of what is in memory.
    boolean forget(long root, Slice kept) {
        long own = memory.rootOf(root);
        if (own == 0 || !editor.delete(own, kept)) {
            return false;
        }
        entries--;
        memoryEntries--;
        return true;
    }

    /// Forgets all that was written to a tree: it has been dropped. Of what is in memory.
    void forgetTree(long root) {
        long own = memory.rootOf(root);
        if (own == 0) {
            return;
        }
        long forgotten = new TreeRanges(space.pages).count(own, new Slice(), null);
        entries -= forgotten;
        memoryEntries -= forgotten;
        editor.drop(own);
        memory.removeLast();
    }

    /// Puts what is in memory into a file. Cursors must find their places again.
    ///
    /// @throws LimitException if there is no room; nothing has changed then
    void spill(TemporaryFiles files) {
        if (memoryEntries > 0) {
            runs.add(merged(files, memoryAlone, 0));
        }
        memoryEntries = 0;
        memory.clear();
        space.begin();
        editor.begin();
        layersChanged();
        while (runs.size() >= FAN && runs.get(runs.size() - FAN).level() == newestLevel()) {
            mergeNewest(files);
        }
    }

    private int newestLevel() {
        return runs.getLast().level();
    }

    private void mergeNewest(TemporaryFiles files) {
        OverlayLayer[] parts = Arrays.copyOfRange(layers, 1, 1 + FAN);
        SpilledRun one = merged(files, parts, newestLevel() + 1);
        for (int i = 0; i < FAN; i++) {
            SpilledRun part = runs.removeLast();
            entries -= part.entries();
            part.file().delete();
        }
        entries += one.entries();
        runs.add(one);
        layersChanged();
    }

    private void layersChanged() {
        OverlayLayer[] changed = new OverlayLayer[1 + runs.size()];
        changed[0] = memory;
        for (int i = 1; i < changed.length; i++) {
            changed[i] = runs.get(runs.size() - i).layer();
        }
        layers = changed;
    }

    private SpilledRun merged(TemporaryFiles files, OverlayLayer[] parts, int level) {
        TemporaryFile file = files.create();
        boolean made = false;
        try {
            SpilledRun.Builder builder = new SpilledRun.Builder(files, file);
            Slice value = new Slice();
            OwnCursor cursor = new OwnCursor();
            for (long root : roots(parts)) {
                builder.begin(root);
                cursor.reset(Reader.ONLY, parts, root);
                for (boolean more = cursor.edge(true); more; more = cursor.step(true)) {
                    cursor.key(key);
                    if (cursor.isAbsent()) {
                        builder.add(key, absent);
                    } else {
                        cursor.value(value);
                        builder.add(key, value);
                    }
                }
            }
            SpilledRun run = builder.finish(level);
            made = true;
            return run;
        } finally {
            if (!made) {
                file.delete();
            }
        }
    }

    /// The real trees that any of `parts` has something of, in ascending order.
    private static long[] roots(OverlayLayer[] parts) {
        return Arrays.stream(parts)
                .flatMapToLong(
                        part -> LongStream.range(0, part.trees()).map(i -> part.root((int) i)))
                .sorted()
                .distinct()
                .toArray();
    }

    /// Puts all of it into the real trees, in the order of their roots and of keys.
    ///
    /// @param between called after each few entries; nothing is half done then
    void apply(TreeEditor target, Runnable between) {
        Slice value = new Slice(); // not kept: a long one's memory would be, too
        if (isSpilled()) {
            applyMerged(target, value, between);
            return;
        }
        for (int i = 0; i < memory.trees(); i++) {
            memory.reader.outermostLeaf(memory.own(i), false);
            long leaf;
            do {
                leaf = applyLeaf(memory.root(i), target, value);
                if (leaf != 0) {
                    space.pages.locate(leaf);
                }
            } while (leaf != 0);
        }
    }

    private void applyMerged(TreeEditor target, Slice value, Runnable between) {
        OwnCursor cursor = new OwnCursor();
        int count = 0;
        for (long root : roots(layers)) {
            cursor.reset(Reader.ONLY, layers, root);
            for (boolean more = cursor.edge(true); more; more = cursor.step(true)) {
                cursor.key(key);
                if (cursor.isAbsent()) {
                    target.delete(root, key);
                } else {
                    cursor.value(value);
                    target.put(root, key, value, true);
                }
                if (++count % STRETCH == 0) {
                    between.run();
                }
            }
        }
    }

    /// Applies the leaf that is located, and returns the next one.
    private long applyLeaf(long root, TreeEditor target, Slice value) {
        MemorySegment segment = space.pages.segment;
        long at = space.pages.at;
        int count = Page.count(segment, at);
        for (int slot = 0; slot < count; slot++) {
            key.setOwn(Node.prefix(segment, at) + Node.suffixLength(segment, at, slot));
            Node.copyKey(segment, at, slot, key.segment(), 0);
            if (isAbsent(segment, at, slot)) {
                target.delete(root, key);
            } else {
                memory.reader.value(segment, at, slot, value);
                target.put(root, key, value, true);
            }
        }
        return Page.link(segment, at);
    }

    /// Forgets everything, for the next transaction.
    void clear() {
        memory.clear();
        entries = 0;
        memoryEntries = 0;
        space.clear();
        editor.begin();
        if (isSpilled()) {
            runs.forEach(run -> run.file().delete());
            runs.clear();
            layers = memoryAlone;
        }
    }

    /// Whoever reads the layers for the overlay itself.
    private static final class Reader extends CursorOwner {
        static final Reader ONLY = new Reader();

        @Override
        void checkOpen() {}

        @Override
        Pages pages() {
            throw new IllegalStateException("it has no snapshot");
        }

        @Override
        TreeReader reader() {
            throw new IllegalStateException("it has no snapshot");
        }

        @Override
        @Nullable Overlay overlay() {
            return null;
        }

        @Override
        boolean isRegistered(MergedCursor cursor) {
            return false;
        }

        @Override
        void register(MergedCursor cursor) {}

        @Override
        void forget(MergedCursor cursor) {}
    }
}
