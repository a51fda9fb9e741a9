package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.oriel.testkit.Fault;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
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
}
