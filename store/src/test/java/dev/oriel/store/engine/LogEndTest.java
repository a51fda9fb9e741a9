package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.log.LogSegment;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The end of a log: a torn tail is accepted, a hole before the durable end is refused.
final class LogEndTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    private static final int COMMITS = 8;

    private final SimDirectory directory = new SimDirectory();

    /// Ends of the records, as positions in `log-1`.
    private final List<Long> ends = new ArrayList<>();

    /// The files of a killed process with commits of one entry each.
    private SimDirectory killed(Durability durability) {
        Store store =
                new Opening(directory, OPTIONS, new SplittableRandom(1), () -> 0)
                        .withoutThreads()
                        .open();
        try (Transaction transaction = store.beginExclusive()) {
            transaction.createTree("t");
            transaction.commit();
        }
        for (int i = 0; i < COMMITS; i++) {
            try (Transaction transaction = store.beginWrite()) {
                transaction.durability(durability);
                Tree tree = transaction.tree("t");
                assertTrue(tree != null);
                transaction.put(tree, Slice.of("key " + i), Slice.of("value"));
                ends.add(LogSegment.HEADER_BYTES + transaction.commit().lsn());
            }
        }
        return directory.crash(new SplittableRandom(2), CrashProfile.PROCESS_KILL);
    }

    private static void damage(SimDirectory folder, long position) throws IOException {
        folder.flipBit("log-1", position * 8);
    }

    private static long commitsIn(SimDirectory folder) {
        try (Store store = Store.open(folder, OPTIONS)) {
            assertEquals(List.of(), store.check());
            return store.stats().txid();
        }
    }

    @Test
    void tornTailOfWhatWasNotSyncedIsAccepted() throws IOException {
        SimDirectory left = killed(Durability.WRITTEN);
        long all = commitsIn(left.copy());
        for (int i = 0; i < COMMITS; i++) {
            SimDirectory torn = left.copy();
            damage(torn, ends.get(i) - 20);
            assertEquals(all - COMMITS + i, commitsIn(torn), "the tail begins at commit " + i);
        }
    }

    @Test
    void tornRecordBehindAllThatWasSyncedIsAccepted() throws IOException {
        SimDirectory left = killed(Durability.SYNC);
        long all = commitsIn(left.copy());
        damage(left, ends.getLast() - 20);
        assertEquals(all - 1, commitsIn(left));
    }

    @Test
    void holeBeforeWhatWasSyncedIsRefused() throws IOException {
        SimDirectory left = killed(Durability.SYNC);
        for (int i = 0; i < COMMITS - 1; i++) {
            SimDirectory holed = left.copy();
            damage(holed, ends.get(i) - 20);
            CorruptionException refusal =
                    assertThrows(CorruptionException.class, () -> Store.open(holed, OPTIONS));
            assertTrue(
                    String.valueOf(refusal.getMessage())
                            .contains("acknowledged commits are missing"),
                    refusal::toString);
        }
    }

    /// A log file that is kept in reserve has no effect on the log, whatever its end.
    @Test
    void reserveSaysNothingOfTheLog() throws IOException {
        SimDirectory left = killed(Durability.SYNC);
        assertTrue(left.list().contains("log-2"), "there is no reserve");
        SimDirectory without = left.copy();
        without.delete("log-2");
        assertEquals(commitsIn(left.copy()), commitsIn(without));
        left.delete("log-1");
        assertThrows(CorruptionException.class, () -> Store.open(left, OPTIONS).close());
    }

    /// A crash has left whole records behind the end that a recovery found. A later session ends exactly at the
    /// beginning of one of them, with the previous number. Then the deletion of that file is lost, and the deletion
    /// of the file that marked its end is not.
    @Test
    void recordOfAFormerSessionIsNotTakenForTheNext() throws IOException {
        Store first = openWritten(directory);
        put(first, "filler", "f".repeat(100_000)); // so both files are such as a close deletes
        for (int i = 0; i < 5; i++) {
            ends.add(put(first, "key", "v".repeat(500 + i % 2)));
        }
        SimDirectory left = directory.crash(new SplittableRandom(2), CrashProfile.PROCESS_KILL);
        Place third = placeOf(left, ends.get(2) - 20);
        String file = third.file;
        left.flipBit(file, third.position * 8);
        for (String name : left.list()) {
            left.put(name, left.bytes(name)); // on the disk, all of it
        }
        Store second = openWritten(left);
        assertEquals(ends.get(1), second.core().state().lsn());
        put(second, "key", "w".repeat(500));
        long txid = second.stats().txid() + 1;
        assertEquals(ends.get(3), put(second, "key", "w".repeat(501)), "just before the fifth");
        second.close();
        assertEquals(List.of(), LogFiles.names(left.list()));
        for (int i = 0; i < 40; i++) {
            SimDirectory back = left.crash(new SplittableRandom(i), CrashProfile.ATOMIC_SECTOR);
            assertEquals(txid, commitsIn(back));
        }
        first.close();
    }

    /// A byte of a log file.
    private record Place(String file, long position) {}

    private static Place placeOf(SimDirectory folder, long lsn) throws IOException {
        Place place = new Place("", 0);
        for (String name : LogFiles.names(folder.list())) {
            ByteBuffer header = ByteBuffer.wrap(folder.bytes(name)).order(ByteOrder.LITTLE_ENDIAN);
            long firstLsn = header.getLong(40);
            if (firstLsn <= lsn && lsn < firstLsn + header.capacity() - LogSegment.HEADER_BYTES) {
                place =
                        new Place(
                                name, LogSegment.HEADER_BYTES + lsn - firstLsn); // of the last life
            }
        }
        return place;
    }

    private static Store openWritten(SimDirectory folder) {
        return new Opening(
                        folder,
                        OPTIONS.withDurability(Durability.WRITTEN),
                        new SplittableRandom(1),
                        () -> 0)
                .withoutThreads()
                .open();
    }

    /// Returns the end of the record.
    private static long put(Store store, String key, String value) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.tree("t");
            if (tree == null) {
                tree = transaction.createTree("t");
            }
            transaction.put(tree, Slice.of(key), Slice.of(value));
            return transaction.commit().lsn();
        }
    }
}
