package dev.oriel.store.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Cursors over a snapshot and a transaction's own writes see the content of a map. `-Dcursor.steps=` sets the
/// number of steps of each test.
final class MergedCursorTest {
    private static final int STEPS = Integer.getInteger("cursor.steps", 20_000);

    private final LayeredModel model = new LayeredModel(2);
    private final List<MergedCursor> cursors = new ArrayList<>();

    /// The form of keys in one test.
    private Function<Gen, String> keys = gen -> "";

    /// Files for spilled write sets; null to keep them in memory.
    private @Nullable TemporaryFiles files;

    /// Number of range removals in a thousand writes.
    private int hides;

    private int valueBytesMax = 60;
    private long stepsKnown;

    /// Entries to begin with, and writes among a thousand steps.
    private void run(Gen gen, int filled, int writes) {
        for (LayeredModel.Layers tree : model.trees) {
            fill(gen, tree, filled);
            cursors.add(model.cursor(tree));
            cursors.add(model.cursor(tree));
        }
        for (int i = 0; i < STEPS; i++) {
            if (gen.below(1000) < writes) {
                write(gen, gen.pick(model.trees));
            } else {
                MergedCursor cursor = gen.pick(cursors);
                move(gen, cursor);
                stepsKnown += model.assertSteps(cursor, keys.apply(gen));
            }
            if (gen.below(STEPS / 20) == 0) {
                pause(gen);
            }
        }
        model.trees.forEach(model::assertScans);
        model.apply();
        model.trees.forEach(model::assertScans);
        assertEquals(0, model.writeSet.entries());
        assertTrue(stepsKnown > 0, "no step was ever known");
    }

    private void fill(Gen gen, LayeredModel.Layers tree, int count) {
        NavigableMap<String, Optional<String>> change = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            change.put(keys.apply(gen), Optional.of(value(gen)));
        }
        model.commit(tree, change);
    }

    private String value(Gen gen) {
        int length = gen.chance(1) ? 20_000 : gen.below(valueBytesMax);
        return String.valueOf((char) ('a' + gen.below(26))).repeat(length);
    }

    private void write(Gen gen, LayeredModel.Layers tree) {
        String key = chosenKey(gen, tree);
        if (gen.below(1000) < hides && !model.writeSet.hidden().isFull()) {
            hide(gen, tree, key);
            return;
        }
        switch (gen.weighted(50, 35, files == null ? 15 : 0)) {
            case 0 -> model.put(tree, key, value(gen));
            case 1 -> model.remove(tree, key);
            default -> model.forget(tree, key);
        }
        if (files != null && gen.below(60) == 0) {
            model.spill(files);
        }
        cursors.forEach(model::assertStands);
    }

    /// Some keys from `from` on, or all, or from there to anywhere.
    private void hide(Gen gen, LayeredModel.Layers tree, String from) {
        String to = gen.chance(20) ? null : keys.apply(gen);
        if (to != null && gen.chance(70)) {
            to = from;
            for (int i = gen.below(20); i > 0 && to != null; i--) {
                to = tree.seen.higherKey(to);
            }
        }
        if (to == null || from.compareTo(to) < 0) {
            model.hide(tree, gen.chance(10) ? "" : from, to);
            cursors.forEach(model::assertStands);
        }
    }

    /// Often the key of a cursor or an existing one.
    private String chosenKey(Gen gen, LayeredModel.Layers tree) {
        String key = gen.chance(30) ? model.key(gen.pick(cursors)) : keys.apply(gen);
        if (key != null && gen.chance(40)) {
            key = gen.chance(50) ? tree.seen.higherKey(key) : tree.written.lowerKey(key);
        }
        return key == null ? keys.apply(gen) : key;
    }

    private void move(Gen gen, MergedCursor cursor) {
        if (model.key(cursor) == null && gen.chance(80)) {
            model.seek(cursor, keys.apply(gen));
            return;
        }
        switch (gen.weighted(10, 10, 5, 2, 2, 1, 1, 2)) {
            case 0 -> repeat(gen, () -> model.next(cursor));
            case 1 -> repeat(gen, () -> model.previous(cursor));
            case 2 -> {
                model.next(cursor);
                model.previous(cursor);
            }
            case 3 -> model.seek(cursor, keys.apply(gen));
            case 4 -> model.seekBefore(cursor, keys.apply(gen));
            case 5 -> model.first(cursor);
            case 7 -> model.seek(cursor, keys.apply(gen), keys.apply(gen));
            default -> model.last(cursor);
        }
    }

    private static void repeat(Gen gen, Runnable step) {
        for (int i = gen.length(12); i >= 0; i--) {
            step.run();
        }
    }

    /// An event between statements.
    private void pause(Gen gen) {
        LayeredModel.Layers tree = gen.pick(model.trees);
        switch (gen.below(5)) {
            case 0 -> model.apply();
            case 1 -> commitByAnother(gen, tree);
            case 2 -> model.direct(() -> writeDirectly(gen));
            case 3 -> model.assertScans(tree);
            default -> assertCounts(gen, tree);
        }
    }

    private void commitByAnother(Gen gen, LayeredModel.Layers tree) {
        if (model.writeSet.hidden().has(tree.root)) {
            return; // it is locked
        }
        NavigableMap<String, Optional<String>> change = new TreeMap<>();
        for (int i = gen.below(300); i > 0; i--) {
            String key = chosenKey(gen, tree);
            change.put(key, gen.chance(50) ? Optional.of(value(gen)) : Optional.empty());
        }
        model.commit(tree, change);
    }

    private void writeDirectly(Gen gen) {
        for (int i = gen.below(200); i > 0; i--) {
            if (gen.chance(20)) {
                LayeredModel.Layers tree = gen.pick(model.trees);
                model.putDirectly(tree, chosenKey(gen, tree), value(gen));
            } else {
                move(gen, gen.pick(cursors));
            }
        }
    }

    private void assertCounts(Gen gen, LayeredModel.Layers tree) {
        MergedRanges ranges = new MergedRanges(model, model.writeSet);
        for (int i = 0; i < 50; i++) {
            String from = gen.chance(20) ? "" : keys.apply(gen);
            String to = keys.apply(gen);
            int expected = from.compareTo(to) >= 0 ? 0 : tree.seen.subMap(from, to).size();
            Slice low = Model.slice(from);
            Slice high = Model.slice(to);
            assertEquals(expected, ranges.count(tree.root, low, high));
            assertEquals(tree.seen.tailMap(from).size(), ranges.count(tree.root, low, null));
            long written = from.compareTo(to) >= 0 ? 0 : tree.written.subMap(from, to).size();
            long estimate = ranges.estimate(tree.root, low, high);
            assertTrue(estimate >= 0);
            if (expected < 20 && written < 20) {
                assertTrue(Math.abs(estimate - expected) <= 40 + expected, () -> "" + estimate);
            }
        }
    }

    @Test
    void fewKeysMeetAgainAndAgain() {
        keys = gen -> "k" + (char) ('a' + gen.below(12));
        run(new Gen(Seed.of("MergedCursorTest", 1)), 8, 300);
    }

    @Test
    void emptySnapshotShowsOwnWritesAlone() {
        keys = gen -> "%03d".formatted(gen.below(400));
        run(new Gen(Seed.of("MergedCursorTest", 2)), 0, 100);
    }

    @Test
    void manyLeavesWithFewOwnWrites() {
        keys = gen -> "key %05d".formatted(gen.below(20_000));
        run(new Gen(Seed.of("MergedCursorTest", 3)), 12_000, 5);
    }

    @Test
    void manyLeavesOnBothSides() {
        keys = gen -> "key %05d".formatted(gen.below(8000));
        valueBytesMax = 400;
        run(new Gen(Seed.of("MergedCursorTest", 4)), 4000, 400);
    }

    @Test
    void longKeysWithLongCommonPrefixes() {
        keys =
                gen -> {
                    String stem = "x".repeat(gen.below(3) * 300) + "%02d".formatted(gen.below(20));
                    return stem + "y".repeat(gen.below(2) * 300) + "%02d".formatted(gen.below(30));
                };
        valueBytesMax = 1200;
        run(new Gen(Seed.of("MergedCursorTest", 5)), 600, 200);
    }

    @Test
    void keysOfAnyBytes() {
        keys = gen -> Model.text(Slice.copyOf(gen.bytes(20)));
        run(new Gen(Seed.of("MergedCursorTest", 6)), 500, 200);
    }

    @Test
    void fewKeysOfWhichRangesGo() {
        keys = gen -> "k" + (char) ('a' + gen.below(12));
        hides = 100;
        run(new Gen(Seed.of("MergedCursorTest", 10)), 8, 300);
    }

    @Test
    void manyLeavesOfWhichRangesGo() {
        keys = gen -> "key %05d".formatted(gen.below(8000));
        hides = 10;
        run(new Gen(Seed.of("MergedCursorTest", 11)), 4000, 200);
    }

    @Test
    void manyLayersOfWhichRangesGo() {
        keys = gen -> "key %04d".formatted(gen.below(2000));
        hides = 30;
        inLayers(new Gen(Seed.of("MergedCursorTest", 12)), 1000, 200);
    }

    @Test
    void fewKeysMeetInManyLayers() {
        keys = gen -> "k" + (char) ('a' + gen.below(12));
        inLayers(new Gen(Seed.of("MergedCursorTest", 7)), 8, 300);
    }

    @Test
    void manyLeavesInManyLayers() {
        keys = gen -> "key %05d".formatted(gen.below(8000));
        valueBytesMax = 400;
        inLayers(new Gen(Seed.of("MergedCursorTest", 8)), 4000, 200);
    }

    @Test
    void keysOfAnyBytesInManyLayers() {
        keys = gen -> Model.text(Slice.copyOf(gen.bytes(20)));
        inLayers(new Gen(Seed.of("MergedCursorTest", 9)), 500, 100);
    }

    private void inLayers(Gen gen, int filled, int writes) {
        SimDirectory directory = new SimDirectory();
        files = new TemporaryFiles(directory);
        run(gen, filled, writes);
        assertEquals(List.of(), directory.list());
    }

    @Test
    void cursorGoesFromTransactionToTransactionAndTreeToTree() {
        LayeredModel.Layers first = model.trees.getFirst();
        LayeredModel.Layers second = model.trees.getLast();
        model.put(first, "a", "1");
        MergedCursor cursor = new MergedCursor(model, first.root);
        assertTrue(cursor.first());
        assertFalse(cursor.next());
        cursor.reset(model, second.root);
        assertFalse(cursor.next());
        assertFalse(cursor.first());
        LayeredModel other = new LayeredModel(1);
        other.put(other.trees.getFirst(), "b", "2");
        cursor.reset(other, other.trees.getFirst().root);
        assertTrue(other.isRegistered(cursor));
        assertFalse(model.isRegistered(cursor));
        assertTrue(cursor.last());
        Slice slice = new Slice();
        cursor.key(slice);
        assertEquals("b", slice.toText());
    }
}
