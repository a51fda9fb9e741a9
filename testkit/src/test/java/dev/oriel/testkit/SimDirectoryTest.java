package dev.oriel.testkit;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.LockedException;
import dev.oriel.io.StorageFile;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The simulated folder where nothing crashes: it keeps the contract of the file port, and fails
/// where it is told to.
class SimDirectoryTest {
    private final SimDirectory directory = new SimDirectory();

    @Test
    void whatWasWrittenIsRead() throws Exception {
        try (StorageFile file = directory.open("a")) {
            write(file, 3, "hello");
            assertEquals(8, file.size());
            assertEquals("\0\0\0hello", text(directory, "a"));
            MemorySegment into = MemorySegment.ofArray(new byte[5]);
            file.read(3, into);
            assertArrayEquals(utf8("hello"), into.toArray(ValueLayout.JAVA_BYTE));
        }
        assertEquals(List.of("a"), directory.list());
    }

    @Test
    void readingPastTheEndThrows() throws Exception {
        try (StorageFile file = directory.open("a")) {
            write(file, 0, "12345");
            MemorySegment six = MemorySegment.ofArray(new byte[6]);
            assertThrows(EOFException.class, () -> file.read(0, six));
            assertThrows(EOFException.class, () -> file.map(0, 6));
        }
    }

    @Test
    void laterWritesShowInAMapEvenAfterTheFileOutgrewItsMemory() throws Exception {
        try (StorageFile file = directory.open("a")) {
            file.resize(4096);
            MemorySegment first = file.map(0, 4096);
            assertTrue(first.isNative());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> first.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
            for (long size = 8192; size <= 1 << 20; size *= 2) {
                file.resize(size);
                MemorySegment later = file.map(size / 2, size / 2);
                write(file, 100, Long.toString(size));
                write(file, size / 2 + 7, "x");
                assertEquals((byte) 'x', later.get(ValueLayout.JAVA_BYTE, 7));
                assertEquals(Long.toString(size), first.getString(100));
            }
        }
    }

    @Test
    void aMapOutlivesTheFileAndTheName() throws Exception {
        StorageFile file = directory.open("a");
        write(file, 0, "still here");
        MemorySegment map = file.map(0, 10);
        file.close();
        file.close();
        directory.delete("a");
        assertEquals("still here", new String(map.toArray(ValueLayout.JAVA_BYTE), UTF_8));
        assertThrows(ClosedChannelException.class, () -> write(file, 0, "no"));
    }

    @Test
    void readingAMapPastAShrunkEndShowsPoisonAndRegrowingShowsZeros() throws Exception {
        try (StorageFile file = directory.open("a")) {
            write(file, 0, "0123456789");
            MemorySegment map = file.map(0, 10);
            file.resize(4);
            assertEquals((byte) 0xDB, map.get(ValueLayout.JAVA_BYTE, 4));
            file.resize(10);
            assertEquals("0123\0\0\0\0\0\0", text(directory, "a"));
        }
    }

    @Test
    void aFileOpenForReadingRefusesChanges() throws Exception {
        assertThrows(NoSuchFileException.class, () -> directory.openReadOnly("a"));
        directory.put("a", utf8("abc"));
        try (StorageFile file = directory.openReadOnly("a")) {
            assertEquals(3, file.size());
            assertThrows(IOException.class, () -> write(file, 0, "x"));
            assertThrows(IOException.class, () -> file.resize(0));
            assertThrows(IOException.class, file::sync);
        }
        assertEquals(0, directory.operations());
    }

    @Test
    void onlyOneCallerHoldsTheLock() throws Exception {
        AutoCloseable held = directory.lock();
        LockedException refused = assertThrows(LockedException.class, directory::lock);
        assertTrue(
                String.valueOf(refused.getMessage())
                        .contains(Long.toString(ProcessHandle.current().pid())));
        held.close();
        AutoCloseable again = directory.lock();
        held.close();
        assertThrows(LockedException.class, directory::lock);
        again.close();
    }

    @Test
    void mutatingCallsAreCountedAndTold() throws Exception {
        StorageFile file = directory.open("a");
        directory.open("a").close();
        write(file, 0, "x");
        file.resize(9);
        file.sync();
        directory.sync();
        directory.delete("nothing");
        directory.delete("a");
        assertEquals(6, directory.operations());
        assertEquals(
                List.of(
                        "create a",
                        "write a at 0, 1 bytes",
                        "resize a to 9",
                        "sync a",
                        "sync the folder",
                        "delete a"),
                directory.history());
    }

    @Test
    void anErrorOnceIsFollowedBySuccess() throws Exception {
        directory.failAt(2, Fault.IO_ERROR_ONCE);
        StorageFile file = directory.open("a");
        assertThrows(IOException.class, () -> write(file, 0, "x"));
        assertEquals(0, file.size());
        write(file, 0, "x");
        assertEquals("x", text(directory, "a"));
    }

    @Test
    void anErrorForeverStaysButReadsGoOn() throws Exception {
        directory.put("a", utf8("abc"));
        directory.failAt(1, Fault.IO_ERROR_FOREVER);
        StorageFile file = directory.open("a");
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThrows(IOException.class, () -> write(file, 0, "x"));
            assertThrows(IOException.class, file::sync);
            assertThrows(IOException.class, directory::sync);
            assertThrows(IOException.class, () -> directory.delete("a"));
        }
        file.read(0, MemorySegment.ofArray(new byte[3]));
        assertEquals("abc", text(directory, "a"));
    }

    @Test
    void aShortWriteAppliesItsFirstHalf() throws Exception {
        directory.failAt(2, Fault.SHORT_WRITE);
        StorageFile file = directory.open("a");
        assertThrows(IOException.class, () -> write(file, 0, "12345678"));
        assertEquals("1234", text(directory, "a"));
    }

    @Test
    void aFullDiskRefusesGrowthAlone() throws Exception {
        directory.spaceBytesMax(2000);
        StorageFile file = directory.open("a");
        file.resize(1000);
        IOException full = assertThrows(IOException.class, () -> file.resize(2001));
        assertEquals("No space left on device", full.getMessage());
        file.resize(1000);
        assertThrows(
                IOException.class,
                () -> file.write(1000, MemorySegment.ofArray(filled(1001, 'x'))));
        assertEquals(1512, file.size(), "the sectors that fit are written");
        write(file, 0, "within");
        directory.delete("a");
        directory.open("b").resize(2000);
    }

    @Test
    void aDiskThatFillsUpAtACallStaysFull() throws Exception {
        directory.failAt(3, Fault.DISK_FULL);
        StorageFile file = directory.open("a");
        write(file, 0, "abc");
        write(file, 0, "ABC");
        assertThrows(IOException.class, () -> write(file, 3, "d"));
        assertThrows(IOException.class, () -> file.resize(100));
        assertEquals("ABC", text(directory, "a"));
    }

    @Test
    void aFlippedBitShowsInMapsAndFlippingItAgainHealsIt() throws Exception {
        directory.put("a", new byte[] {0, 0, 0});
        MemorySegment map = directory.open("a").map(0, 3);
        directory.flipBit("a", 9);
        assertEquals(2, map.get(ValueLayout.JAVA_BYTE, 1));
        directory.flipBit("a", 9);
        assertArrayEquals(new byte[3], directory.bytes("a"));
        assertThrows(IndexOutOfBoundsException.class, () -> directory.flipBit("a", 24));
    }

    @Test
    void aCutFileStaysCutInACrash() throws Exception {
        directory.put("a", utf8("0123456789"));
        directory.truncate("a", 4);
        SimDirectory after = directory.crash(new SplittableRandom(1), CrashProfile.GARBAGE_SECTOR);
        assertEquals("0123", text(after, "a"));
    }

    @Test
    void aCopyGoesItsOwnWay() throws Exception {
        directory.put("a", utf8("same"));
        SimDirectory copy = directory.copy();
        write(directory.open("a"), 0, "here");
        copy.delete("a");
        assertEquals("here", text(directory, "a"));
        assertFalse(copy.list().contains("a"));
    }

    static final java.nio.charset.Charset UTF_8 = StandardCharsets.UTF_8;

    static byte[] utf8(String text) {
        return text.getBytes(UTF_8);
    }

    static byte[] filled(int length, char with) {
        return Character.toString(with).repeat(length).getBytes(UTF_8);
    }

    static void write(StorageFile file, long position, String text) throws IOException {
        file.write(position, MemorySegment.ofArray(utf8(text)));
    }

    static String text(SimDirectory directory, String name) throws IOException {
        return new String(directory.bytes(name), UTF_8);
    }
}
