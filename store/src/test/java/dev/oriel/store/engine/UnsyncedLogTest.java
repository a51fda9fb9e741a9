package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.log.LogFiles;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Log files created without a sync, because no commit waits for one. A later sync covers their length and name,
/// and a machine crash leaves a prefix.
final class UnsyncedLogTest {
    /// Values tell the numbers of their commits, so no commit may bring others' entries into pages.
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8).withGatheredBytesMax(0);

    private static final int VALUE_BYTES = 7_000;
    private static final int OUTCOMES = 60;

    private final SplittableRandom random = Seed.of("UnsyncedLogTest", 1);

    private Store open(SimDirectory directory, Durability durability) {
        return new Opening(directory, OPTIONS.withDurability(durability), random.split(), () -> 0)
                .withoutThreads()
                .open();
    }

    private static void create(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            transaction.createTree("t");
            transaction.commit();
        }
    }

    /// Puts a value that identifies the commit under the one key.
    private static void put(Store store, Durability durability) {
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(durability);
            Tree tree = Objects.requireNonNull(transaction.tree("t"));
            String number = "%07d".formatted(store.stats().txid() + 1);
            transaction.put(tree, Slice.of("k"), Slice.of(number.repeat(VALUE_BYTES / 7)));
            transaction.commit();
        }
    }

    private static void assertHolds(Store store) {
        assertEquals(List.of(), store.check());
        try (Transaction transaction = store.beginRead()) {
            Tree tree = transaction.tree("t");
            Slice value = new Slice();
            if (tree != null && transaction.get(tree, Slice.of("k"), value)) {
                String number = "%07d".formatted(store.stats().txid());
                assertEquals(number.repeat(VALUE_BYTES / 7), value.toText());
            }
        }
    }

    private static long syncs(SimDirectory directory, long since) {
        return directory.history().stream()
                .skip(since)
                .filter(call -> call.startsWith("sync"))
                .count();
    }

    private static long filesOf(SimDirectory directory) {
        return LogFiles.names(directory.list()).size();
    }

    @Test
    void aLogThatGrowsIsSyncedOnlyWhereCommitsWaitForSyncs() {
        for (Durability durability : Durability.values()) {
            SimDirectory directory = new SimDirectory();
            try (Store store = open(directory, durability)) {
                create(store);
                long begun = directory.operations();
                for (int i = 0; i < 60; i++) {
                    put(store, Durability.ASYNC);
                }
                store.transactions().committer().writeLog();
                assertTrue(filesOf(directory) > 2, () -> "" + directory.list());
                if (durability == Durability.SYNC) {
                    assertTrue(syncs(directory, begun) > 3);
                } else {
                    assertEquals(0, syncs(directory, begun), durability::toString);
                }
            }
        }
    }

    /// Holds for any number of files begun since the last sync.
    @Test
    void aSyncTakesLengthsAndNamesAlong() {
        for (CrashProfile profile : CrashProfile.values()) {
            SimDirectory directory = new SimDirectory();
            Store store = open(directory, Durability.WRITTEN);
            create(store);
            for (int round = 0; round < 4; round++) {
                for (int i = 0; i < 5 + 12 * round; i++) {
                    put(store, Durability.WRITTEN);
                }
                put(store, Durability.SYNC);
                long least = store.stats().txid();
                put(store, Durability.WRITTEN);
                for (int i = 0; i < OUTCOMES; i++) {
                    try (Store left = open(directory.crash(random, profile), Durability.SYNC)) {
                        assertTrue(left.stats().txid() >= least);
                        assertHolds(left);
                    }
                }
            }
            assertTrue(filesOf(directory) > 2);
            store.close();
        }
    }

    /// Some of several files have their name, a part of their length, or only the header. The remains are a
    /// prefix, and the database goes on from there.
    @Test
    void theDeathOfTheMachineLeavesAPrefix() {
        List<Long> found = new ArrayList<>();
        for (CrashProfile profile :
                List.of(CrashProfile.ATOMIC_SECTOR, CrashProfile.GARBAGE_SECTOR)) {
            SimDirectory directory = new SimDirectory();
            directory.sectorBytes(profile == CrashProfile.GARBAGE_SECTOR ? 4096 : 512);
            Store store = open(directory, Durability.WRITTEN);
            create(store);
            put(store, Durability.SYNC);
            for (int i = 0; i < 40; i++) {
                put(store, Durability.WRITTEN);
            }
            for (int i = 0; i < 3 * OUTCOMES; i++) {
                SimDirectory left = directory.crash(random, profile);
                found.add(goOn(left, i % 2 == 0 ? Durability.WRITTEN : Durability.SYNC, profile));
            }
            store.close();
        }
        assertTrue(found.stream().allMatch(txid -> txid >= 2), found::toString);
        assertTrue(found.stream().distinct().count() > 4, found::toString);
    }

    /// Returns the commit found; makes more, one of them durable, and lets the machine crash again.
    private long goOn(SimDirectory left, Durability durability, CrashProfile profile) {
        Store store = open(left, durability);
        long found = store.stats().txid();
        assertHolds(store);
        for (int i = 0; i < 12; i++) {
            put(store, Durability.WRITTEN);
        }
        put(store, Durability.SYNC);
        long least = store.stats().txid();
        try (Store again = open(left.crash(random, profile), Durability.SYNC)) {
            assertTrue(again.stats().txid() >= least);
            assertHolds(again);
        }
        store.close();
        return found;
    }

    /// Files that a killed process left unsynced are reused by the next one: its syncs cover them too.
    @Test
    void filesOfAKilledProcessAreNotTakenForDurable() {
        Gen gen = new Gen(random.split());
        for (int round = 0; round < OUTCOMES; round++) {
            SimDirectory directory = new SimDirectory();
            for (int session = 0; session < 3; session++) {
                Store store = open(directory, gen.pick(List.of(Durability.values())));
                if (session == 0) {
                    create(store);
                }
                for (int i = gen.below(40); i > 0; i--) {
                    put(store, Durability.WRITTEN);
                }
                if (gen.chance(30)) {
                    store.checkpoint();
                }
                directory = directory.crash(random, CrashProfile.PROCESS_KILL);
            }
            Store store = open(directory, Durability.WRITTEN);
            put(store, Durability.SYNC);
            long least = store.stats().txid();
            SimDirectory left = directory.crash(random, CrashProfile.GARBAGE_SECTOR);
            try (Store again = open(left, Durability.SYNC)) {
                assertTrue(again.stats().txid() >= least);
                assertHolds(again);
            }
            store.close();
        }
    }
}
