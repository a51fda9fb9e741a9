package dev.oriel.store.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.delta.Found;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.transaction.WriteSet;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.State;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Write sets of several transactions are applied to one tree in one commit. Runs of keys continue existing ones,
/// or runs that another transaction has just applied; other keys come between them.
final class WriteSetApplyTest {
    private final FramePool framePool = new FramePool();
    private final PageTable table = new PageTable(framePool);
    private State state = new State(0, 0, 0, 0, 0, table.view(), framePool.chunks());
    private final PageWriter writer = new PageWriter(null, table, framePool, state);
    private final TreeEditor editor = new TreeEditor(writer);
    private final TreeMap<String, String> model = new TreeMap<>();
    private final Slice value = new Slice();

    private void begin() {
        writer.begin(state);
        editor.begin();
    }

    private void assertTree(long root) {
        TreeReader reader = new TreeReader(writer.pages);
        model.forEach((key, text) -> {
            assertTrue(reader.get(root, Model.slice(key), value), () -> "lost: " + key);
            assertEquals(text, Model.text(value));
        });
        long count = new TreeRanges(writer.pages).count(root, new Slice(), null);
        assertEquals(model.size(), count);
        String before = "";
        long leaf = reader.outermostLeaf(root, false);
        while (leaf != 0) {
            writer.pages.locate(leaf);
            int slots = Page.count(writer.pages.segment, writer.pages.at);
            for (int i = 0; i < slots; i++) {
                byte[] bytes = Node.key(writer.pages.segment, writer.pages.at, i);
                String key = Model.text(Slice.copyOf(bytes));
                assertTrue(before.compareTo(key) < 0 || before.isEmpty());
                before = key;
            }
            leaf = Page.link(writer.pages.segment, writer.pages.at);
        }
    }

    /// Puts a run of keys at intervals of `step` into its own write set, and applies it.
    private void applyRun(Gen gen, long root, int first, int step, int length, int valueBytes) {
        WriteSet writeSet = new WriteSet();
        for (int i = 0; i < length; i++) {
            String key = key(gen, first + i * step);
            if (gen.chance(5)) {
                writeSet.remove(root, Model.slice(key));
                model.remove(key);
            } else {
                String text = String.valueOf((char) ('a' + i % 26)).repeat(gen.length(valueBytes));
                writeSet.put(root, Model.slice(key), Model.slice(text));
                model.put(key, text);
            }
            if (gen.chance(2)) {
                String known = model.isEmpty() ? key : model.firstKey();
                writeSet.put(root, Model.slice(known), Model.slice("again"));
                model.put(known, "again");
            }
        }
        writeSet.apply(editor, () -> {});
    }

    private static String key(Gen gen, int number) {
        return "%08d".formatted(number) + (gen.chance(1) ? "x".repeat(gen.below(900)) : "");
    }

    private void run(long seed, int valueBytes) {
        Gen gen = new Gen(Seed.of("WriteSetApplyTest", seed));
        begin();
        writer.create();
        long root = editor.create();
        int end = 0;
        for (int commit = 0; commit < 60; commit++) {
            for (int member = gen.below(4); member >= 0; member--) {
                int length = gen.length(400);
                int first = gen.chance(60) ? end : gen.below(end + 1);
                int step = gen.chance(80) ? 1 : 1 + gen.below(5);
                applyRun(gen, root, first, step, length, valueBytes);
                end = Math.max(end, first + length * step);
            }
            assertTree(root);
            state = writer.committed(0, Deltas.NONE);
            begin();
        }
    }

    @Test
    void runsOfShortEntriesAreWhatTheModelHas() {
        run(1, 12);
    }

    @Test
    void runsOfLongerEntriesAreWhatTheModelHas() {
        run(2, 300);
    }

    @Test
    void runsOfEntriesAroundTheLimitsAreWhatTheModelHas() {
        run(3, 2200);
    }

    /// The second write set finds the first one's run of inserts in the leaf. It overwrites an entry there before
    /// it inserts one in its middle.
    @Test
    void anotherTransactionsRunIsNotContinuedInItsMiddle() {
        begin();
        writer.create();
        long root = editor.create();
        WriteSet first = new WriteSet();
        for (int i = 10; i < 20; i++) {
            first.put(root, Model.slice("key " + i), Model.slice("v"));
            model.put("key " + i, "v");
        }
        first.apply(editor, () -> {});
        WriteSet second = new WriteSet();
        second.put(root, Model.slice("key 12"), Model.slice("w"));
        second.put(root, Model.slice("key 12a"), Model.slice("x"));
        model.put("key 12", "w");
        model.put("key 12a", "x");
        second.apply(editor, () -> {});
        assertTree(root);
    }

    /// A write set left out of a group commit may be retried.
    @Test
    void writeSetThatWasSortedOnceGoesOn() {
        begin();
        writer.create();
        long root = editor.create();
        WriteSet writeSet = new WriteSet();
        for (int i = 0; i < 500; i++) {
            String key = "key " + i * 7919 % 1009;
            writeSet.put(root, Model.slice(key), Model.slice("v" + i));
            model.put(key, "v" + i);
        }
        writeSet.apply(editor, () -> {});
        assertTree(root);
        for (int i = 0; i < 500; i++) {
            String key = "key " + i * 104_729 % 2003;
            writeSet.put(root, Model.slice(key), Model.slice("w" + i));
            model.put(key, "w" + i);
            assertEquals(Found.VALUE, writeSet.find(root, Model.slice(key), value));
            assertEquals("w" + i, Model.text(value));
        }
        writeSet.remove(root, Model.slice("key 7"));
        model.remove("key 7");
        writeSet.apply(editor, () -> {});
        assertTree(root);
        assertFalse(writeSet.isEmpty());
    }

    /// An entry beyond a leaf's upper fence may be shorter than the common prefix of the leaf's keys, also so
    /// short that nothing of it would remain there.
    @Test
    void aRunAtALeafsEndIsFollowedByAShorterKeyOfAnotherLeaf() {
        String stem = "a".repeat(20);
        begin();
        writer.create();
        long root = editor.create();
        WriteSet fill = new WriteSet();
        for (int i = 0; i < 2_000; i++) {
            String key = stem + "%06d".formatted(10 * i);
            fill.put(root, Model.slice(key), Model.slice("v".repeat(30)));
            model.put(key, "v".repeat(30));
        }
        fill.apply(editor, () -> {});
        WriteSet thin = new WriteSet();
        for (int i = 0; i < 2_000; i += 2) {
            String key = stem + "%06d".formatted(10 * i);
            thin.remove(root, Model.slice(key));
            model.remove(key);
        }
        thin.apply(editor, () -> {});
        state = writer.committed(0, Deltas.NONE);
        begin();
        String end = lastKeyOfSecondLeaf(root);
        for (int bytes = 0; bytes < 40; bytes++) {
            WriteSet run = new WriteSet();
            WriteSet undo = new WriteSet();
            for (int i = 0; i < 5; i++) {
                run.put(root, Model.slice(end + i), Model.slice("w"));
                undo.remove(root, Model.slice(end + i));
            }
            String text = "x".repeat(bytes);
            run.put(root, Model.slice("b"), Model.slice(text));
            model.put("b", text);
            run.apply(editor, () -> {});
            undo.apply(editor, () -> {});
            assertTree(root);
            state = writer.committed(0, Deltas.NONE);
            begin();
        }
    }

    /// The first leaf has no lower fence and no prefix.
    private String lastKeyOfSecondLeaf(long root) {
        writer.pages.locate(new TreeReader(writer.pages).outermostLeaf(root, false));
        writer.pages.locate(Page.link(writer.pages.segment, writer.pages.at));
        assertTrue(Node.prefix(writer.pages.segment, writer.pages.at) > 20);
        assertTrue(Page.link(writer.pages.segment, writer.pages.at) != 0, "the last leaf");
        int last = Page.count(writer.pages.segment, writer.pages.at) - 1;
        return Model.text(Slice.copyOf(Node.key(writer.pages.segment, writer.pages.at, last)));
    }
}
