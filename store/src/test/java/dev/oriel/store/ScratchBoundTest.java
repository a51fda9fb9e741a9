package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.testkit.Seed;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// One thread inserts faster than checkpoints end: what waits for them must not grow with the data.
class ScratchBoundTest {
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
        SplittableRandom keys = Seed.of("ScratchBoundTest", 5);
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
        long limit = 2 * dirtyMax; // versions between commits and those of the newest come on top
        assertTrue(most <= limit, "scratch memory grew to " + (most >> 20) + " MB");
    }
}
