package dev.oriel.store.delta;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.WriteSetEntries;
import dev.oriel.testkit.Seed;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random commits, rollbacks, turns and steps of absorbing, against maps. Snapshots stay open over many commits, and
/// each must see what it saw first.
final class DeltaLayersTest {
    private static final int STEPS = 4_000;
    private static final int SNAPSHOTS_MAX = 6;
    private static final long[] ROOTS = {7, 8, 900};

    /// Keys and values of one tree; a removal is empty.
    private static final class Content extends TreeMap<String, Optional<String>> {
        private static final long serialVersionUID = 1;
    }

    private record Snapshot(long txid, Deltas deltas, Map<Long, Content> newest) {}

    private final DeltaLayers layers = new DeltaLayers();
    private final Map<Long, Content> newest = new HashMap<>();
    private final Map<Long, Content> older = new HashMap<>();

    /// What absorbing has brought into pages, and what it has to bring.
    private final Map<Long, Content> absorbed = new HashMap<>();

    private final Deque<Snapshot> open = new ArrayDeque<>();
    private SplittableRandom random = new SplittableRandom();
    private long txid;

    @Test
    void snapshotsKeepWhatTheySaw() {
        random = Seed.of("DeltaLayersTest", 1);
        for (int step = 0; step < STEPS; step++) {
            switch (random.nextInt(12)) {
                case 0 -> rollback();
                case 1 -> turn();
                case 2, 3 -> absorb();
                default -> commit();
            }
            if (random.nextInt(4) == 0) {
                keep();
            }
            checkSnapshots();
        }
    }

    private void commit() {
        DeltaLayer layer = begin();
        Map<Long, Content> changed = new HashMap<>();
        add(layer, changed);
        checkRuns(changed);
        layers.commit(layers.uncommitted());
        txid++;
        changed.forEach((root, content) -> of(newest, root).putAll(content));
    }

    private void rollback() {
        DeltaLayer layer = begin();
        add(layer, new HashMap<>());
        layers.rollback();
    }

    private void add(DeltaLayer layer, Map<Long, Content> changed) {
        for (long root : ROOTS) {
            int count = random.nextInt(random.nextInt(8) == 0 ? 200 : 6);
            if (random.nextBoolean()) {
                addOneByOne(layer, root, count, changed);
            } else {
                addTogether(layer, root, count, changed);
            }
        }
    }

    private void addOneByOne(DeltaLayer layer, long root, int count, Map<Long, Content> changed) {
        for (int i = 0; i < count; i++) {
            String key = key();
            Optional<String> value = value();
            layer.add(root, Model.slice(key), slice(value));
            of(changed, root).put(key, value);
        }
    }

    private void addTogether(DeltaLayer layer, long root, int count, Map<Long, Content> changed) {
        WriteSetEntries entries = new WriteSetEntries(64, 1 << 20);
        Content content = new Content();
        for (int i = 0; i < count; i++) {
            String key = key();
            Optional<String> value = value();
            if (content.putIfAbsent(key, value) == null) {
                entries.add(Model.slice(key), slice(value));
            }
        }
        layer.add(root, entries);
        if (!content.isEmpty()) {
            of(changed, root).putAll(content);
        }
    }

    /// The runs of the open commit must lead to the same content, if they are followed in order.
    private void checkRuns(Map<Long, Content> changed) {
        Map<Long, Content> found = new HashMap<>();
        layers.describe((root, from, at, bytes) -> {
            Slice key = new Slice();
            Slice value = new Slice();
            DeltaMemory memory = new DeltaMemory(new long[0][], new MemorySegment[] {from});
            for (long address = at; address < at + bytes; ) {
                memory.key(address, key);
                memory.value(address, value);
                of(found, root).put(Model.text(key), optional(value));
                address +=
                        DeltaMemory.HEADER_BYTES
                                + key.length()
                                + (long) Math.max(0, value.length());
            }
        });
        assertEquals(changed, found);
    }

    private void turn() {
        if (layers.hasOlder() || newest.isEmpty()) {
            return;
        }
        layers.turn();
        older.putAll(newest);
        newest.clear();
        absorbed.clear();
    }

    private void absorb() {
        if (!layers.hasOlder()) {
            return;
        }
        DeltaLayers.Target target =
                new DeltaLayers.Target() {
                    @Override
                    public void put(long root, Slice key, Slice value) {
                        of(absorbed, root).put(Model.text(key), optional(value));
                    }

                    @Override
                    public void delete(long root, Slice key) {
                        of(absorbed, root).put(Model.text(key), Optional.empty());
                    }
                };
        boolean last = layers.absorb(target, 1 + random.nextInt(40));
        if (random.nextInt(4) == 0) {
            return; // as if that had failed: the same ones come again
        }
        layers.passed();
        txid++;
        assertEquals(!last, layers.hasOlder());
        if (last) {
            assertEquals(older, absorbed);
            older.clear();
        }
    }

    private void keep() {
        if (open.size() == SNAPSHOTS_MAX || (random.nextInt(3) == 0 && !open.isEmpty())) {
            Snapshot ended =
                    random.nextBoolean()
                            ? open.getFirst()
                            : List.copyOf(open).get(random.nextInt(open.size()));
            open.remove(ended);
            return;
        }
        Map<Long, Content> all = new HashMap<>();
        older.forEach((root, content) -> of(all, root).putAll(content));
        newest.forEach((root, content) -> of(all, root).putAll(content));
        open.addLast(new Snapshot(txid, layers.deltas(), all));
    }

    private DeltaLayer begin() {
        long[] snapshots =
                LongStream.concat(
                                open.stream().mapToLong(Snapshot::txid).filter(one -> one < txid),
                                LongStream.of(txid))
                        .toArray();
        return layers.begin(txid + 1, 10 * txid, snapshots, snapshots.length);
    }

    private void checkSnapshots() {
        for (Snapshot snapshot : open) {
            for (long root : ROOTS) {
                checkFound(snapshot, root);
            }
        }
        if (!open.isEmpty()) {
            Snapshot any = open.getFirst();
            long root = ROOTS[random.nextInt(ROOTS.length)];
            checkCursor(any.deltas.newest(), root);
            checkCursor(any.deltas.older(), root);
        }
    }

    private void checkFound(Snapshot snapshot, long root) {
        Content content = snapshot.newest.getOrDefault(root, new Content());
        assertEquals(!content.isEmpty(), snapshot.deltas.has(root));
        Slice out = new Slice();
        for (int i = 0; i < 3; i++) {
            String key = key();
            Found found = snapshot.deltas.find(root, Model.slice(key), out);
            Optional<String> expected = content.get(key);
            if (expected == null) {
                assertEquals(Found.NOTHING, found);
            } else {
                assertEquals(expected.isPresent() ? Found.VALUE : Found.DELETED, found);
                assertEquals(expected, optional(out));
            }
        }
    }

    /// A cursor must pass the same entries in both directions, and find each place.
    private void checkCursor(@Nullable Delta layer, long root) {
        DeltaCursor cursor = new DeltaCursor();
        if (layer == null || !cursor.reset(layer, root, null)) {
            return;
        }
        List<String> keys = new ArrayList<>();
        Slice key = new Slice();
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            cursor.key(key);
            keys.add(Model.text(key));
        }
        assertFalse(cursor.isPositioned());
        assertEquals(keys.stream().sorted().distinct().toList(), keys);
        List<String> back = new ArrayList<>();
        for (boolean more = cursor.last(); more; more = cursor.previous()) {
            cursor.copyKeyTo(key);
            back.addFirst(Model.text(key));
        }
        assertEquals(keys, back);
        NavigableMap<String, String> places = new TreeMap<>();
        keys.forEach(one -> places.put(one, one));
        String wanted = key();
        String next = places.ceilingKey(wanted);
        assertEquals(next != null, cursor.seek(Model.slice(wanted)));
        if (next != null) {
            assertEquals(0, cursor.compareKeyTo(Model.slice(next)));
            assertTrue(cursor.keyStartsWith(Model.slice(next.substring(0, next.length() / 2))));
            assertEquals(next.length(), cursor.keyLength());
        }
        String before = places.lowerKey(wanted);
        assertEquals(before != null, cursor.seekBefore(Model.slice(wanted)));
        if (before != null) {
            assertEquals(0, cursor.compareKeyTo(Model.slice(before)));
        }
    }

    /// Keys of few letters, often with the same first eight bytes.
    private String key() {
        StringBuilder key = new StringBuilder(random.nextInt(3) == 0 ? "a shared beginning " : "");
        for (int i = random.nextInt(5); i > 0; i--) {
            key.append((char) (random.nextInt(4) * 85));
        }
        return key.toString();
    }

    private Optional<String> value() {
        if (random.nextInt(4) == 0) {
            return Optional.empty();
        }
        int length = random.nextInt(50) == 0 ? 40_000 : random.nextInt(12);
        return Optional.of(Long.toString(random.nextLong()).substring(0, 1).repeat(length));
    }

    private static Slice slice(Optional<String> value) {
        return value.map(Model::slice).orElseGet(Node::unbounded);
    }

    private static Optional<String> optional(Slice value) {
        return value.length() < 0 ? Optional.empty() : Optional.of(Model.text(value));
    }

    private static Content of(Map<Long, Content> contents, long root) {
        return contents.computeIfAbsent(root, _ -> new Content());
    }
}
