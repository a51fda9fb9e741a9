package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.FileHeader;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.log.LogSegment;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Bytes reserved for later releases are zeros. A release that finds other values there refuses the database,
/// because it does not know their meaning.
final class ReservedBytesTest {
    private static final StoreOptions OPTIONS = StoreOptions.defaults();
    private static final int FLAGS_AT = 80;
    private static final int VERSION_AT = 24;

    private static SimDirectory closed() {
        SimDirectory directory = new SimDirectory();
        try (Store store = Store.open(directory, OPTIONS)) {
            fill(store);
        }
        return directory;
    }

    private static void fill(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree("t");
            for (int i = 0; i < 1_000; i++) {
                transaction.put(tree, Slice.of("key " + i), Slice.of("value " + i));
            }
            transaction.commit();
        }
    }

    /// Returns a store left by a kill, with work in its log.
    private static SimDirectory killed() {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        fill(store);
        SimDirectory left = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
        store.close();
        return left;
    }

    /// A change of the bytes of a page, or of a log file's header.
    private interface Change {
        void to(ByteBuffer bytes);
    }

    /// Replaces a header by one of a later release: complete, with a valid checksum.
    private static SimDirectory withHeader(SimDirectory directory, int page, Change change)
            throws IOException {
        byte[] bytes = directory.bytes(DataFile.NAME);
        change(bytes, page * Page.BYTES, Page.BYTES, Page.CHECKSUM, change);
        directory.put(DataFile.NAME, bytes);
        return directory;
    }

    private static void change(byte[] bytes, int from, int length, int checksumAt, Change change) {
        ByteBuffer part =
                ByteBuffer.wrap(bytes, from, length).slice().order(ByteOrder.LITTLE_ENDIAN);
        change.to(part);
        MemorySegment segment = MemorySegment.ofBuffer(part);
        part.putInt(
                checksumAt, PageChecksum.checksum(segment, checksumAt, length - (long) checksumAt));
    }

    private static void refuses(SimDirectory directory, String fact) {
        for (boolean reading : new boolean[] {true, false}) {
            long calls = directory.operations();
            UsageException e =
                    assertThrows(
                            UsageException.class,
                            () -> Store.open(directory, OPTIONS.withReadOnly(reading)).close());
            assertTrue(e.toString().contains("does not"), e::toString);
            assertTrue(e.context().contains(fact), e::toString);
            assertEquals(calls, directory.operations(), "something was written");
        }
    }

    @Test
    void flagThatIsNotKnownIsRefusedInEitherHeader() throws IOException {
        for (int page = 0; page < 2; page++) {
            for (int bit = 1; bit < Integer.SIZE; bit++) {
                int flag = 1 << bit;
                SimDirectory later =
                        withHeader(
                                closed(),
                                page,
                                header -> header.putInt(FLAGS_AT, header.getInt(FLAGS_AT) | flag));
                refuses(later, "flags=%08x".formatted(flag));
            }
        }
    }

    @Test
    void reservedByteThatIsUsedIsRefused() throws IOException {
        SimDirectory closed = closed();
        for (int at : new int[] {FileHeader.BYTES, 92, 93, 183, 511, 512, 4096, Page.BYTES - 1}) {
            SimDirectory later = withHeader(closed.copy(), 0, header -> header.put(at, (byte) 1));
            refuses(later, "headerByte=" + at);
        }
    }

    @Test
    void laterFormatIsRefusedAndTheOldestOneIsRead() throws IOException {
        int later = FileHeader.VERSION + 1;
        refuses(
                withHeader(closed(), 1, header -> header.putInt(VERSION_AT, later)),
                "format=" + later);
        for (int older = 2; older <= FileHeader.VERSION; older++) {
            int version = older;
            SimDirectory directory = closed();
            withHeader(directory, 0, header -> header.putInt(VERSION_AT, version));
            withHeader(directory, 1, header -> header.putInt(VERSION_AT, version));
            try (Store store = Store.open(directory, OPTIONS)) {
                assertEquals(List.of(), store.check());
            }
        }
    }

    @Test
    void logOfALaterReleaseIsRefused() throws IOException {
        String name = LogFiles.names(killed().list()).getFirst();
        Change[] changes = {
            header -> header.putInt(8, 2),
            header -> header.put(64, (byte) 2),
            header -> header.put(68, (byte) 1),
            header -> header.put(LogSegment.HEADER_BYTES - 1, (byte) 1)
        };
        for (Change change : changes) {
            SimDirectory left = killed();
            byte[] bytes = left.bytes(name);
            change(bytes, 0, LogSegment.HEADER_BYTES, 12, change);
            left.put(name, bytes);
            refuses(left, "file=" + name);
        }
    }

    @Test
    void checkLooksAtTheReservedBytesOfNodes() throws IOException {
        SimDirectory directory = closed();
        withHeader(directory, (int) Page.CATALOG_ROOT, node -> node.put(31, (byte) 1));
        try (Store store = Store.open(directory, OPTIONS)) {
            assertTrue(store.check().toString().contains("reserved bytes"));
        }
    }
}
