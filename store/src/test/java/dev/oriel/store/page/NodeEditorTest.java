package dev.oriel.store.page;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// Random changes of single leaves, compared with a map after each step; and the small number of bytes that such a
/// step changes.
final class NodeEditorTest {
    private static final String STEM = "stem ";

    private final MemorySegment page = Arena.ofAuto().allocate(Page.BYTES, 8);
    private final MemorySegment other = Arena.ofAuto().allocate(Page.BYTES, 8);
    private final MemorySegment before = Arena.ofAuto().allocate(Page.BYTES, 8);
    private final NodeEditor nodes = new NodeEditor(true);
    private final NavigableMap<String, String> model = new TreeMap<>();

    private static Slice slice(String text) {
        return Model.slice(text);
    }

    private int search(String key) {
        Slice wanted = slice(key);
        return Node.search(page, 0, wanted.segment(), wanted.offset(), wanted.length());
    }

    /// False if the page has no room for it.
    private boolean put(MemorySegment segment, int slot, String key, String value) {
        int bytes = Node.LEAF_CELL + key.length() - Node.prefix(segment, 0) + value.length();
        if (Node.free(segment, 0) < bytes + Node.SLOT_BYTES) {
            return false;
        }
        Slice keySlice = slice(key);
        long cell = nodes.open(segment, 0, slot, keySlice, bytes);
        Page.setShort(segment, cell, value.length());
        MemorySegment.copy(
                slice(value).segment(), 0, segment, cell + bytes - value.length(), value.length());
        return true;
    }

    private void put(String key, String value) {
        int found = search(key);
        if (found < 0 && put(page, -1 - found, key, value)) {
            model.put(key, value);
        }
    }

    private void remove(int from, int to) {
        List<String> keys = new ArrayList<>(model.keySet()).subList(from, to);
        model.keySet().removeAll(new ArrayList<>(keys));
        Node.remove(page, 0, from, to);
    }

    private void assertModel() {
        assertEquals(model.size(), Page.count(page, 0));
        BitSet taken = new BitSet(Page.BYTES);
        taken.set(0, Page.HEADER_BYTES + model.size() * Node.SLOT_BYTES);
        taken.set((int) Node.fences(page, 0), Page.BYTES);
        int slot = 0;
        for (Map.Entry<String, String> entry : model.entrySet()) {
            byte[] key = entry.getKey().getBytes(StandardCharsets.ISO_8859_1);
            assertArrayEquals(key, Node.key(page, 0, slot));
            assertEquals(slot, search(entry.getKey()));
            int length = Node.storedBytes(page, 0, slot);
            Slice value = new Slice().set(page, Node.value(page, 0, slot), length);
            assertEquals(entry.getValue(), Model.text(value));
            int from = (int) Node.cell(page, 0, slot);
            int to = from + Node.cellBytes(page, 0, slot);
            assertTrue(from >= Node.heap(page, 0));
            assertEquals(0, taken.get(from, to).cardinality(), "two things at one place");
            taken.set(from, to);
            slot++;
        }
        assertEquals(Page.BYTES - taken.cardinality(), Node.free(page, 0));
    }

    /// A fence that the stem's keys lie below or not above, of any length.
    private static String fence(Gen gen, boolean high) {
        return STEM + (high ? "~" : " ") + "x".repeat(gen.below(gen.chance(20) ? 900 : 12));
    }

    private void changeFences(Gen gen) {
        String low = fence(gen, false);
        String high = fence(gen, true);
        int bytes = low.length() + high.length();
        int room = Node.free(page, 0) + Page.BYTES - (int) Node.fences(page, 0);
        if (bytes > room) {
            return;
        }
        int from = (int) Node.fences(page, 0);
        Slice fence = new Slice();
        boolean changed = nodes.changeFences(page, 0, slice(low), slice(high));
        assertTrue(changed || Page.BYTES - bytes < from);
        if (changed) {
            Node.low(page, 0, fence);
            assertEquals(low, Model.text(fence));
            Node.high(page, 0, fence);
            assertEquals(high, Model.text(fence));
        }
    }

    /// Moves entries in from a page with a longer prefix or none, into a range without other entries.
    private void insert(Gen gen) {
        String stem = key(gen);
        String next = model.ceilingKey(stem);
        if (next != null && next.startsWith(stem)) {
            return;
        }
        boolean longer = gen.chance(50);
        Slice low = slice(longer ? stem : "s");
        Node.format(other, 0, Page.LEAF, 9, low, slice(longer ? stem + "~" : "t"));
        int free = Node.free(page, 0);
        int count = gen.below(12);
        int moved = 0;
        for (int i = 0; i < count; i++) {
            String key = stem + (char) ('a' + i);
            String value = "w".repeat(gen.below(200));
            free -= Node.SLOT_BYTES + Node.LEAF_CELL + key.length() - STEM.length();
            free -= value.length();
            if (free >= 0 && put(other, i, key, value)) {
                model.put(key, value);
                moved++;
            } else {
                break;
            }
        }
        if (moved > 0) {
            nodes.insert(other, 0, 0, moved, page, 0, -1 - search(stem));
        }
    }

    private static String key(Gen gen) {
        return STEM + "%04d".formatted(gen.below(10_000));
    }

    private void run(Gen gen, int valueBytesMax) {
        model.clear();
        Node.format(page, 0, Page.LEAF, 7, slice(STEM + " "), slice(STEM + "~"));
        for (int step = 0; step < 400; step++) {
            int count = model.size();
            switch (gen.weighted(70, count > 0 ? 15 : 0, count > 0 ? 3 : 0, 8, 8)) {
                case 0 -> put(key(gen), "v".repeat(gen.below(valueBytesMax)));
                case 1 -> {
                    int slot = gen.below(count);
                    remove(slot, slot + 1);
                }
                case 2 -> {
                    int from = gen.below(count);
                    remove(from, from + gen.below(count - from + 1));
                }
                case 3 -> changeFences(gen);
                default -> insert(gen);
            }
            assertModel();
        }
    }

    @Test
    void nodesHoldWhatTheirModelHolds() {
        Gen gen = new Gen(Seed.of("NodeEditorTest", 1));
        for (int round = 0; round < 40; round++) {
            run(gen, gen.pick(List.of(1, 8, 60, 400, 1900)));
        }
    }

    private int changedBytes() {
        int changed = 0;
        for (int i = 0; i < Page.BYTES; i++) {
            changed += page.get(Page.BYTE, i) == before.get(Page.BYTE, i) ? 0 : 1;
        }
        return changed;
    }

    /// A full leaf, of entries that came at random.
    private void fill(Gen gen) {
        Node.format(page, 0, Page.LEAF, 7, slice(STEM + " "), slice(STEM + "~"));
        while (Node.free(page, 0) > 120) {
            put(key(gen), "v".repeat(100));
        }
    }

    /// Entries that a page gives away are replaced one by one, and nothing else moves.
    @Test
    void holesAreFilledAndNothingMoves() {
        Gen gen = new Gen(Seed.of("NodeEditorTest", 2));
        fill(gen);
        int count = model.size();
        remove(0, count / 3);
        int slotBytes = count * Node.SLOT_BYTES;
        while (model.size() < count) {
            before.copyFrom(page);
            put(key(gen), "u".repeat(100));
            assertTrue(changedBytes() < slotBytes + 130, () -> "changed " + changedBytes());
        }
        assertModel();
    }

    /// Cells keep a distance from the fences.
    @Test
    void fencesGrowByAFewBytesAndNothingMoves() {
        fill(new Gen(Seed.of("NodeEditorTest", 3)));
        int room = (int) Node.fences(page, 0) & 15;
        before.copyFrom(page);
        String high = STEM + "~" + "y".repeat(Math.min(room, Node.free(page, 0)));
        assertTrue(nodes.changeFences(page, 0, slice(STEM + " "), slice(high)));
        assertTrue(changedBytes() < 40, () -> "changed " + changedBytes());
        assertModel();
    }
}
