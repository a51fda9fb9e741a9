package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Fault;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class LogTest {
    private static Log log(SimDirectory directory) {
        return new Log(directory, new UUID(1, 2), new SplittableRandom(3), () -> 0, 0);
    }

    private static long append(Log log, long txid) throws IOException {
        LogRecord record = new LogRecord();
        record.begin();
        log.reserve(record.alignedBytes(), true, Log.Room.ALL);
        return log.append(record, txid, 4, true);
    }

    /// The system forgets what a failed sync did not write: a second sync that finds nothing to do
    /// must not be taken for success.
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

    /// Only the file of a later life says where an earlier one ends. When that is deleted, what lies behind that
    /// place in the earlier one must not count again: a crash may have left it of a commit that came to
    /// nothing, and the log may end just there by then.
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
        List<String> left = Log.names(directory.list());
        assertEquals(List.of(earlier.name), left);
        LogSegment kept =
                LogSegment.open(earlier.name, directory.open(earlier.name), new UUID(1, 2));
        assertTrue(kept != null && kept.isReserved());
    }
}
