package dev.oriel.store.records;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.ClosedException;
import dev.oriel.store.Durability;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.engine.Store;
import dev.oriel.store.page.Page;
import dev.oriel.store.transaction.AllocationTest;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Writes and reads 100 MB with less than a twentieth of that on the heap. Each of 12,000 pages takes some
/// hundred bytes, when it is changed and when it is verified.
final class RecordStreamTest {
    private static final long BYTES = 100_000_000;

    @TempDir private Path folder;

    /// A stream of `BYTES` bytes without repeated sections, generated as they are read.
    private static final class Made extends InputStream {
        private long position;

        private static byte at(long position) {
            return (byte) ((position * 0x9E3779B97F4A7C15L) >>> 56);
        }

        @Override
        public int read() {
            return position == BYTES ? -1 : Byte.toUnsignedInt(at(position++));
        }

        @Override
        public int read(byte[] into, int offset, int bytesMax) {
            int bytes = (int) Math.min(bytesMax, BYTES - position);
            for (int i = 0; i < bytes; i++) {
                into[offset + i] = at(position++);
            }
            return bytes == 0 && bytesMax > 0 ? -1 : bytes;
        }
    }

    @Test
    void aLongRecordIsNeverOnTheHeapAsAWhole() throws IOException {
        StoreOptions options = StoreOptions.defaults().withDurability(Durability.WRITTEN);
        long id;
        try (Store store = Store.open(DiskDirectory.open(folder), options)) {
            Records records = Records.open(store, "r");
            long before = AllocationTest.allocatedBytes();
            try (Transaction transaction = store.beginWrite()) {
                id = records.insert(transaction, new Made());
                transaction.commit();
            }
            assertLittle("written", AllocationTest.allocatedBytes() - before);
        }
        try (Store store = Store.open(DiskDirectory.open(folder), options)) {
            Records records = Records.open(store, "r");
            try (Transaction transaction = store.beginRead();
                    InputStream in = records.open(transaction, id)) {
                assertEquals(BYTES, records.length(transaction, id));
                long before = AllocationTest.allocatedBytes();
                assertSame(in);
                assertLittle("read", AllocationTest.allocatedBytes() - before);
                assertEquals(List.of(), records.check(transaction));
            }
            try (Transaction transaction = store.beginWrite()) {
                records.delete(transaction, id);
                transaction.commit();
            }
            assertTrue(store.stats().freePages() > BYTES / Page.BYTES, "its pages are free");
        }
    }

    private static void assertSame(InputStream in) throws IOException {
        byte[] buffer = new byte[1 << 16];
        long position = 0;
        for (int bytes = in.read(buffer); bytes > 0; bytes = in.read(buffer)) {
            for (int i = 0; i < bytes; i++) {
                if (buffer[i] != Made.at(position++)) {
                    throw new AssertionError("byte " + (position - 1) + " is another one");
                }
            }
        }
        assertEquals(BYTES, position);
    }

    /// Asserts some hundred bytes a page, and twice as much until the compiler removes allocations.
    private static void assertLittle(String what, long heapBytes) {
        System.out.println(BYTES + " bytes " + what + ": " + heapBytes + " bytes of heap");
        assertTrue(heapBytes < BYTES / 4, () -> what + " with " + heapBytes);
    }

    @Test
    void theEndIsTheEnd() {
        try (Store store = Store.inMemory(StoreOptions.defaults())) {
            Records records = Records.open(store, "r");
            Transaction transaction = store.beginWrite();
            long id = records.insert(transaction, new byte[200_000]);
            InputStream in = records.open(transaction, id);
            transaction.close();
            assertThrows(ClosedException.class, in::read);
            assertThrows(ClosedException.class, () -> records.fetch(transaction, id));
            assertThrows(ClosedException.class, () -> records.insert(transaction, new byte[1]));
        }
    }
}
