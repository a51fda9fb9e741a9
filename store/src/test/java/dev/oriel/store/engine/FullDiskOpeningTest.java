package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// A database that needs more memory to be opened than it may keep, on a disk with room for nothing.
final class FullDiskOpeningTest {
    private static final long PLENTY = 1L << 30;
    private static final int ENTRIES = 4_000;

    private final StoreOptions options =
            StoreOptions.defaults()
                    .withDirtyBytesMax(2 << 20)
                    .withCheckpointBytes(1L << 30)
                    .withDurability(Durability.WRITTEN);

    @Test
    void whatCannotBePutAsideStaysInMemory() {
        SplittableRandom random = new SplittableRandom(7);
        SimDirectory directory = new SimDirectory();
        SimDirectory left;
        try (Store store = open(directory, random)) {
            fill(store);
            left = directory.crash(random, CrashProfile.PROCESS_KILL);
        }
        left.spaceBytesMax(PLENTY);
        left.spaceBytesMax(PLENTY - left.freeBytes());
        assertEquals(0, left.freeBytes());
        try (Store store = open(left, random)) {
            assertEquals(ENTRIES, count(store));
            assertEquals(List.of(), store.check());
        }
    }

    private Store open(SimDirectory directory, SplittableRandom random) {
        return new Opening(directory, options, random.split(), System::nanoTime).open();
    }

    private static void fill(Store store) {
        try (Transaction transaction = store.beginExclusive()) {
            transaction.createTree("t");
            transaction.commit();
        }
        for (int i = 0; i < ENTRIES; i++) {
            try (Transaction transaction = store.beginWrite()) {
                String key = Integer.toString(Integer.reverse(i), 36);
                transaction.put(tree(transaction), Model.slice(key), Model.slice("v".repeat(900)));
                transaction.commit();
            }
        }
    }

    private static Tree tree(Transaction transaction) {
        return Objects.requireNonNull(transaction.tree("t"));
    }

    private static int count(Store store) {
        try (Transaction transaction = store.beginRead()) {
            Cursor cursor = transaction.cursor(tree(transaction));
            int count = 0;
            for (boolean there = cursor.first(); there; there = cursor.next()) {
                count++;
            }
            return count;
        }
    }
}
