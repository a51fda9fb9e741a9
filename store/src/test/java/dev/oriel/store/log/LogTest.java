package dev.oriel.store.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.Directory;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class LogTest {
    private static final UUID DATABASE = new UUID(1, 2);

    private static Log log(SimDirectory directory) {
        return log(directory, true);
    }

    private static Log log(Directory directory, boolean synced) {
        LogFiles files = new LogFiles(directory, DATABASE, synced);
        return new Log(files, DATABASE, new SplittableRandom(3), () -> 0, 0);
    }

    private static long append(Log log, long txid) throws IOException {
        LogRecord record = new LogRecord();
        record.begin();
        log.reserve(record.alignedBytes(), true, (size, kept) -> true);
        return log.append(record, txid, 4, true);
    }

    /// The system forgets the bytes that a failed sync did not write: a second sync that finds nothing to do must
    /// not count as a success.
    @Test
    void syncFailsForEverAfterItFailedOnce() throws IOException {
        SimDirectory directory = new SimDirectory();
        Log log = log(directory);
        long first = append(log, 1);
        log.sync(first);
        long second = append(log, 2);
        directory.failAt(directory.operations() + 1, Fault.IO_ERROR_ONCE);
        assertThrows(IOException.class, () -> log.sync(second));
        assertThrows(IOException.class, () -> log.sync(second));
        assertThrows(IOException.class, log::syncFiles);
        log.sync(first);
        assertEquals(1, log.syncs());
    }

    /// Only the file of a later life marks the end of an earlier one. Once that is deleted, records behind that end
    /// must not count again. A crash may have left them of an uncommitted transaction, and the log may end just
    /// there by then.
    @Test
    void fileThatIsKeptWithoutItsSuccessorHoldsNoRecords() throws IOException {
        SimDirectory directory = new SimDirectory();
        Log log = log(directory);
        long txid = 0;
        while (log.written().size() < 2) {
            log.sync(append(log, ++txid));
        }
        LogSegment earlier = log.written().getFirst().segment();
        LogSegment later = log.written().getLast().segment();
        assertTrue(later.capacity > earlier.capacity);
        log.trim(earlier.capacity);
        List<String> left = LogFiles.names(directory.list());
        assertEquals(List.of(earlier.name), left);
        LogSegment kept = LogSegment.open(earlier.name, directory.open(earlier.name), DATABASE);
        assertTrue(kept != null && kept.isReserved());
    }

    /// A sync that begins while the header of another file is written covers it, or leaves it to the next one. A
    /// record may be written past the cache only behind a header that is durable.
    @Test
    void syncBesideAHeaderThatIsBeingWrittenDoesNotPassItOver() throws Exception {
        for (boolean synced : new boolean[] {true, false}) {
            SimDirectory directory = new SimDirectory();
            StepDirectory steps = new StepDirectory(directory);
            Log log = log(steps, synced);
            long txid = 0;
            log.sync(append(log, ++txid));
            log.sync(appendLater(log, ++txid)); // the next one like it is tried past the cache
            Thread[] beside = new Thread[1];
            steps.onStep((verb, name) -> {
                if (verb.equals("write") && !name.equals("log-1") && beside[0] == null) {
                    beside[0] = syncBeside(log);
                }
            });
            while (beside[0] == null) {
                appendLater(log, ++txid);
            }
            beside[0].join();
            long last = appendLater(log, ++txid);
            log.sync(last);
            LogSegment current = log.written().getLast().segment();
            for (int i = 0; i < 20; i++) {
                SimDirectory left =
                        directory.crash(new SplittableRandom(i), CrashProfile.ATOMIC_SECTOR);
                LogSegment segment =
                        LogSegment.open(current.name, left.open(current.name), DATABASE);
                assertTrue(segment != null && segment.life == current.life, "the header is lost");
            }
        }
    }

    /// A thread that has synced, or waits for the writer of the header.
    private static Thread syncBeside(Log log) {
        Thread thread =
                new Thread(() -> {
                    try {
                        log.syncFiles();
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
        thread.start();
        while (thread.isAlive() && thread.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
        return thread;
    }

    /// Memory is taken at the next beginning, where a failure loses no commit: a record in the log may not fail.
    @Test
    void aTrimmedRecordTakesMemoryOnlyWhenTheNextOneBegins() {
        LogRecord record = new LogRecord();
        record.begin();
        MemorySegment large = Arena.ofAuto().allocate(1 << 20);
        record.addEntries(1, large, 0, 1 << 20);
        int bytes = record.alignedBytes();
        NativeMemory.before =
                _ -> {
                    throw new OutOfMemoryError("planned");
                };
        try {
            record.trim(0);
            assertEquals(bytes, record.alignedBytes());
            assertThrows(OutOfMemoryError.class, record::begin);
        } finally {
            NativeMemory.before = null;
        }
        record.begin();
        record.addEntries(1, large, 0, 1 << 20);
        assertEquals(bytes, record.alignedBytes());
    }

    /// A record that is left to the next sync.
    private static long appendLater(Log log, long txid) throws IOException {
        LogRecord record = new LogRecord();
        record.begin();
        log.reserve(record.alignedBytes(), false, (size, kept) -> true);
        return log.append(record, txid, 4, false);
    }
}
