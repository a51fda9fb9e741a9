package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.testkit.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One thread inserts faster than checkpoints end: the memory that waits for them must not grow with the data.
class FramePoolBoundTest {
    private static final int RECORDS = 200_000;
    private static final int VALUE_BYTES = 1_500;

    @TempDir private Path folder;

    @Test
    void pagesThatWaitForACheckpointAreBoundedInOrder() throws Exception {
        insert(false);
    }

    @Test
    void pagesThatWaitForACheckpointAreBoundedAtRandom() throws Exception {
        insert(true);
    }

    private void insert(boolean random) throws Exception {
        long dirtyMax = 32 << 20;
        StoreOptions options =
                StoreOptions.defaults()
                        .withDurability(Durability.WRITTEN)
                        .withDirtyBytesMax(dirtyMax);
        SplittableRandom keys = Seed.of("FramePoolBoundTest", 5);
        MemorySegment memory = Arena.ofAuto().allocate(8 + VALUE_BYTES);
        long most = 0;
        try (Store store = Store.open(DiskDirectory.open(folder), options)) {
            Tree tree;
            try (Transaction transaction = store.beginWrite()) {
                tree = transaction.createTree("records");
                transaction.commit();
            }
            Slice key = new Slice().set(memory, 0, 8);
            Slice value = new Slice().set(memory, 8, VALUE_BYTES);
            for (int i = 0; i < (random ? RECORDS / 4 : RECORDS); ) {
                try (Transaction transaction = store.beginWrite()) {
                    for (int end = i + 500; i < end; i++) {
                        memory.set(
                                ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN),
                                0,
                                random ? keys.nextLong() : i);
                        transaction.insert(tree, key, value);
                    }
                    transaction.commit();
                }
                most = Math.max(most, store.stats().scratchBytes());
            }
        }
        long limit = 2 * dirtyMax; // versions between commits and the newest ones come on top
        assertTrue(most <= limit, "scratch memory grew to " + (most >> 20) + " MB");
    }

    /// Few writes, each to another page: they fit in memory long before the pages do.
    @Test
    void pagesOfOneCommitAreBounded() throws Exception {
        long dirtyMax = 8 << 20;
        int records = 20_000;
        StoreOptions options =
                StoreOptions.defaults()
                        .withDurability(Durability.WRITTEN)
                        .withCheckpointBytes(1L << 40)
                        .withDirtyBytesMax(dirtyMax);
        String value = "v".repeat(VALUE_BYTES);
        try (Store store = Store.open(DiskDirectory.open(folder), options)) {
            Tree tree = fill(store, records, value);
            store.checkpoint();
            String other = "w".repeat(VALUE_BYTES);
            try (Transaction transaction = store.beginWrite()) {
                for (int i = 0; i < records; i += 4) {
                    transaction.put(tree, key(i), Slice.of(other));
                }
                transaction.commit();
            }
            long scratch = store.stats().scratchBytes();
            assertTrue(scratch <= 2 * dirtyMax, "scratch memory grew to " + scratch);
            try (Transaction transaction = store.beginRead()) {
                Slice found = new Slice();
                for (int i = 0; i < records; i++) {
                    assertTrue(transaction.get(tree, key(i), found));
                    assertEquals(i % 4 == 0 ? other : value, found.toText());
                }
            }
            assertEquals(List.of(), store.check());
        }
    }

    private static Tree fill(Store store, int records, String value) {
        Tree tree;
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("records");
            transaction.commit();
        }
        for (int i = 0; i < records; ) {
            try (Transaction transaction = store.beginWrite()) {
                for (int end = i + 200; i < end; i++) {
                    transaction.put(tree, key(i), Slice.of(value));
                }
                transaction.commit();
            }
        }
        return tree;
    }

    private static Slice key(int number) {
        return Slice.of("%06d".formatted(number));
    }
}
