package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.data.Pages;
import dev.oriel.store.data.PrivatePages;
import dev.oriel.store.delta.DeltaLayer;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.delta.Found;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.WriteSetEntries;
import dev.oriel.store.tree.TreeEditor;
import dev.oriel.store.tree.TreeRanges;
import dev.oriel.store.tree.TreeReader;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The private write set of one transaction: for each tree written to, a map from keys to new values or removals.
/// At commit it is applied to the real trees.
///
/// The writes to a tree start in a [WriteSetBuffer]. They move to a tree in private memory when the buffer is too
/// small, or when they are needed in order (by a cursor). A [TreeEditor] makes the trees, so its fingers make
/// ordered writes cheap here as well.
///
/// A removal is an entry with a reference to an overflow chain of length -1 and no pages. All code that handles
/// entries and frees their chains handles it too, but its value must not be read.
///
/// If memory is not enough, its content becomes a [SpilledRun] in a file, and memory starts empty. So a write set
/// is layered: memory, then the runs from the newest to the oldest. The newest layer with an entry for a key
/// counts.
///
/// Not safe for use by two threads at once. Slices that it hands out hold until it is written to.
public final class WriteSet {
    /// Maximum number of buffered trees; writes to further trees go to trees in memory at once.
    private static final int BUFFERS_MAX = 8;

    /// Number of entries merged between two checks of the amount changed.
    private static final int STRETCH = 16;

    private final PrivatePages space = new PrivatePages();
    private final TreeEditor editor = new TreeEditor(space);
    private final WriteSetLayer memory = new WriteSetLayer(space.pages);
    private final WriteSetLayer[] memoryAlone = {memory};
    private final Slice absent = Node.unbounded();
    private final Slice key = new Slice();

    /// Buffers in the order of their trees; `memory` has nothing of these trees.
    private final @Nullable WriteSetBuffer[] buffers = new WriteSetBuffer[BUFFERS_MAX];

    private int bufferCount;

    /// Buffers for reuse. Those in `settled` have become trees; slices may still point into them until the next
    /// transaction.
    private final List<WriteSetBuffer> idle = new ArrayList<>(1);

    private final List<WriteSetBuffer> settled = new ArrayList<>(1);
    private final SpilledRuns runs = new SpilledRuns();
    private final HiddenRanges hidden = new HiddenRanges();

    /// Memory and the runs, newest first.
    private WriteSetLayer[] layers = memoryAlone;

    private long memoryEntries;

    /// Returns all layers, newest first, with the writes to the tree `root` in key order.
    WriteSetLayer[] layers(long root) {
        settle(root);
        return layers;
    }

    public boolean isEmpty() {
        return entries() == 0 && hidden.isEmpty();
    }

    /// Ranges removed from the trees as a whole, beneath all entries here.
    HiddenRanges hidden() {
        return hidden;
    }

    /// Whether part of it is in files.
    public boolean isSpilled() {
        return !runs.isEmpty();
    }

    /// Number of entries of all trees, removals included. A key with entries in several layers counts in each.
    long entries() {
        return memoryEntries + runs.entries();
    }

    /// Bytes of the memory that holds its entries.
    long bytes() {
        long bytes = space.bytes();
        for (int i = 0; i < bufferCount; i++) {
            bytes += buffer(i).memoryBytes();
        }
        return bytes;
    }

    /// Bytes of its entries, and of whole pages for those in trees.
    long entryBytes() {
        long bytes = space.bytes();
        for (int i = 0; i < bufferCount; i++) {
            bytes += buffer(i).entries().used();
        }
        return bytes;
    }

    /// Whether its entries, of `all` bytes ([#entryBytes]), have more than `bytes` each on average; false if some are in
    /// trees.
    boolean isWide(long all, long bytes) {
        return memory.trees() == 0 && all > bytes * entries();
    }

    /// Native bytes taken from the operating system.
    long memoryBytes() {
        long bytes = space.memoryBytes();
        for (int i = 0; i < bufferCount; i++) {
            bytes += buffer(i).memoryBytes();
        }
        for (WriteSetBuffer buffer : idle) {
            bytes += buffer.memoryBytes();
        }
        for (WriteSetBuffer buffer : settled) {
            bytes += buffer.memoryBytes();
        }
        return bytes;
    }

    /// Whether the write set has writes to the tree `root`.
    boolean has(long root) {
        if (bufferOf(root) != null || memory.rootOf(root) != 0 || hidden.has(root)) {
            return true;
        }
        for (int i = 1; i < layers.length; i++) {
            if (layers[i].rootOf(root) != 0) {
                return true;
            }
        }
        return false;
    }

    /// Estimates the entries in a range of a tree, summed over the layers.
    long estimate(long root, Slice low, @Nullable Slice high) {
        long estimate = 0;
        for (WriteSetLayer layer : layers(root)) {
            long own = layer.rootOf(root);
            estimate += own == 0 ? 0 : new TreeRanges(layer.pages).estimate(own, low, high);
        }
        return estimate;
    }

    private WriteSetBuffer buffer(int index) {
        return Objects.requireNonNull(buffers[index], "one in use");
    }

    private @Nullable WriteSetBuffer bufferOf(long root) {
        for (int i = 0; i < bufferCount; i++) {
            WriteSetBuffer buffer = buffer(i);
            if (buffer.root() == root) {
                return buffer;
            }
        }
        return null;
    }

    /// Returns the buffer of a tree, perhaps a new one; null if its writes go to a tree.
    private @Nullable WriteSetBuffer bufferFor(long root) {
        WriteSetBuffer known = bufferOf(root);
        if (known != null || bufferCount == BUFFERS_MAX || memory.rootOf(root) != 0) {
            return known;
        }
        WriteSetBuffer begun = idle.isEmpty() ? new WriteSetBuffer() : idle.removeLast();
        begun.begin(root);
        int at = bufferCount++;
        for (; at > 0 && buffer(at - 1).root() > root; at--) {
            buffers[at] = buffers[at - 1];
        }
        buffers[at] = begun;
        return begun;
    }

    /// Moves the buffered writes of the tree `root` to a tree in memory.
    private void settle(long root) {
        WriteSetBuffer buffer = bufferOf(root);
        if (buffer != null) {
            settle(buffer);
        }
    }

    private void settle(WriteSetBuffer buffer) {
        boolean done = false;
        try {
            plant(buffer);
            done = true;
        } finally {
            if (!done && memory.rootOf(buffer.root()) != 0) {
                memory.removeLast(); // a half-filled tree; the buffer still has everything
            }
        }
        int at = 0;
        while (buffer(at).root() != buffer.root()) {
            at++;
        }
        bufferCount--;
        System.arraycopy(buffers, at + 1, buffers, at, bufferCount - at);
        buffers[bufferCount] = null;
        if (buffer.isSmall()) {
            settled.add(buffer);
        }
    }

    private void plant(WriteSetBuffer buffer) {
        buffer.sort();
        long own = rootFor(buffer.root());
        WriteSetEntries sorted = buffer.entries();
        Slice value = new Slice();
        for (int i = 0; i < sorted.count(); i++) {
            sorted.get(i, key, value);
            editor.set(own, editor.find(own, key), key, value);
        }
    }

    private void settleAll() {
        while (bufferCount > 0) {
            settle(buffer(bufferCount - 1));
        }
    }

    private long rootFor(long root) {
        long own = memory.rootOf(root);
        if (own == 0) {
            own = editor.create();
            memory.add(root, own);
        }
        return own;
    }

    /// Looks `wanted` up; points `out` at the value if there is one.
    public Found find(long root, Slice wanted, Slice out) {
        WriteSetBuffer buffer = bufferOf(root);
        if (buffer != null) {
            int index = buffer.find(wanted);
            if (index != WriteSetBuffer.NONE) {
                return buffer.value(index, out) ? Found.VALUE : Found.DELETED;
            }
        }
        long own = memory.rootOf(root);
        if (own != 0) {
            int slot = editor.find(own, wanted);
            if (slot >= 0) {
                return found(memory, slot, out);
            }
        }
        Found found = runs.isEmpty() ? Found.NOTHING : findInRuns(root, wanted, out);
        boolean gone = found == Found.NOTHING && !hidden.isEmpty() && hidden.hides(root, wanted);
        return gone ? Found.DELETED : found;
    }

    private Found findInRuns(long root, Slice wanted, Slice out) {
        for (int i = 1; i < layers.length; i++) {
            WriteSetLayer layer = layers[i];
            long own = layer.rootOf(root);
            if (own != 0) {
                int slot = layer.reader.search(own, wanted);
                if (slot >= 0) {
                    return found(layer, slot, out);
                }
            }
        }
        return Found.NOTHING;
    }

    /// Reads the entry at `slot` of the located leaf.
    private static Found found(WriteSetLayer layer, int slot, Slice out) {
        Pages at = layer.pages;
        if (Node.isAbsent(at.segment, at.at, slot)) {
            return Found.DELETED;
        }
        layer.reader.value(at.segment, at.at, slot, out);
        return Found.VALUE;
    }

    /// Maps `changed` to `becomes`, replacing any entry here. The lengths have been checked.
    public void put(long root, Slice changed, Slice becomes) {
        WriteSetBuffer buffer = bufferFor(root);
        if (buffer != null && buffer.takes(changed, becomes)) {
            memoryEntries += buffer.put(changed, becomes) ? 1 : 0;
            return;
        }
        if (buffer != null) {
            settle(buffer);
        }
        long own = rootFor(root);
        int found = editor.find(own, changed);
        editor.set(own, found, changed, becomes);
        memoryEntries += found < 0 ? 1 : 0;
    }

    /// Records the removal of `changed`, whether the snapshot has it or not.
    public void remove(long root, Slice changed) {
        put(root, changed, absent);
    }

    /// Removes the entry of `kept` from memory, so that the snapshot shows through again; false if there is none.
    boolean forget(long root, Slice kept) {
        settle(root);
        long own = memory.rootOf(root);
        if (own == 0 || !editor.delete(own, kept)) {
            return false;
        }
        memoryEntries--;
        return true;
    }

    /// Forgets all writes to a dropped tree. Affects only memory.
    void forgetTree(long root) {
        settle(root);
        long own = memory.rootOf(root);
        if (own == 0) {
            return;
        }
        long forgotten = new TreeRanges(space.pages).count(own, new Slice(), null);
        memoryEntries -= forgotten;
        editor.drop(own);
        memory.removeLast();
    }

    /// Writes the entries in memory to a file. Cursors must reposition.
    ///
    /// @throws dev.oriel.store.LimitException if there is no room; nothing has changed then
    void spill(TemporaryFiles files) {
        settleAll();
        if (memoryEntries > 0) {
            runs.add(files, memory);
        }
        memoryEntries = 0;
        memory.clear();
        space.begin();
        editor.begin();
        try {
            runs.merge(files);
        } finally {
            layersChanged();
        }
    }

    private void layersChanged() {
        WriteSetLayer[] changed = new WriteSetLayer[1 + runs.count()];
        changed[0] = memory;
        for (int i = 1; i < changed.length; i++) {
            changed[i] = runs.layer(i - 1);
        }
        layers = changed;
    }

    /// Applies the write set to the real trees, in the order of their roots and of keys.
    ///
    /// @param between called after each few entries; nothing is half done then
    public void apply(TreeEditor target, Runnable between) {
        hidden.apply(target, between);
        Slice value = new Slice(); // not kept: a long value would keep its memory
        if (isSpilled()) {
            settleAll();
            applyMerged(target, value, between);
            return;
        }
        int next = 0;
        for (int i = 0; i < memory.trees(); i++) {
            while (next < bufferCount && buffer(next).root() < memory.root(i)) {
                applyBuffer(buffer(next++), target, value, between);
            }
            applyTree(i, target, value, between);
        }
        while (next < bufferCount) {
            applyBuffer(buffer(next++), target, value, between);
        }
    }

    private void applyBuffer(
            WriteSetBuffer buffer, TreeEditor target, Slice value, Runnable between) {
        buffer.sort();
        WriteSetEntries sorted = buffer.entries();
        long root = buffer.root();
        int count = 0;
        int i = 0;
        while (i < sorted.count()) {
            sorted.get(i, key, value);
            if (value.length() < 0) {
                target.delete(root, key);
            } else {
                target.put(root, key, value, true);
            }
            i++;
            i += target.append(root, sorted, i);
            if (++count % STRETCH == 0) {
                between.run();
            }
        }
    }

    private void applyTree(int number, TreeEditor target, Slice value, Runnable between) {
        memory.reader.outermostLeaf(memory.own(number), false);
        long leaf;
        do {
            leaf = applyLeaf(memory.root(number), target, value);
            between.run();
            if (leaf != 0) {
                space.pages.locate(leaf);
            }
        } while (leaf != 0);
    }

    /// Whether it only adds entries behind those of their trees, of which `deltas` has none.
    ///
    /// @param reader reads `pages`
    boolean appends(Deltas deltas, Pages pages, TreeReader reader) {
        if (!isGatherable() || memory.trees() > 0) {
            return false;
        }
        for (int i = 0; i < bufferCount; i++) {
            WriteSetBuffer buffer = buffer(i);
            if (!buffer.isAscending() || deltas.has(buffer.root())) {
                return false;
            }
            reader.outermostLeaf(buffer.root(), true);
            buffer.entries().key(0, key);
            int count = Page.count(pages.segment, pages.at);
            if (count > 0 && Node.compareKey(pages.segment, pages.at, count - 1, key) >= 0) {
                return false;
            }
        }
        return true;
    }

    /// Whether a commit may leave it outside of pages: it has entries alone, all of them in memory.
    boolean isGatherable() {
        return !isSpilled() && hidden.isEmpty();
    }

    /// Adds all entries to `layer`.
    void addTo(DeltaLayer layer) {
        for (int i = 0; i < bufferCount; i++) {
            layer.add(buffer(i).root(), buffer(i).entries());
        }
        if (memory.trees() > 0) {
            addTreesTo(layer);
        }
    }

    private void addTreesTo(DeltaLayer layer) {
        OwnCursor cursor = new OwnCursor();
        Slice value = new Slice();
        for (int i = 0; i < memory.trees(); i++) {
            long root = memory.root(i);
            cursor.reset(SpilledRuns.Reader.ONLY, memoryAlone, root);
            for (boolean more = cursor.edge(true); more; more = cursor.step(true)) {
                cursor.key(key);
                if (cursor.isAbsent()) {
                    layer.add(root, key, absent);
                } else {
                    cursor.value(value);
                    layer.add(root, key, value);
                }
            }
        }
    }

    /// Passes each key written to `target`, tree by tree.
    void eachKey(KeyTarget target) {
        settleAll();
        OwnCursor cursor = new OwnCursor();
        for (long root : SpilledRuns.roots(layers)) {
            cursor.reset(SpilledRuns.Reader.ONLY, layers, root);
            for (boolean more = cursor.edge(true); more; more = cursor.step(true)) {
                cursor.key(key);
                target.written(root, key);
            }
        }
    }

    /// Callback of [#eachKey].
    @FunctionalInterface
    interface KeyTarget {
        void written(long root, Slice key);
    }

    private void applyMerged(TreeEditor target, Slice value, Runnable between) {
        OwnCursor cursor = new OwnCursor();
        int count = 0;
        for (long root : SpilledRuns.roots(layers)) {
            cursor.reset(SpilledRuns.Reader.ONLY, layers, root);
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

    /// Applies the located leaf, and returns the next one.
    private long applyLeaf(long root, TreeEditor target, Slice value) {
        MemorySegment segment = space.pages.segment;
        long at = space.pages.at;
        int count = Page.count(segment, at);
        for (int slot = 0; slot < count; slot++) {
            key.setOwn(Node.prefix(segment, at) + Node.suffixLength(segment, at, slot));
            Node.copyKey(segment, at, slot, key.segment(), 0);
            if (Node.isAbsent(segment, at, slot)) {
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
        hidden.clear();
        memory.clear();
        memoryEntries = 0;
        space.clear();
        editor.begin();
        while (bufferCount > 0) {
            settled.add(buffer(--bufferCount));
            buffers[bufferCount] = null;
        }
        while (!settled.isEmpty()) {
            WriteSetBuffer ended = settled.removeLast();
            ended.clear();
            if (idle.size() < BUFFERS_MAX) {
                idle.add(ended);
            }
        }
        if (isSpilled()) {
            runs.clear();
            layers = memoryAlone;
        }
    }
}
