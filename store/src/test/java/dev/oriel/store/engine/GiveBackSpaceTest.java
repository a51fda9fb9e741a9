package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// The shadow is given back while the store is open: in quiet, beside a reader, beside a writer, and with a crash in
/// each call.
final class GiveBackSpaceTest {
    private static final int ENTRIES = 12_000;
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withDurability(Durability.SYNC)
                    .withCheckpointBytes(64 << 20)
                    .withExclusiveIdleMillisMax(0);

    private final NavigableMap<String, String> entries = new TreeMap<>();
    private int opened;

    private static Store open(SimDirectory directory) {
        return new Opening(directory, OPTIONS, new SplittableRandom(1), System::nanoTime).open();
    }

    private void put(Store store, int from, int step, String text) {
        String value = text.repeat(300);
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = Objects.requireNonNull(transaction.tree("t"));
            for (int i = from; i < ENTRIES; i += step) {
                String key = "%06d".formatted(i);
                transaction.put(tree, Model.slice(key), Model.slice(value));
                entries.put(key, value);
            }
            transaction.commit();
        }
    }

    private Store filled(SimDirectory directory) {
        Store store = open(directory);
        try (Transaction transaction = store.beginExclusive()) {
            transaction.createTree("t");
            transaction.commit();
        }
        put(store, 0, 1, "a");
        store.checkpoint();
        put(store, 0, 7, "b"); // most pages, which go through the shadow
        store.checkpoint();
        return store;
    }

    private Model model() {
        Model model = new Model();
        model.trees.put("t", entries);
        return model;
    }

    /// The pages of large changes leave memory, also those that no checkpoint has written yet; a reader keeps its own.
    @Test
    void aQuietStoreHasLittleMemory() {
        try (Store store = filled(new SimDirectory())) {
            store.giveBackSpace();
            put(store, 0, 1, "large"); // which a checkpoint writes to the shadow
            long before = store.stats().scratchBytes();
            assertTrue(before > 16 << 20, () -> "bytes before: " + before);
            store.giveBackSpace();
            assertTrue(store.stats().scratchBytes() < 4 << 20, () -> store.stats().toString());
            assertEquals(0, store.stats().shadowBytes());
            assertEquals(List.of(), store.check());
            assertSeen(store);
            put(store, 1, 2, "later");
            try (Transaction reader = store.beginRead()) {
                put(store, 0, 1, "newer");
                store.giveBackSpace();
                Tree tree = Objects.requireNonNull(reader.tree("t"));
                Slice value = new Slice();
                assertTrue(reader.get(tree, Model.slice("000001"), value));
                assertEquals("later".repeat(300), Model.text(value));
                assertEquals(List.of(), store.check());
            }
            assertSeen(store);
        }
    }

    private void assertSeen(Store store) {
        try (Transaction transaction = store.beginRead()) {
            model().assertSeenBy(transaction);
        }
    }

    @Test
    void aQuietStoreHasNoShadow() {
        SimDirectory directory = new SimDirectory();
        try (Store store = filled(directory)) {
            assertTrue(store.stats().shadowBytes() > 1 << 20, () -> store.stats().toString());
            store.giveBackSpace();
            StoreStats stats = store.stats();
            assertEquals(0, stats.shadowBytes());
            assertTrue(stats.fileBytes() <= 1.6 * stats.dataBytes(), stats::toString);
            assertEquals(List.of(), store.check());
            put(store, 3, 11, "c"); // and goes on as before
            store.checkpoint();
            assertTrue(store.stats().shadowBytes() > 0);
            assertEquals(List.of(), store.check());
        }
    }

    @Test
    void whatAReaderKeepsFromItsPlaceStays() {
        SimDirectory directory = new SimDirectory();
        try (Store store = filled(directory)) {
            store.giveBackSpace();
            try (Transaction reader = store.beginRead()) {
                put(store, 0, 5, "c");
                store.checkpoint();
                store.giveBackSpace();
                assertTrue(store.stats().shadowBytes() > 0);
                assertEquals(List.of(), store.check());
                reader.commit();
            }
            store.giveBackSpace();
            assertEquals(0, store.stats().shadowBytes());
            assertEquals(List.of(), store.check());
        }
    }

    @Test
    void aCrashInAnyCallLosesNothing() {
        SplittableRandom random = Seed.of("GiveBackSpaceTest", 1);
        SimDirectory directory = new SimDirectory();
        try (Store store = filled(directory)) {
            for (int round = 0; round < 6; round++) {
                put(store, round, 5, "c" + round);
                store.checkpoint();
                if (round % 2 == 0) { // what is yet to be covered
                    put(store, round, 9, "e" + round);
                }
                directory.inEachCall(() -> crash(directory, random));
                store.giveBackSpace();
                put(store, round, 400, "d" + round);
                directory.inEachCall(() -> {});
                crashNow(directory, random);
            }
        }
        assertTrue(opened > 20, () -> opened + " crashes");
    }

    private void crash(SimDirectory directory, SplittableRandom random) {
        if (random.nextInt(3) > 0) {
            return;
        }
        CrashProfile[] profiles = CrashProfile.values();
        SimDirectory left = directory.crash(random, profiles[random.nextInt(profiles.length)]);
        try (Store store = open(left)) {
            assertEquals(List.of(), store.check());
            try (Transaction transaction = store.beginRead()) {
                long count =
                        transaction.count(
                                Objects.requireNonNull(transaction.tree("t")), Slice.of(""), null);
                assertEquals(ENTRIES, count);
            }
            opened++;
        }
    }

    private void crashNow(SimDirectory directory, SplittableRandom random) {
        for (CrashProfile profile : CrashProfile.values()) {
            SimDirectory left = directory.crash(random, profile);
            try (Store store = open(left)) {
                try (Transaction transaction = store.beginRead()) {
                    model().assertSeenBy(transaction);
                }
                assertEquals(List.of(), store.check());
                opened++;
            }
        }
    }

    /// Both go on at once; the files are right after each time.
    @Test
    void aWriterMeanwhileLosesNothing() throws Exception {
        SplittableRandom random = Seed.of("GiveBackSpaceTest", 2);
        SimDirectory directory = new SimDirectory();
        AtomicBoolean stop = new AtomicBoolean();
        try (Store store = filled(directory)) {
            FutureTask<Integer> writing =
                    new FutureTask<>(() -> {
                        int i = 0;
                        for (; !stop.get(); i++) {
                            put(store, i % 97, 97, "w" + i);
                            if (i % 5 == 0) {
                                store.checkpoint();
                            }
                        }
                        return i;
                    });
            Thread.ofPlatform().start(writing);
            try {
                for (int round = 0; round < 40; round++) {
                    store.giveBackSpace();
                    assertEquals(List.of(), store.check(), "round " + round);
                }
            } finally {
                stop.set(true);
            }
            assertTrue(writing.get() > 0);
            store.giveBackSpace();
            assertTrue(store.stats().shadowBytes() <= 1 << 20); // a small one stays
            crashNow(directory, random);
        }
    }
}
