package dev.oriel.store.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.model.Model;
import dev.oriel.store.tree.TreeEditor;
import dev.oriel.store.tree.TreeReader;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.State;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Trees of a store without files, a snapshot of them with a write set on top, cursors over both, and the expected
/// content of all of them, as maps.
public final class LayeredModel extends CursorOwner {
    private final FramePool framePool = new FramePool();
    private final PageTable table = new PageTable(framePool);
    private State state = new State(0, 0, 0, 0, 0, table.view(), framePool.chunks());
    private final PageWriter writer = new PageWriter(null, table, framePool, state);
    private final TreeEditor editor = new TreeEditor(writer);
    private final Pages snapshotPages = new Pages(null, state);
    private final TreeReader snapshotReader = new TreeReader(snapshotPages);
    private Pages pages = snapshotPages;
    private TreeReader reader = snapshotReader;
    private final List<MergedCursor> cursors = new ArrayList<>();
    private final Map<MergedCursor, Position> positions = new HashMap<>();
    final WriteSet writeSet = new WriteSet();
    final List<Layers> trees = new ArrayList<>();

    /// One tree: its committed entries, its write set, and both together.
    static final class Layers {
        final long root;
        final NavigableMap<String, String> committed = new TreeMap<>();
        final NavigableMap<String, Optional<String>> written = new TreeMap<>();
        final NavigableMap<String, String> seen = new TreeMap<>();

        /// Keys of committed entries that were removed as a range.
        final Set<String> hidden = new TreeSet<>();

        Layers(long root) {
            this.root = root;
        }

        private void merge() {
            seen.clear();
            seen.putAll(committed);
            seen.keySet().removeAll(hidden);
            written.forEach((key, value) -> {
                if (value.isPresent()) {
                    seen.put(key, value.get());
                } else {
                    seen.remove(key);
                }
            });
        }
    }

    /// The expected position of a cursor.
    private static final class Position {
        final Layers tree;
        @Nullable String key;

        /// Exclusive upper bound of the cursor.
        @Nullable String end;

        boolean changed;

        Position(Layers tree) {
            this.tree = tree;
        }
    }

    LayeredModel(int treeCount) {
        writer.begin(state);
        writer.create();
        editor.begin();
        for (int i = 0; i < treeCount; i++) {
            trees.add(new Layers(editor.create()));
        }
        publish();
    }

    private void publish() {
        state = writer.committed(0, Deltas.NONE);
        snapshotPages.use(state.txid(), state.versions(), state.frames());
    }

    @Override
    public void checkOpen() {}

    @Override
    public Pages pages() {
        return pages;
    }

    @Override
    TreeReader reader() {
        return reader;
    }

    @Override
    Deltas deltas() {
        return Deltas.NONE;
    }

    @Override
    WriteSet writeSet() {
        return writeSet;
    }

    boolean isRegistered(MergedCursor cursor) {
        return cursors.contains(cursor);
    }

    @Override
    void register(MergedCursor cursor) {
        cursors.add(cursor);
    }

    @Override
    void forget(MergedCursor cursor) {
        cursors.remove(cursor);
    }

    MergedCursor cursor(Layers tree) {
        MergedCursor cursor = new MergedCursor(this, tree.root);
        positions.put(cursor, new Position(tree));
        return cursor;
    }

    /// Another transaction commits `change`, and the snapshot moves there.
    void commit(Layers tree, Map<String, Optional<String>> change) {
        saveKeys();
        begin();
        change.forEach((key, value) -> {
            if (value.isPresent()) {
                editor.put(tree.root, Model.slice(key), Model.slice(value.get()), true);
                tree.committed.put(key, value.get());
            } else {
                editor.delete(tree.root, Model.slice(key));
                tree.committed.remove(key);
            }
        });
        publish();
        tree.merge();
    }

    private void begin() {
        writer.begin(state);
        editor.begin();
    }

    private void saveKeys() {
        cursors.forEach(MergedCursor::saveKey);
        positions.values().forEach(position -> position.changed = true);
    }

    /// The transaction commits: others see its writes.
    void apply() {
        saveKeys();
        begin();
        writeSet.apply(editor, () -> {});
        publish();
        writeSet.clear();
        trees.forEach(LayeredModel::applyToModel);
    }

    private static void applyToModel(Layers tree) {
        tree.committed.clear();
        tree.committed.putAll(tree.seen);
        tree.written.clear();
        tree.hidden.clear();
    }

    /// The transaction writes to the trees directly during `work`.
    void direct(Runnable work) {
        saveKeys();
        begin();
        writeSet.apply(editor, () -> {});
        writeSet.clear();
        trees.forEach(LayeredModel::applyToModel);
        rebase(writer.pages, new TreeReader(writer.pages));
        work.run();
        saveKeys();
        publish();
        rebase(snapshotPages, snapshotReader);
    }

    private void rebase(Pages others, TreeReader otherReader) {
        pages = others;
        reader = otherReader;
        cursors.forEach(cursor -> cursor.rebase(others, otherReader));
    }

    /// The write set leaves memory.
    void spill(TemporaryFiles files) {
        saveKeys();
        writeSet.spill(files);
    }

    void putDirectly(Layers tree, String key, String value) {
        saveKeys();
        editor.put(tree.root, Model.slice(key), Model.slice(value), true);
        tree.committed.put(key, value);
        tree.seen.put(key, value);
    }

    void put(Layers tree, String key, String value) {
        beforeWrite(tree);
        writeSet.put(tree.root, Model.slice(key), Model.slice(value));
        tree.written.put(key, Optional.of(value));
        tree.seen.put(key, value);
    }

    void remove(Layers tree, String key) {
        beforeWrite(tree);
        writeSet.remove(tree.root, Model.slice(key));
        tree.written.put(key, Optional.empty());
        tree.seen.remove(key);
    }

    void forget(Layers tree, String key) {
        beforeWrite(tree);
        boolean known = tree.written.remove(key) != null;
        assertEquals(known, writeSet.forget(tree.root, Model.slice(key)));
        String committed = tree.committed.get(key);
        if (committed == null || tree.hidden.contains(key)) {
            tree.seen.remove(key);
        } else {
            tree.seen.put(key, committed);
        }
    }

    /// Removes the range as a whole, and its entries in the write set one by one. Until it is applied, no other
    /// transaction may change the tree.
    void hide(Layers tree, String from, @Nullable String to) {
        saveKeys();
        writeSet.hidden().add(tree.root, Model.slice(from), to == null ? null : Model.slice(to));
        tree.hidden.addAll(part(tree.committed, from, to).keySet());
        for (Map.Entry<String, Optional<String>> entry :
                List.copyOf(part(tree.written, from, to).entrySet())) {
            if (entry.getValue().isPresent()) {
                writeSet.remove(tree.root, Model.slice(entry.getKey()));
                tree.written.put(entry.getKey(), Optional.empty());
            }
        }
        part(tree.seen, from, to).clear();
    }

    private static <V> NavigableMap<String, V> part(
            NavigableMap<String, V> map, String from, @Nullable String to) {
        return to == null ? map.tailMap(from, true) : map.subMap(from, true, to, false);
    }

    private void beforeWrite(Layers tree) {
        cursors.forEach(cursor -> cursor.saveKey(tree.root));
        positions.forEach((cursor, position) -> position.changed |= position.tree == tree);
    }

    void seek(MergedCursor cursor, String key) {
        position(cursor).end = null;
        expect(cursor, seen(cursor).ceilingKey(key), cursor.seek(Model.slice(key)));
    }

    /// Seeks within the entries below `end`.
    void seek(MergedCursor cursor, String key, String end) {
        Slice before = Model.slice(end);
        position(cursor).end = end;
        String first = beforeEnd(cursor, seen(cursor).ceilingKey(key));
        expect(cursor, first, cursor.seek(Model.slice(key), before));
    }

    private @Nullable String beforeEnd(MergedCursor cursor, @Nullable String key) {
        String end = position(cursor).end;
        return key != null && end != null && key.compareTo(end) >= 0 ? null : key;
    }

    void seekBefore(MergedCursor cursor, String key) {
        position(cursor).end = null;
        expect(cursor, seen(cursor).lowerKey(key), cursor.seekBefore(Model.slice(key)));
    }

    void first(MergedCursor cursor) {
        position(cursor).end = null;
        NavigableMap<String, String> seen = seen(cursor);
        expect(cursor, seen.isEmpty() ? null : seen.firstKey(), cursor.first());
    }

    void last(MergedCursor cursor) {
        position(cursor).end = null;
        NavigableMap<String, String> seen = seen(cursor);
        expect(cursor, seen.isEmpty() ? null : seen.lastKey(), cursor.last());
    }

    void next(MergedCursor cursor) {
        String at = position(cursor).key;
        String next = at == null ? null : beforeEnd(cursor, seen(cursor).higherKey(at));
        expect(cursor, next, cursor.next());
    }

    void previous(MergedCursor cursor) {
        String at = position(cursor).key;
        expect(cursor, at == null ? null : seen(cursor).lowerKey(at), cursor.previous());
    }

    private Position position(MergedCursor cursor) {
        Position position = positions.get(cursor);
        if (position == null) {
            throw new AssertionError("a cursor of somebody else");
        }
        return position;
    }

    private NavigableMap<String, String> seen(MergedCursor cursor) {
        return position(cursor).tree.seen;
    }

    /// The last key of the cursor, if any.
    @Nullable String key(MergedCursor cursor) {
        return position(cursor).key;
    }

    /// Verifies the number of steps below `bound` that the cursor knows, and returns it.
    int assertSteps(MergedCursor cursor, String bound) {
        Position position = position(cursor);
        if (position.key == null || position.changed || bound.compareTo(position.key) <= 0) {
            return 0;
        }
        int steps = cursor.stepsBelow(Model.slice(bound));
        int below = position.tree.seen.subMap(position.key, false, bound, false).size();
        assertTrue(steps <= below, () -> steps + " steps, " + below + " entries");
        return steps;
    }

    private void expect(MergedCursor cursor, @Nullable String key, boolean found) {
        assertEquals(key, found ? Model.text(keyOf(cursor)) : null);
        position(cursor).key = key;
        position(cursor).changed = false;
        assertStands(cursor);
    }

    private static Slice keyOf(MergedCursor cursor) {
        Slice slice = new Slice();
        cursor.key(slice);
        return slice;
    }

    /// Fails unless the cursor has the expected entry, or says that it has none.
    void assertStands(MergedCursor cursor) {
        Position position = position(cursor);
        Slice slice = new Slice();
        if (position.key == null || position.changed) {
            assertThrows(UsageException.class, () -> cursor.value(slice));
            return;
        }
        Slice key = keyOf(cursor);
        assertEquals(position.key, Model.text(key));
        assertEquals(position.key.length(), cursor.keyLength());
        assertEquals(0, cursor.compareKeyTo(key));
        cursor.value(slice);
        assertEquals(position.tree.seen.get(position.key), Model.text(slice));
    }

    /// Fails unless a new cursor sees all entries, in both directions.
    void assertScans(Layers tree) {
        MergedCursor cursor = cursor(tree);
        first(cursor);
        for (int i = 0; i < tree.seen.size(); i++) {
            assertNotNull(key(cursor));
            next(cursor);
        }
        assertNull(key(cursor));
        last(cursor);
        for (int i = 0; i < tree.seen.size(); i++) {
            assertNotNull(key(cursor));
            previous(cursor);
        }
        assertNull(key(cursor));
        cursors.remove(cursor);
        positions.remove(cursor);
    }
}
