package dev.oriel.io;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedChannelException;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DiskFileTest {
    @TempDir Path folder;

    private final Arena arena = Arena.ofShared();
    private StorageFile file;

    @BeforeEach
    void open() throws IOException {
        file = DiskFile.open(folder.resolve("data"), FileMode.OWNER);
    }

    @AfterEach
    void close() throws IOException {
        assertFalse(Thread.interrupted(), "a test left its interrupt flag behind");
        file.close();
        arena.close();
    }

    /// Both ways of writing show in one another, and in a map.
    @Test
    void whatWasWrittenDurablyIsRead() throws IOException {
        file.resize(64 << 10);
        MemorySegment map = file.map(0, 64 << 10);
        MemorySegment written = arena.allocate(8192, StorageFile.DURABLE_BLOCK_BYTES);
        MemorySegment.copy(pattern(8192, 9), 0, written, 0, 8192);
        file.write(4096, pattern(100, 3));
        file.writeDurably(4096, written);
        file.write(5000, pattern(10, 5));
        MemorySegment.copy(pattern(10, 5), 0, written, 5000 - 4096, 10);
        MemorySegment read = arena.allocate(8192);
        file.read(4096, read);
        assertEquals(-1, written.mismatch(read));
        assertEquals(-1, written.mismatch(map.asSlice(4096, 8192)));
        assertEquals(64 << 10, file.size());
    }

    @Test
    void interruptedThreadWritesDurably() throws IOException {
        file.resize(64 << 10);
        MemorySegment written = arena.allocate(4096, StorageFile.DURABLE_BLOCK_BYTES);
        written.fill((byte) 4);
        Thread.currentThread().interrupt();
        try {
            file.writeDurably(0, written);
            file.writeDurably(4096, written);
        } finally {
            assertTrue(Thread.interrupted());
        }
        MemorySegment read = arena.allocate(4096);
        file.read(4096, read);
        assertEquals(-1, written.mismatch(read));
    }

    @Test
    void closedFileWritesNothingDurably() throws IOException {
        file.resize(8192);
        MemorySegment bytes = arena.allocate(4096, StorageFile.DURABLE_BLOCK_BYTES);
        file.writeDurably(0, bytes);
        file.close();
        assertThrows(ClosedChannelException.class, () -> file.writeDurably(0, bytes));
    }

    @Test
    void whatWasWrittenIsRead() throws IOException {
        MemorySegment written = pattern(100_000, 7);
        file.write(5, written);
        assertEquals(100_005, file.size());
        MemorySegment read = arena.allocate(100_000);
        file.read(5, read);
        assertEquals(-1, written.mismatch(read));
    }

    @Test
    void segmentsOfTheHeapAndOfOneThreadServe() throws IOException {
        file.write(0, MemorySegment.ofArray(new byte[] {1, 2, 3}));
        try (Arena confined = Arena.ofConfined()) {
            MemorySegment native3 = confined.allocate(3);
            file.read(0, native3);
            assertArrayEquals(new byte[] {1, 2, 3}, native3.toArray(ValueLayout.JAVA_BYTE));
            file.write(3, native3);
        }
        byte[] all = new byte[6];
        file.read(0, MemorySegment.ofArray(all));
        assertArrayEquals(new byte[] {1, 2, 3, 1, 2, 3}, all);
    }

    @Test
    void emptyTransfersDoNothing() throws IOException {
        file.write(10, arena.allocate(0));
        file.read(10, arena.allocate(0));
        assertEquals(0, file.size());
    }

    @Test
    void readPastTheEndIsAnErrorThatNamesFileAndPlace() throws IOException {
        file.write(0, pattern(10, 1));
        MemorySegment into = arena.allocate(4);
        EOFException e = assertThrows(EOFException.class, () -> file.read(7, into));
        assertTrue(e.toString().contains("data"), e.toString());
        assertTrue(e.toString().contains("4 bytes at 7"), e.toString());
        assertThrows(EOFException.class, () -> file.read(100, into));
        file.read(6, into);
    }

    @Test
    void growthIsMadeOfZerosThatOccupyTheDisk() throws IOException {
        file.write(0, pattern(10, 1));
        long size = (5L << 19) + 3;
        file.resize(size);
        assertEquals(size, file.size());
        MemorySegment all = arena.allocate(size);
        file.read(0, all);
        assertEquals(-1, all.asSlice(0, 10).mismatch(pattern(10, 1)));
        assertEquals(-1, all.asSlice(10).mismatch(arena.allocate(size - 10)));
    }

    @Test
    void growthLeavesNoHole() throws IOException, InterruptedException {
        long size = 4L << 20;
        file.resize(size);
        file.sync();
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/stat")), "no stat here");
        Process stat =
                new ProcessBuilder("/usr/bin/stat", "-c", "%b", folder.resolve("data").toString())
                        .redirectErrorStream(true)
                        .start();
        String blocks = new String(stat.getInputStream().readAllBytes(), UTF_8).strip();
        assumeTrue(stat.waitFor() == 0, blocks);
        assertTrue(Long.parseLong(blocks) * 512 >= size, blocks + " blocks");
    }

    @Test
    void shrinkingCutsTheEnd() throws IOException {
        file.write(0, pattern(100, 1));
        file.resize(10);
        assertEquals(10, file.size());
        assertThrows(EOFException.class, () -> file.read(0, arena.allocate(11)));
        file.resize(10);
        assertEquals(10, file.size());
    }

    @Test
    void mapShowsLaterWritesAndOutlivesTheFile() throws IOException {
        file.resize(64 << 10);
        MemorySegment view = file.map(8192, 16384);
        assertEquals(16384, view.byteSize());
        assertTrue(view.isReadOnly());
        assertEquals(0, view.get(ValueLayout.JAVA_BYTE, 100));
        file.write(8192 + 100, pattern(1, 42));
        assertEquals(42, view.get(ValueLayout.JAVA_BYTE, 100));
        file.close();
        assertEquals(42, view.get(ValueLayout.JAVA_BYTE, 100));
    }

    @Test
    void mapPastTheEndIsAnError() throws IOException {
        file.resize(100);
        assertThrows(EOFException.class, () -> file.map(0, 101));
        assertThrows(EOFException.class, () -> file.map(Long.MAX_VALUE, 10));
        assertThrows(EOFException.class, () -> file.map(-1, 10));
        assertEquals(100, file.map(0, 100).byteSize());
    }

    @Test
    void interruptedThreadUsesTheFileAsEver() throws IOException {
        MemorySegment written = pattern(200_000, 3);
        MemorySegment read = arena.allocate(200_000);
        Thread.currentThread().interrupt();
        try {
            file.write(0, written);
            file.resize(300_000);
            file.sync();
            file.read(0, read);
            assertEquals(-1, written.mismatch(read));
            MemorySegment view = file.map(0, 200_000);
            assertEquals(-1, written.mismatch(view));
            file.resize(10);
            assertEquals(10, file.size());
            assertTrue(Thread.currentThread().isInterrupted());
        } finally {
            assertTrue(Thread.interrupted());
        }
        file.write(0, written);
        file.sync();
    }

    @Test
    void interruptsDuringTransfersHurtNobody() throws Exception {
        MemorySegment written = pattern(64 << 10, 9);
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch running = new CountDownLatch(1);
        Thread worker =
                Thread.ofPlatform()
                        .start(() -> {
                            try {
                                transfer(written, running);
                            } catch (Throwable e) {
                                failure.set(e);
                            }
                        });
        running.await();
        while (worker.isAlive()) {
            worker.interrupt();
            Thread.onSpinWait();
        }
        worker.join();
        assertEquals(null, failure.get());
        MemorySegment read = arena.allocate(written.byteSize());
        file.read(0, read);
        assertEquals(-1, written.mismatch(read));
    }

    private void transfer(MemorySegment written, CountDownLatch running) throws IOException {
        MemorySegment read = arena.allocate(written.byteSize());
        for (int i = 0; i < 300; i++) {
            file.write(0, written);
            file.read(0, read);
            assertEquals(-1, written.mismatch(read));
            if (i % 50 == 0) {
                file.sync();
                assertEquals(-1, written.mismatch(file.map(0, written.byteSize())));
            }
            running.countDown();
        }
    }

    @Test
    void virtualThreadsMayUseIt() throws Exception {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        MemorySegment written = pattern(1000, 5);
        Thread.ofVirtual()
                .start(() -> {
                    try {
                        Thread.currentThread().interrupt();
                        file.write(0, written);
                        file.sync();
                        file.read(0, arena.allocate(1000));
                    } catch (Throwable e) {
                        failure.set(e);
                    }
                })
                .join();
        assertEquals(null, failure.get());
    }

    @Test
    void closedFileSaysSo() throws IOException {
        file.write(0, pattern(10, 1));
        file.close();
        file.close();
        MemorySegment one = arena.allocate(1);
        assertThrows(ClosedChannelException.class, () -> file.read(0, one));
        assertThrows(ClosedChannelException.class, () -> file.write(0, one));
        assertThrows(ClosedChannelException.class, () -> file.size());
        assertThrows(ClosedChannelException.class, () -> file.resize(1));
        assertThrows(ClosedChannelException.class, () -> file.sync());
        assertThrows(ClosedChannelException.class, () -> file.map(0, 1));
    }

    @Test
    void fileOpenedForReadingRefusesWrites() throws IOException {
        file.write(0, pattern(10, 1));
        try (StorageFile reader = DiskFile.openReadOnly(folder.resolve("data"))) {
            MemorySegment one = arena.allocate(1);
            reader.read(3, one);
            assertEquals(10, reader.map(0, 10).byteSize());
            assertThrows(AccessDeniedException.class, () -> reader.write(0, one));
            assertThrows(AccessDeniedException.class, () -> reader.resize(1));
            assertThrows(AccessDeniedException.class, () -> reader.sync());
        }
        assertThrows(
                NoSuchFileException.class, () -> DiskFile.openReadOnly(folder.resolve("missing")));
    }

    @Test
    void fullDiskIsAnIoException() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.isWritable(full), "no /dev/full here");
        try (StorageFile device = DiskFile.open(full, FileMode.OWNER)) {
            IOException e = assertThrows(IOException.class, () -> device.write(0, pattern(10, 1)));
            assertTrue(e.toString().contains("No space left"), e.toString());
        }
    }

    @Test
    void twoHandlesOfOneFileAgree() throws IOException {
        try (StorageFile other = DiskFile.open(folder.resolve("data"), FileMode.OWNER)) {
            file.write(0, pattern(100, 8));
            MemorySegment read = arena.allocate(100);
            other.read(0, read);
            assertEquals(-1, pattern(100, 8).mismatch(read));
        }
    }

    @Test
    void errorsOfTheSystemNameTheFile() {
        IOException e =
                assertThrows(
                        IOException.class,
                        () -> DiskFile.open(folder.resolve("no/such/folder"), FileMode.OWNER));
        assertTrue(e.toString().contains("such"), e.toString());
    }

    private MemorySegment pattern(int bytes, int seed) {
        MemorySegment segment = arena.allocate(bytes);
        for (int i = 0; i < bytes; i++) {
            segment.set(ValueLayout.JAVA_BYTE, i, (byte) (seed + i * 31));
        }
        return segment;
    }
}
