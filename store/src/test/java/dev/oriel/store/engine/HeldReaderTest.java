package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// The cost of readers that stay open is bounded.
final class HeldReaderTest {
    private static final int KEYS = 2000;

    private static void fill(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree("t");
            for (int i = 0; i < KEYS; i++) {
                transaction.put(tree, key(i), value(i, 0));
            }
            transaction.commit();
        }
    }

    private static Slice key(int i) {
        return Slice.of("key %05d".formatted(i));
    }

    private static Slice value(int i, int round) {
        return Slice.of("%05d of round %05d ".formatted(i, round).repeat(20));
    }

    private static void putOne(Store store, int i, int round) {
        try (Transaction transaction = store.beginWrite()) {
            transaction.put(new Tree("t", tree(transaction).root()), key(i), value(i, round));
            transaction.commit();
        }
    }

    private static Tree tree(Transaction transaction) {
        Tree tree = transaction.tree("t");
        if (tree == null) {
            throw new AssertionError("the tree is gone");
        }
        return tree;
    }

    private static void assertFirstRound(Transaction reader) {
        Slice found = new Slice();
        for (int i = 0; i < KEYS; i++) {
            assertTrue(reader.get(tree(reader), key(i), found));
            assertEquals(value(i, 0).toText(), found.toText());
        }
    }

    /// Sizes grow with the data, not with the commits.
    @Test
    void everythingStaysBoundedUnderAReaderThatNeverEnds() {
        SplittableRandom random = Seed.of("HeldReaderTest", 71);
        SimDirectory directory = new SimDirectory();
        StoreOptions options =
                StoreOptions.defaults()
                        .withDurability(Durability.WRITTEN)
                        .withCheckpointBytes(16 << 10);
        Store store = Store.open(directory, options);
        fill(store);
        store.checkpoint();
        long pages = store.stats().pages();
        Transaction reader = store.beginRead();
        long log = 0;
        long doubleWrite = 0;
        long versions = 0;
        for (int round = 1; round <= 8000; round++) {
            putOne(store, random.nextInt(KEYS), round);
            StoreStats stats = store.stats();
            log = Math.max(log, stats.logBytes());
            doubleWrite = Math.max(doubleWrite, stats.shadowBytes());
            versions = Math.max(versions, stats.versions());
        }
        StoreStats last = store.stats();
        System.out.printf(
                "%d pages, %d KB of log written; most of log %d KB, shadow %d KB, %d versions,"
                        + " scratch %d KB, data %d KB%n",
                last.pages(),
                last.logBytesWritten() >> 10,
                log >> 10,
                doubleWrite >> 10,
                versions,
                last.scratchBytes() >> 10,
                last.dataBytes() >> 10);
        long live = pages * Page.BYTES;
        assertTrue(last.checkpoints() > 16, () -> "the history is long: " + last);
        assertTrue(last.pages() <= pages + 10, "pages are not the point here");
        // The newest versions, the ones held by the reader and a checkpoint, and a quarter more.
        assertTrue(versions <= 3.5 * pages + 128, "versions");
        assertTrue(last.scratchBytes() <= 8 * live, "memory");
        assertTrue(doubleWrite <= 4 * live, "shadow: twice, and its growth");
        assertTrue(log <= 6 << 20, "log: some checkpoints, and the files for them");
        assertTrue(last.dataBytes() <= 2 * live + (64 << 10), "data");
        assertFirstRound(reader);
        assertEquals(List.of(), store.check());
        recover(directory.crash(random, CrashProfile.PROCESS_KILL), last.txid());
        reader.close();
        store.checkpoint();
        assertEquals(0, store.stats().scratchPages(), "all pages went to their places");
        assertEquals(List.of(), store.check());
        store.close();
        recover(directory, last.txid());
    }

    /// Commits that only bring gathered entries into pages may come after commit `least`.
    private static void recover(SimDirectory left, long least) {
        try (Store again = Store.open(left, StoreOptions.defaults())) {
            assertTrue(again.stats().txid() >= least);
            assertEquals(List.of(), again.check());
        }
    }

    @Test
    void otherReadersTakeTheSnapshotOfOneThatIsOpen() {
        try (Store store = Store.open(new SimDirectory(), StoreOptions.defaults())) {
            fill(store);
            Transaction held = store.beginRead();
            Transaction other = store.beginRead();
            for (int round = 1; round <= 20; round++) {
                for (int i = 0; i < KEYS; i += 7) {
                    putOne(store, i, round);
                }
                store.checkpoint();
                other.close();
                store.renew(other, held);
                assertEquals(held.snapshot(), other.snapshot());
                assertEquals(2, store.stats().openReaders());
                assertFirstRound(other);
            }
            UsageException open =
                    assertThrows(UsageException.class, () -> store.renew(other, held));
            assertTrue(open.toString().contains("end it before it is renewed"));
            other.close();
            held.close();
            assertThrows(ClosedException.class, () -> store.renew(other, held));
            try (Transaction writer = store.beginWrite()) {
                assertThrows(UsageException.class, () -> store.renew(other, writer));
            }
            assertEquals(List.of(), store.check());
        }
    }

    @Test
    void versionsThatNoSnapshotSeesAreDropped() {
        try (Store store = Store.inMemory(StoreOptions.defaults())) {
            fill(store);
            store.beginExclusive().close(); // frees the pages left by the creation of the store
            Transaction reader = store.beginRead();
            long before = store.stats().versions();
            for (int round = 1; round <= 10_000; round++) {
                putOne(store, 7, round);
                assertTrue(store.stats().versions() <= before + 3, "round " + round);
            }
            assertFirstRound(reader);
            reader.close();
            store.beginExclusive().close();
            assertEquals(before, store.stats().versions());
            assertEquals(List.of(), store.check());
        }
    }

    /// Snapshots of all ages, each of which must stay unchanged.
    @Test
    void manySnapshotsStayAsTheyAreBesideCommitsRollbacksAndCheckpoints() {
        SplittableRandom random = Seed.of("HeldReaderTest", 72);
        Gen gen = new Gen(random);
        RandomHistory history = new RandomHistory(gen, 40, 300);
        StoreOptions options = StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
        record Held(Transaction reader, Model model) {}
        List<Held> readers = new ArrayList<>();
        Model newest = new Model();
        try (Store store = Store.open(new SimDirectory(), options)) {
            for (int i = 0; i < 1500; i++) {
                Model next = newest.copy();
                try (Transaction transaction = store.beginWrite()) {
                    history.change(transaction, next, 1 + gen.below(6));
                    if (gen.chance(80)) {
                        transaction.commit();
                        newest = next;
                    }
                }
                if (gen.chance(30)) {
                    readers.add(new Held(store.beginRead(), newest));
                }
                if (gen.chance(10)) {
                    store.checkpoint();
                }
                while (readers.size() > 12 || (!readers.isEmpty() && gen.chance(20))) {
                    Held held = readers.remove(gen.below(readers.size()));
                    held.model.assertSeenBy(held.reader);
                    held.reader.close();
                }
            }
            for (Held held : readers) {
                held.model.assertSeenBy(held.reader);
                held.reader.close();
            }
            store.checkpoint();
            assertEquals(0, store.stats().scratchPages());
            try (Transaction transaction = store.beginWrite()) {
                history.change(transaction, newest, 3);
                transaction.commit();
            }
            store.beginExclusive().close();
            assertEquals(store.stats().scratchPages(), store.stats().versions());
            assertEquals(List.of(), store.check());
        }
    }

    @Test
    void snapshotThatIsTooOldEndsWhenItReads() {
        AtomicLong nanos = new AtomicLong(5);
        StoreOptions options = StoreOptions.defaults().withSnapshotAgeMillisMax(1000);
        SplittableRandom random = new SplittableRandom(1);
        try (Store store = new Opening(new SimDirectory(), options, random, nanos::get).open()) {
            fill(store);
            Transaction reader = store.beginRead();
            Cursor cursor = reader.cursor(tree(reader));
            nanos.addAndGet(1_000_000_000);
            assertTrue(cursor.first());
            nanos.addAndGet(1);
            ConflictException refusal = assertThrows(ConflictException.class, cursor::first);
            assertEquals(
                    "The snapshot has become older than the database allows; begin another"
                            + " transaction: ageMillis=1000 limitMillis=1000",
                    refusal.getMessage());
            assertEquals(ConflictException.Reason.SNAPSHOT_TOO_OLD, refusal.reason());
            assertEquals(0, store.stats().openReaders());
            assertThrows(ClosedException.class, cursor::first);
            assertThrows(ClosedException.class, () -> reader.tree("t"));
            reader.close();
            store.renew(reader);
            assertFirstRound(reader);
            reader.close();
            putOne(store, 1, 1); // a writer is not a reader, however long it takes
        }
    }
}
