package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Disk space held by the log of an open store: as much as its recent need, not the largest one ever.
final class LogSpaceTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withCheckpointBytes(Long.MAX_VALUE / 8)
                    .withDurability(Durability.WRITTEN);

    private static final int ENTRIES = 20_000;

    private final SimDirectory directory = new SimDirectory();
    private int number;

    private void put(Store store, int entries, int valueBytes) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.tree("t");
            if (tree == null) {
                tree = transaction.createTree("t");
            }
            number++;
            for (int i = 0; i < entries; i++) {
                String value = "%06d".formatted(number).repeat(valueBytes / 6);
                transaction.put(tree, Slice.of("key " + i), Slice.of(value));
            }
            transaction.commit();
        }
    }

    private void load(Store store, int commits) {
        for (int i = 0; i < commits; i++) {
            put(store, 40, 900);
        }
        store.checkpoint();
    }

    private long calls(String verb) {
        return directory.history().stream().filter(call -> call.startsWith(verb)).count();
    }

    @Test
    void whatOneLargeCommitNeededIsGivenBackByAndBy() {
        try (Store store = Store.open(directory, OPTIONS)) {
            for (int i = 0; i < 60; i++) {
                put(store, 40, 9_000);
            }
            store.checkpoint();
            long large = store.stats().logBytes();
            assertTrue(large > 20 << 20, () -> large + " bytes");
            for (int i = 0; i < 24; i++) {
                load(store, 30);
            }
            long small = store.stats().logBytes();
            assertTrue(small <= 8 << 20, () -> small + " bytes");
            assertTrue(calls("delete log-") > 0);
            assertEquals(List.of(), store.check());
        }
    }

    @Test
    void aSteadyLoadMakesFewFilesAndDeletesNone() {
        try (Store store = Store.open(directory, OPTIONS)) {
            for (int i = 0; i < 20; i++) {
                load(store, 15 + 15 * (i % 2));
            }
            long made = calls("create log-");
            for (int i = 0; i < 20; i++) {
                load(store, 15 + 15 * (i % 2));
            }
            assertTrue(calls("create log-") <= made + 2);
            assertEquals(0, calls("delete log-"));
        }
    }

    @Test
    void aCompactionGivesBackWhatIsNotNeeded() {
        try (Store store = Store.open(directory, OPTIONS)) {
            for (int i = 0; i < 34; i++) {
                put(store, 40, 9_000);
            }
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = Objects.requireNonNull(transaction.tree("t"));
                assertEquals(40, transaction.deleteRange(tree, Slice.of(""), null));
                transaction.commit();
            }
            long before = store.stats().logBytes();
            store.compact(Progress.NONE);
            StoreStats stats = store.stats();
            assertTrue(stats.logBytes() < before, () -> before + ", then " + stats);
            put(store, 4, 900);
            assertEquals(List.of(), store.check());
        }
    }

    /// The record of a delete that empties a tree has a few bytes for each page, and none of its intermediate
    /// states. After a crash of the machine the pages are free, and used again.
    @Test
    void pagesThatBecomeFreeTakeFewBytesOfTheLog() {
        SplittableRandom random = Seed.of("LogSpaceTest", 1);
        try (Store store = Store.open(directory, OPTIONS.withDurability(Durability.SYNC))) {
            putScattered(store, random);
            store.checkpoint();
            long pages = store.stats().pages();
            long bytes = deleteAll(store);
            assertTrue(bytes < 64 * pages + 8192, () -> bytes + " bytes, " + pages + " pages");
            putScattered(store, random);
            long _ = deleteAll(store);
            putScattered(store, random);
            Store left = Store.open(directory.crash(random, CrashProfile.GARBAGE_SECTOR), OPTIONS);
            try (left;
                    Transaction transaction = left.beginRead()) {
                Tree tree = Objects.requireNonNull(transaction.tree("t"));
                assertEquals(ENTRIES, transaction.count(tree, Slice.of(""), null));
                assertEquals(List.of(), left.check());
            }
            assertEquals(List.of(), store.check());
        }
    }

    private static void putScattered(Store store, SplittableRandom random) {
        try (Transaction transaction = store.beginExclusive()) {
            Tree tree = transaction.tree("t");
            if (tree == null) {
                tree = transaction.createTree("t");
            }
            for (int i = 0; i < ENTRIES; i++) {
                String key = Integer.toString(random.nextInt(1_000_000_000), 36) + "-" + i;
                transaction.put(tree, Slice.of(key), Slice.of("v"));
            }
            transaction.commit();
        }
    }

    /// Deletes entries one by one, and returns the length of the record.
    private static long deleteAll(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = Objects.requireNonNull(transaction.tree("t"));
            Cursor cursor = transaction.cursor(tree);
            Slice key = new Slice();
            List<Slice> keys = new ArrayList<>();
            for (boolean more = cursor.first(); more; more = cursor.next()) {
                cursor.key(key);
                keys.add(Slice.copyOf(key.toBytes()));
            }
            keys.forEach(one -> assertTrue(transaction.delete(tree, one)));
            return transaction.commit().logBytes();
        }
    }
}
