package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.log.LogRecord;
import dev.oriel.store.log.LogSegment;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.nio.file.NoSuchFileException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Records are adjacent in the log, but a record never shares a sector with one that a sync has covered.
final class PackedLogTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withCheckpointBytes(Long.MAX_VALUE / 8)
                    .withDurability(Durability.WRITTEN);
    private static final List<Durability> DURABILITIES =
            List.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);
    private static final int VALUE_BYTES = 1900;

    private final SimDirectory directory = new SimDirectory();
    private final Slice value = Slice.copyOf(new byte[VALUE_BYTES]);
    private Tree tree = new Tree("", 0);
    private byte round;

    private Store open() {
        SplittableRandom clock = new SplittableRandom(7); // either way of syncing may seem faster
        return new Opening(directory, OPTIONS, new SplittableRandom(1), () -> clock.nextInt(100))
                .withoutThreads()
                .open();
    }

    private void create(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            transaction.put(tree, Slice.of("k"), value);
            transaction.commit();
        }
    }

    /// Changes `bytes` bytes of the one value, and returns the end of the record.
    private long change(Store store, int bytes, Durability durability) {
        round++;
        value.segment().asSlice(0, bytes).fill(round);
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(durability);
            transaction.put(tree, Slice.of("k"), value);
            return transaction.commit().lsn();
        }
    }

    @Test
    void smallCommitsShareSectors() {
        try (Store store = open()) {
            create(store);
            long before = store.stats().logBytesWritten();
            for (int i = 0; i < 200; i++) {
                change(store, 100, Durability.WRITTEN);
            }
            long each = (store.stats().logBytesWritten() - before) / 200;
            assertTrue(each < 250, () -> each + " bytes of log for 100 that changed");
        }
    }

    /// Holds for any order of commits, checkpoints and backups.
    @Test
    void nothingIsWrittenToASectorThatWasSynced() {
        Gen gen = new Gen(Seed.of("PackedLogTest", 1));
        try (Store store = open()) {
            create(store);
            for (int i = 0; i < 500; i++) {
                change(store, 1 + gen.below(VALUE_BYTES), DURABILITIES.get(gen.below(3)));
                if (gen.chance(5)) {
                    store.checkpoint();
                }
            }
        }
        assertTrue(lookThrough(directory.history()) > 100);
    }

    /// Returns the number of writes after a sync.
    private static int lookThrough(List<String> calls) {
        Pattern write = Pattern.compile("write (?:durably )?(log-\\d+) at (\\d+), (\\d+) bytes");
        Map<String, Long> ends = new HashMap<>();
        Map<String, Long> synced = new HashMap<>();
        int behind = 0;
        int durably = 0;
        for (String call : calls) {
            Matcher matcher = write.matcher(call);
            if (matcher.matches()) {
                String file = matcher.group(1);
                long at = Long.parseLong(matcher.group(2));
                long end = at + Long.parseLong(matcher.group(3));
                if (at == 0) {
                    synced.remove(file); // another life of the file
                    ends.put(file, end);
                    continue;
                }
                long limit = synced.getOrDefault(file, 0L);
                assertTrue(at >= limit, () -> call + " after a sync up to " + limit);
                behind += limit > 0 ? 1 : 0;
                ends.merge(file, end, Math::max);
                if (call.startsWith("write durably")) {
                    synced.put(file, end);
                    durably++;
                }
            } else if (call.startsWith("sync log-")) {
                String file = call.substring(5);
                synced.put(file, LogRecord.nextSector(ends.getOrDefault(file, 0L)));
            }
        }
        assertTrue(durably >= 8, "each way is tried");
        return behind;
    }

    /// A record happens to begin at a sector, and the one before it is damaged. The log ends there, as behind
    /// every record that was cut off; no record is skipped.
    @Test
    void recordBehindOneThatWasCutOffIsNotTakenForTheNext() throws NoSuchFileException {
        Store store = open();
        create(store);
        long end = change(store, 8, Durability.SYNC);
        long one = change(store, 8, Durability.WRITTEN) - LogRecord.nextSector(end);
        long more = change(store, 808, Durability.WRITTEN);
        long large = more - LogRecord.nextSector(end) - one;
        assertEquals(800, large - one, "each byte more is a byte more of log");
        end = more;
        while (LogRecord.nextSector(end) - end < one || LogRecord.nextSector(end) - end > large) {
            end = change(store, 8, Durability.WRITTEN);
        }
        long last = store.stats().txid();
        long begin = end;
        end = change(store, (int) (LogRecord.nextSector(end) - end - one + 8), Durability.WRITTEN);
        assertEquals(0, end % LogRecord.SECTOR_BYTES, "ends with its sector");
        change(store, 8, Durability.WRITTEN);
        SimDirectory left = directory.crash(new SplittableRandom(2), CrashProfile.PROCESS_KILL);
        try (Store whole = Store.open(left.copy(), OPTIONS)) {
            assertEquals(last + 2, whole.stats().txid());
        }
        left.flipBit("log-1", (LogSegment.HEADER_BYTES + begin + 70) * 8);
        try (Store cutOff = Store.open(left, OPTIONS)) {
            assertEquals(last, cutOff.stats().txid());
            assertEquals(List.of(), cutOff.check());
        }
        store.close();
    }
}
