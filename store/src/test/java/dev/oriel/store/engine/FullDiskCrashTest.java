package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.Progress;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.DoubleWriteBuffer;
import dev.oriel.store.model.Model;
import dev.oriel.store.transaction.WriteTransaction;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

/// Commits that change more pages than a full disk has room for in the shadow: the checkpoint goes on with a few
/// pages at a time, and a crash in any of its calls loses nothing.
final class FullDiskCrashTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withDurability(Durability.SYNC)
                    .withCheckpointBytes(64 << 20)
                    .withExclusiveIdleMillisMax(0);

    private static final ThreadFactory NO_THREAD =
            work -> {
                throw new OutOfMemoryError("unable to create native thread");
            };

    private final NavigableMap<String, String> entries = new TreeMap<>();
    private int opened;

    /// One of `each` calls crashes.
    private int each = 12;

    private static Store open(SimDirectory directory) {
        return new Opening(directory, OPTIONS, new SplittableRandom(1), System::nanoTime)
                .withThreads(NO_THREAD)
                .open();
    }

    private SimDirectory full() {
        SimDirectory directory = new SimDirectory();
        try (Store store = open(directory)) {
            try (Transaction transaction = store.beginExclusive()) {
                transaction.createTree("t");
                transaction.commit();
            }
            directory.spaceBytesMax(4_000_000);
            boolean full = false;
            for (int i = 0; !full; i++) {
                String key = "%06d".formatted(i);
                try (Transaction transaction = store.beginWrite()) {
                    Tree tree = Objects.requireNonNull(transaction.tree("t"));
                    transaction.put(tree, Model.slice(key), Model.slice("v".repeat(300)));
                    transaction.commit();
                    entries.put(key, "v".repeat(300));
                } catch (LimitException e) {
                    full = true;
                }
            }
        }
        return directory;
    }

    /// One commit that deletes every `step`-th entry from the `first` on.
    private void deleteScattered(Store store, int first, int step) {
        List<String> keys = new ArrayList<>();
        int i = 0;
        for (String key : entries.keySet()) {
            if (i++ % step == first) {
                keys.add(key);
            }
        }
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = Objects.requireNonNull(transaction.tree("t"));
            for (String key : keys) {
                assertTrue(transaction.delete(tree, Model.slice(key)));
            }
            transaction.commit();
        }
        entries.keySet().removeAll(keys);
    }

    @Test
    void deletesThatChangeManyPagesWedgeNothing() {
        SimDirectory directory = full();
        int first = entries.size();
        Store store = open(directory);
        for (int round = 0; round < 12; round++) {
            deleteScattered(store, round % 3, 40);
            if (round % 4 == 3) {
                store.close();
                store = open(directory);
            }
        }
        store.compact(Progress.NONE);
        while (!entries.isEmpty()) {
            deleteScattered(store, 0, entries.size());
        }
        assertEquals(List.of(), store.check());
        store.close();
        assertTrue(first > 1_000, () -> first + " entries");
    }

    @Test
    void aCrashInACheckpointInPortionsLosesNothing() {
        SplittableRandom random = Seed.of("FullDiskCrashTest", 1);
        SimDirectory directory = full();
        Store store = open(directory);
        Model model = new Model();
        long portions = 0;
        for (int round = 0; round < 3; round++) {
            deleteScattered(store, round, 40);
            model.trees.put("t", entries);
            long before = shadowSyncs(directory);
            directory.inEachCall(() -> crash(directory, random, model));
            store.checkpoint();
            directory.inEachCall(() -> {});
            portions += shadowSyncs(directory) - before;
        }
        store.close();
        long all = portions;
        assertTrue(all > 10, () -> all + " portions");
        assertTrue(opened > 20, () -> opened + " crashes");
    }

    /// One for each portion, and one for each checkpoint.
    private static long shadowSyncs(SimDirectory directory) {
        return directory.history().stream()
                .filter(call -> call.startsWith("sync") && call.contains(DoubleWriteBuffer.NAME))
                .count();
    }

    /// The newest header names pages in the shadow whose places are older, and which are no pages any more. The log
    /// changes them before it takes them off the end, so a recovery between two portions needs the copies.
    @Test
    void aCrashBetweenPortionsFindsPagesThatWereTakenOffTheEnd() {
        SplittableRandom random = Seed.of("FullDiskCrashTest", 2);
        SimDirectory directory = new SimDirectory();
        try (Store store = open(directory)) {
            fill(store, "t", 3_000);
            fill(store, "u", 600);
        }
        List<SimDirectory> torn = new ArrayList<>();
        try (Store store = open(directory)) {
            deleteEach(store, "u", 0, 3);
            directory.inEachCall(
                    () -> torn.add(directory.crash(random, CrashProfile.GARBAGE_SECTOR)));
            store.checkpoint();
            directory.inEachCall(() -> {});
        }
        Model model = new Model();
        NavigableMap<String, String> rest = new TreeMap<>();
        for (int i = 0; i < 3_000; i++) {
            if (i % 3 != 0) {
                rest.put("%06d".formatted(i), "v".repeat(300));
            }
        }
        model.trees.put("t", rest);
        each = 2;
        for (SimDirectory left : torn.subList(torn.size() - 3, torn.size())) { // in step 3
            checkpointAfterShortening(left, model, random);
        }
        assertTrue(opened > 30, () -> opened + " crashes");
    }

    /// All pages that the previous header names in the shadow are pages of `u`.
    private void checkpointAfterShortening(
            SimDirectory directory, Model model, SplittableRandom random) {
        try (Store store = open(directory)) {
            deleteEach(store, "u", 1, 3);
            deleteEach(store, "t", 0, 3);
            try (Transaction transaction = store.beginWrite()) {
                transaction.dropTree(Objects.requireNonNull(transaction.tree("u")));
                transaction.commit();
            }
            try (WriteTransaction transaction = store.transactions().beginMoving()) {
                store.transactions().committer().pages().dropFreeTail();
                transaction.commit();
            }
            directory.spaceBytesMax(directory.usedBytes() + 40_000);
            long before = shadowSyncs(directory);
            directory.inEachCall(() -> crash(directory, random, model));
            store.checkpoint();
            directory.inEachCall(() -> {});
            long portions = shadowSyncs(directory) - before;
            assertTrue(portions > 3, () -> portions + " portions");
        }
    }

    private static void fill(Store store, String name, int count) {
        try (Transaction transaction = store.beginExclusive()) {
            transaction.createTree(name);
            transaction.commit();
        }
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = Objects.requireNonNull(transaction.tree(name));
            for (int i = 0; i < count; i++) {
                transaction.put(
                        tree, Model.slice("%06d".formatted(i)), Model.slice("v".repeat(300)));
            }
            transaction.commit();
        }
    }

    private static void deleteEach(Store store, String name, int first, int step) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = Objects.requireNonNull(transaction.tree(name));
            for (int i = first; transaction.delete(tree, Model.slice("%06d".formatted(i))); ) {
                i += step;
            }
            transaction.commit();
        }
    }

    private void crash(SimDirectory directory, SplittableRandom random, Model model) {
        if (random.nextInt(each) > 0) {
            return;
        }
        CrashProfile[] profiles = CrashProfile.values();
        SimDirectory left = directory.crash(random, profiles[random.nextInt(profiles.length)]);
        left.spaceBytesMax(1L << 40);
        for (int again = 0; again < 2; again++) {
            try (Store store = open(left)) {
                try (Transaction transaction = store.beginRead()) {
                    model.assertSeenBy(transaction);
                }
                assertEquals(List.of(), store.check());
                try (Transaction transaction = store.beginExclusive()) {
                    transaction.createTree("again" + again);
                    transaction.commit();
                }
                opened++;
            }
        }
    }
}
