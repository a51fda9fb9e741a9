package dev.oriel.store.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageStructure;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.State;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Runs of entries in key order are merged into a tree beside a model, and into an equal tree one by one.
final class RunMergeTest {
    private static final String SHARED = "shared/";
    private static final String REMOVED = "removed";

    private final FramePool framePool = new FramePool();
    private final PageTable table = new PageTable(framePool);
    private State state = new State(0, 0, 0, 0, 0, table.view(), framePool.chunks());
    private final PageWriter writer = new PageWriter(null, table, framePool, state);
    private final TreeEditor editor = new TreeEditor(writer);
    private final RunMerge merge = new RunMerge(editor);
    private final TreeMap<String, String> model = new TreeMap<>();
    private final Slice value = new Slice();

    private long begin() {
        writer.begin(state);
        editor.begin();
        writer.create();
        return editor.create();
    }

    private void commit() {
        state = writer.committed(0, Deltas.NONE);
        writer.begin(state);
        editor.begin();
    }

    /// Points both slices at one piece of memory, as entries above the pages lie.
    private void put(long root, String key, String text) {
        Slice both = Model.slice(key + text);
        int keyBytes = Model.slice(key).length();
        Slice keyPart = new Slice().set(both.segment(), both.offset(), keyBytes);
        Slice rest =
                new Slice().set(both.segment(), both.offset() + keyBytes, both.length() - keyBytes);
        merge.put(root, keyPart, rest);
        model.put(key, text);
    }

    private void change(long root, String key, String text) {
        if (text.equals(REMOVED)) {
            merge.delete(root, Model.slice(key));
            model.remove(key);
        } else {
            put(root, key, text);
        }
    }

    /// Returns the mean part of the leaves that is used, after a look at every entry.
    private double check(long root) {
        TreeReader reader = new TreeReader(writer.pages);
        model.forEach((key, text) -> {
            assertTrue(reader.get(root, Model.slice(key), value), () -> "lost: " + key);
            assertEquals(text, Model.text(value));
        });
        assertEquals(model.size(), new TreeRanges(writer.pages).count(root, new Slice(), null));
        long used = 0;
        int leaves = 0;
        long leaf = reader.outermostLeaf(root, false);
        while (leaf != 0) {
            writer.pages.locate(leaf);
            assertEquals("", PageStructure.wrong(writer.pages.segment, writer.pages.at));
            used += Node.used(writer.pages.segment, writer.pages.at);
            leaves++;
            leaf = Page.link(writer.pages.segment, writer.pages.at);
        }
        return (double) used / Node.ROOM / leaves;
    }

    private void mergeRuns(
            long seed, int commits, int length, int keyBytes, int valueBytes, int removals) {
        Gen gen = new Gen(Seed.of("RunMergeTest", seed));
        long root = begin();
        for (int commit = 0; commit < commits; commit++) {
            TreeMap<String, String> run = new TreeMap<>();
            int from = gen.below(100_000);
            int width = 1 + gen.length(100_000);
            for (int i = gen.length(length); i >= 0; i--) {
                String number = "%06d".formatted(from + gen.below(width));
                String tail = gen.chance(5) ? "t".repeat(gen.length(keyBytes)) : "";
                String key = SHARED + number + tail;
                if (gen.chance(removals)) {
                    String known = gen.chance(80) ? model.ceilingKey(key) : null;
                    run.put(known == null ? key : known, REMOVED);
                } else {
                    run.put(key, "v".repeat(gen.length(valueBytes)));
                }
            }
            run.forEach((key, text) -> change(root, key, text));
            merge.flush();
            double _ = check(root);
            commit();
        }
    }

    @Test
    void runsOfShortEntriesAreWhatTheModelHas() {
        mergeRuns(1, 40, 3_000, 10, 12, 3);
    }

    @Test
    void runsOfLongerEntriesAreWhatTheModelHas() {
        mergeRuns(2, 40, 1_000, 200, 300, 3);
    }

    @Test
    void runsOfEntriesAroundTheLimitsAreWhatTheModelHas() {
        mergeRuns(3, 40, 200, Node.KEY_BYTES_MAX - 20, 2_200, 3);
    }

    @Test
    void runsWithManyRemovalsAreWhatTheModelHas() {
        mergeRuns(4, 60, 3_000, 10, 60, 50);
    }

    /// Between each two entries of the tree come many of the run.
    @Test
    void pagesAreFullAfterADenseRun() {
        long root = begin();
        for (int i = 0; i < 3_000; i++) {
            put(root, SHARED + "%06d".formatted(20 * i), "v".repeat(100));
        }
        merge.flush();
        commit();
        for (int i = 0; i < 60_000; i++) {
            if (i % 20 != 0) {
                put(root, SHARED + "%06d".formatted(i), "w".repeat(100));
            }
        }
        merge.flush();
        double used = check(root);
        assertTrue(used > 0.9, () -> "used " + used);
    }

    /// About as many entries come as there are, so that each leaf has to become two.
    @Test
    void pagesAreNoEmptierThanOneByOneAfterAThinRun() {
        long root = begin();
        long other = editor.create();
        SplittableRandom random = new SplittableRandom(7);
        for (int round = 0; round < 12; round++) {
            TreeMap<String, String> run = new TreeMap<>();
            for (int i = 0; i < 2_000; i++) {
                run.put("%09d".formatted(random.nextInt(1_000_000_000)), "v".repeat(100));
            }
            run.forEach((key, text) -> {
                put(root, key, text);
                editor.put(other, Model.slice(key), Model.slice(text), true);
            });
            merge.flush();
            commit();
        }
        double merged = check(root);
        double singly = check(other);
        assertTrue(merged > singly - 0.02, () -> merged + " against " + singly);
    }
}
