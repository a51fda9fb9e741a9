package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
                .filter(call -> call.startsWith("sync") && call.contains(Shadow.NAME))
                .count();
    }

    private void crash(SimDirectory directory, SplittableRandom random, Model model) {
        if (random.nextInt(12) > 0) {
            return;
        }
        CrashProfile[] profiles = CrashProfile.values();
        SimDirectory left = directory.crash(random, profiles[random.nextInt(profiles.length)]);
        for (int again = 0; again < 2; again++) {
            try (Store store = open(left)) {
                try (Transaction transaction = store.beginRead()) {
                    model.assertSeenBy(transaction);
                }
                assertEquals(List.of(), store.check());
                opened++;
            }
        }
    }
}
