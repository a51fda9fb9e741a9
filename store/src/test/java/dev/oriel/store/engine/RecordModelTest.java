package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.model.Model;
import dev.oriel.store.records.Records;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Random histories of records against maps: with rollbacks, savepoints, long-lived readers and reopening.
/// Crashes cut them off; the remains are opened and used.
final class RecordModelTest {
    private static final int SESSIONS = 6;
    private static final int TRANSACTIONS = 50;
    private static final List<String> ROOTS = List.of("a", "b", "c");

    private final SplittableRandom random = Seed.of("RecordModelTest", 5);
    private final Gen gen = new Gen(random.split());
    private final SplittableRandom crashing = random.split();
    private final Slice slice = new Slice();
    private SimDirectory directory = new SimDirectory();
    private int crashes;
    private int reused;

    /// States that a crash may leave: the last acknowledged one, and the one in progress.
    private Model acknowledged = new Model();

    private @Nullable Model underWay;

    private record Reader(Transaction transaction, Model model) {}

    /// Records by id, and roots by name.
    private static final class Model {
        final TreeMap<Long, byte[]> records = new TreeMap<>();
        final Map<String, Long> roots = new HashMap<>();

        Model copy() {
            Model copy = new Model();
            copy.records.putAll(records);
            copy.roots.putAll(roots);
            return copy;
        }
    }

    @Test
    void recordsAreWhatTheModelSays() throws IOException {
        directory.inEachCall(this::crashHere);
        for (int session = 0; session < SESSIONS; session++) {
            Store store = open(directory);
            run(store);
            if (gen.chance(50)) {
                store.close();
            } else {
                directory = directory.crash(crashing, CrashProfile.GARBAGE_SECTOR);
                directory.inEachCall(this::crashHere);
            }
        }
        try (Store store = open(directory)) {
            assertSeen(store, acknowledged);
        }
        System.out.println(crashes + " crashes, " + reused + " ids given again");
        assertTrue(crashes > 40 && reused > 100);
    }

    private Store open(SimDirectory folder) {
        StoreOptions options = StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
        return new Opening(folder, options, gen.random().split(), () -> 0).open();
    }

    private void run(Store store) throws IOException {
        Records records = Records.open(store, "r");
        assertSeen(store, acknowledged);
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < TRANSACTIONS; i++) {
            Model next = acknowledged.copy();
            try (Transaction transaction = store.beginWrite()) {
                change(records, transaction, next, gen.below(30));
                if (gen.chance(75)) {
                    underWay = next;
                    transaction.commit();
                    acknowledged = next;
                    underWay = null;
                }
            }
            if (gen.chance(20)) {
                readers.add(new Reader(store.beginRead(), acknowledged.copy()));
            }
            if (gen.chance(10)) {
                store.checkpoint();
            }
            if (!readers.isEmpty() && gen.chance(20)) {
                Reader reader = readers.remove(gen.below(readers.size()));
                assertSeen(records, reader.transaction, reader.model);
                reader.transaction.close();
            }
        }
        for (Reader reader : readers) {
            assertSeen(records, reader.transaction, reader.model);
            reader.transaction.close();
        }
        assertSeen(store, acknowledged);
        assertEquals(List.of(), store.check());
    }

    private void change(Records records, Transaction transaction, Model model, int count)
            throws IOException {
        for (int i = 0; i < count; i++) {
            if (gen.chance(5)) {
                inSavepoint(records, transaction, model);
            } else {
                changeOnce(records, transaction, model);
            }
        }
    }

    private void inSavepoint(Records records, Transaction transaction, Model model)
            throws IOException {
        Transaction.Savepoint savepoint = transaction.savepoint();
        Model before = model.copy();
        change(records, transaction, model, gen.below(8));
        if (gen.chance(50)) {
            transaction.rollbackTo(savepoint);
            model.records.clear();
            model.records.putAll(before.records);
            model.roots.clear();
            model.roots.putAll(before.roots);
        }
        transaction.release(savepoint);
    }

    private void changeOnce(Records records, Transaction transaction, Model model)
            throws IOException {
        switch (model.records.isEmpty() ? 0 : gen.weighted(40, 25, 30, 5)) {
            case 0 -> insert(records, transaction, model);
            case 1 -> {
                byte[] content = content();
                long id = anyId(model);
                switch (gen.below(3)) {
                    case 0 -> records.update(transaction, id, content);
                    case 1 -> records.update(transaction, id, Slice.copyOf(content));
                    default -> records.update(transaction, id, new ByteArrayInputStream(content));
                }
                model.records.put(id, content);
            }
            case 2 -> {
                long id = anyId(model);
                records.delete(transaction, id);
                model.records.remove(id);
            }
            default -> {
                String root = gen.pick(ROOTS);
                long id = anyId(model);
                if (gen.chance(30)) {
                    boolean removed = records.removeRoot(transaction, root);
                    assertEquals(model.roots.remove(root) != null, removed);
                } else {
                    records.setRoot(transaction, root, id);
                    model.roots.put(root, id);
                }
            }
        }
    }

    private void insert(Records records, Transaction transaction, Model model) throws IOException {
        byte[] content = content();
        long id =
                switch (gen.below(3)) {
                    case 0 -> records.insert(transaction, content, gen.length(3_000));
                    case 1 -> records.insert(transaction, Slice.copyOf(content));
                    default -> records.insert(transaction, new ByteArrayInputStream(content));
                };
        assertNull(model.records.put(id, content), () -> "id " + id + " was in use");
        assertFalse(
                acknowledged.records.containsKey(id),
                () -> "id " + id + " was given again before its deletion was committed");
        if (!model.records.isEmpty() && id < model.records.lastKey()) {
            reused++;
        }
    }

    private byte[] content() {
        byte[] content = new byte[gen.length(gen.chance(3) ? 200_000 : 3_000)];
        gen.random().nextBytes(content);
        return content;
    }

    private long anyId(Model model) {
        Long near = model.records.ceilingKey(gen.between(1, model.records.lastKey()));
        return near == null ? model.records.firstKey() : near;
    }

    private void assertSeen(Store store, Model model) {
        Records records = Records.open(store, "r");
        try (Transaction transaction = store.beginRead()) {
            assertSeen(records, transaction, model);
        }
    }

    private void assertSeen(Records records, Transaction transaction, Model model) {
        long last = model.records.isEmpty() ? 0 : model.records.lastKey();
        for (long id = 1; id <= last + 2; id++) {
            byte[] expected = model.records.get(id);
            assertEquals(expected != null, records.fetch(transaction, id, slice), "id " + id);
            if (expected != null) {
                assertArrayEquals(expected, slice.toBytes());
            }
        }
        for (String root : ROOTS) {
            assertEquals(
                    (long) model.roots.getOrDefault(root, 0L), records.root(transaction, root));
        }
        assertEquals(List.of(), records.check(transaction));
    }

    /// The machine crashes inside a call that changes the disk, in a copy. The remains have one of two states,
    /// and no id is used twice when work goes on.
    private void crashHere() {
        if (crashing.nextInt(12) > 0) {
            return;
        }
        crashes++;
        SimDirectory left = directory.crash(crashing, CrashProfile.GARBAGE_SECTOR);
        StoreOptions options = StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
        try (Store store = new Opening(left, options, crashing.split(), () -> 0).open()) {
            Records records = Records.open(store, "r");
            Model model = whichIsThere(store, records);
            assertSeen(store, model);
            Model next = model.copy();
            try (Transaction transaction = store.beginWrite()) {
                for (int i = 0; i < 20; i++) {
                    byte[] content = {(byte) i};
                    long id = records.insert(transaction, content);
                    assertNull(next.records.put(id, content), () -> "id " + id + " was in use");
                }
                transaction.commit();
            }
            assertSeen(store, next);
            assertEquals(List.of(), store.check());
        }
    }

    /// Returns the state in progress if all of its records are there, else the acknowledged one.
    private Model whichIsThere(Store store, Records records) {
        Model later = underWay;
        if (later == null) {
            return acknowledged;
        }
        try (Transaction transaction = store.beginRead()) {
            for (long id = 1; id <= highest(later); id++) {
                byte[] expected = later.records.get(id);
                boolean found = records.fetch(transaction, id, slice);
                if (found != (expected != null)
                        || (expected != null && !Arrays.equals(expected, slice.toBytes()))) {
                    return acknowledged;
                }
            }
            for (String root : ROOTS) {
                if (records.root(transaction, root) != later.roots.getOrDefault(root, 0L)) {
                    return acknowledged;
                }
            }
            return later;
        }
    }

    private long highest(Model later) {
        long last = later.records.isEmpty() ? 0 : later.records.lastKey();
        return acknowledged.records.isEmpty()
                ? last
                : Math.max(last, acknowledged.records.lastKey());
    }
}
