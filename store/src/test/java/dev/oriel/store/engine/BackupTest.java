package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Durability;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.FreeMap;
import dev.oriel.store.data.Pages;
import dev.oriel.store.maintenance.Backup;
import dev.oriel.store.model.Model;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.store.page.Page;
import dev.oriel.store.transaction.ReadTransaction;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class BackupTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withDurability(Durability.WRITTEN);
    private static final StoreOptions READ_ONLY = OPTIONS.withReadOnly(true);

    private final SplittableRandom random = Seed.of("BackupTest", 61);
    private final Gen gen = new Gen(random);
    private final RandomHistory history = new RandomHistory(gen, 60, 900);
    private final SimDirectory directory = new SimDirectory();
    private final SimDirectory target = new SimDirectory();
    private final Model model = new Model();

    private void change(Store store, int changes) {
        try (Transaction transaction = store.beginWrite()) {
            history.change(transaction, model, changes);
            transaction.commit();
        }
    }

    private static void assertHolds(SimDirectory folder, Model expected) {
        try (Store store = Store.open(folder, OPTIONS)) {
            assertIs(store, expected);
        }
    }

    private static void assertIs(Store store, Model expected) {
        try (Transaction transaction = store.beginRead()) {
            expected.assertSeenBy(transaction);
        }
        assertEquals(List.of(), store.check());
    }

    @Test
    void copyIsOneMomentWhileCommitsCheckpointsAndCompactionsGoOn() {
        int commits = 0;
        for (int round = 0; round < 10; round++) {
            commits += backUpBesideCommits(new SimDirectory(), new SimDirectory());
        }
        int count = commits;
        assertTrue(count > 40, () -> "commits beside it: " + count);
    }

    private int backUpBesideCommits(SimDirectory from, SimDirectory into) {
        model.trees.clear();
        StepDirectory steps = new StepDirectory(into);
        int[] commits = {0};
        try (Store store = Store.open(from, OPTIONS)) {
            for (int i = 0; i < 12; i++) {
                change(store, 100);
                if (gen.chance(30)) {
                    store.checkpoint();
                }
            }
            Model then = model.copy();
            steps.onStep((verb, name) -> {
                assertEquals(1, store.stats().openReaders());
                change(store, 40);
                commits[0]++;
                if (gen.chance(60)) {
                    store.checkpoint();
                }
                if (gen.chance(40)) {
                    store.compact(Progress.NONE);
                }
            });
            long[] last = {0, 0};
            store.backup(
                    steps,
                    (done, total) -> {
                        assertTrue(done > last[0] || done == total);
                        last[0] = done;
                        last[1] = total;
                    });
            assertEquals(last[1], last[0]);
            assertEquals(0, store.stats().openReaders());
            assertHolds(into, then);
            assertIs(store, model);
        }
        assertHolds(from, model);
        return commits[0];
    }

    @Test
    void copyWorksOnAsADatabaseOfItsOwn() {
        try (Store store = Store.open(directory, OPTIONS)) {
            change(store, 200);
            store.backup(target, Progress.NONE);
        }
        Model later = model.copy();
        try (Store store = Store.open(target, OPTIONS)) {
            for (int i = 0; i < 5; i++) {
                try (Transaction transaction = store.beginWrite()) {
                    history.change(transaction, later, 50);
                    transaction.commit();
                }
                store.checkpoint();
            }
        }
        assertHolds(target, later);
        assertHolds(directory, model);
    }

    @Test
    void memoryDatabaseCanBeBackedUp() {
        try (Store store = Store.inMemory(OPTIONS)) {
            change(store, 300);
            store.backup(target, Progress.NONE);
            Model then = model.copy();
            change(store, 300);
            assertHolds(target, then);
        }
    }

    /// No remains of an interrupted copy open as a database, unless it is whole.
    @Test
    void copyThatIsCutOffDoesNotOpen() {
        int[] refused = {0};
        int[] whole = {0};
        try (Store store = Store.open(directory, OPTIONS)) {
            change(store, 200);
            target.inEachCall(() -> {
                for (CrashProfile profile : CrashProfile.values()) {
                    for (int i = 0; i < 5; i++) {
                        SimDirectory left = target.crash(random, profile);
                        try (Store copy = Store.open(left, READ_ONLY)) {
                            assertIs(copy, model);
                            whole[0]++;
                        } catch (UsageException e) {
                            refused[0]++;
                        }
                    }
                }
            });
            store.backup(target, Progress.NONE);
        }
        for (int i = 0; i < 20; i++) {
            assertHolds(target.crash(random, CrashProfile.GARBAGE_SECTOR), model);
        }
        System.out.println(refused[0] + " copies refused, whole " + whole[0]);
        assertTrue(refused[0] > 50);
    }

    @Test
    void copyThatWasCutOffSaysSo() {
        target.put(Backup.UNFINISHED, new byte[0]);
        target.put(DataFile.NAME, new byte[100_000]);
        for (StoreOptions options : List.of(OPTIONS, READ_ONLY)) {
            UsageException refusal =
                    assertThrows(UsageException.class, () -> Store.open(target, options));
            assertTrue(String.valueOf(refusal.getMessage()).contains("cut off; delete it"));
        }
        try (Store store = Store.open(directory, OPTIONS)) {
            assertThrows(UsageException.class, () -> store.backup(target, Progress.NONE));
        }
        assertEquals(List.of(Backup.UNFINISHED, DataFile.NAME), target.list());
    }

    @Test
    void folderThatIsNotEmptyIsLeftAlone() {
        target.put("letter.txt", new byte[] {1});
        try (Store store = Store.open(directory, OPTIONS)) {
            UsageException refusal =
                    assertThrows(UsageException.class, () -> store.backup(target, Progress.NONE));
            assertEquals(
                    "The folder is not empty; name an empty or a new one, or delete its files:"
                            + " path=simulated folder holds=letter.txt",
                    refusal.getMessage());
        }
        assertThrows(UsageException.class, () -> Store.restore(directory, target, Progress.NONE));
        assertEquals(List.of("letter.txt"), target.list());
    }

    @Test
    void faultAtEveryCallLeavesAnEmptyFolderAndADatabaseThatGoesOn() {
        try (Store store = Store.open(directory, OPTIONS)) {
            change(store, 100);
            SimDirectory whole = new SimDirectory();
            store.backup(whole, Progress.NONE);
            for (Fault fault : List.of(Fault.IO_ERROR_ONCE, Fault.SHORT_WRITE, Fault.DISK_FULL)) {
                for (long n = 1; n <= whole.operations(); n++) {
                    SimDirectory failing = new SimDirectory().failAt(n, fault);
                    try {
                        store.backup(failing, Progress.NONE);
                        assertHolds(failing.copy(), model);
                    } catch (StorageException e) {
                        assertTrue(String.valueOf(e.getMessage()).contains("is there room"));
                        assertFalse(failing.list().contains(DataFile.NAME), failing::toString);
                    }
                }
            }
            change(store, 10);
            assertIs(store, model);
        }
    }

    @Test
    void damagedPageIsNamedAndNoCopyIsMade() throws Exception {
        long damaged;
        try (Store store = Store.open(directory, OPTIONS)) {
            change(store, 100);
            try (Transaction transaction = store.beginRead()) {
                Tree tree = transaction.tree(model.trees.firstKey());
                damaged = tree == null ? -1 : tree.root();
            }
        }
        directory.flipBit(DataFile.NAME, (damaged * Page.BYTES + 5000) * 8);
        try (Store store = Store.open(directory, OPTIONS)) {
            CorruptionException found =
                    assertThrows(
                            CorruptionException.class, () -> store.backup(target, Progress.NONE));
            assertTrue(String.valueOf(found.getMessage()).contains("page=" + damaged));
        }
        assertEquals(List.of(), target.list());
        CorruptionException refusal =
                assertThrows(
                        CorruptionException.class,
                        () -> Store.restore(directory, target, Progress.NONE));
        assertTrue(String.valueOf(refusal.getMessage()).contains("nothing was restored"));
        assertEquals(List.of(), target.list());
    }

    /// A copy does not need a page that no reader reaches.
    @Test
    void damagedFreePageHindersNobody() throws Exception {
        try (Store store = Store.open(directory, OPTIONS)) {
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = transaction.createTree("t");
                transaction.put(tree, Slice.of("long"), Slice.of("x".repeat(30_000)));
                transaction.commit();
            }
            store.checkpoint();
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = transaction.tree("t");
                assertTrue(tree != null && transaction.delete(tree, Slice.of("long")));
                transaction.commit();
            }
        }
        long page = Page.FIRST_SPACE;
        try (Store store = Store.open(directory, READ_ONLY);
                Transaction transaction = store.beginRead()) {
            assertEquals(4, store.stats().freePages());
            Pages pages = ((ReadTransaction) transaction).pages();
            while ((FreeMap.word(pages, page & -64L) & 1L << page) != 0) {
                page++;
            }
        }
        directory.flipBit(DataFile.NAME, (page * Page.BYTES + 5000) * 8);
        try (Store store = Store.open(directory, OPTIONS)) {
            store.backup(target, Progress.NONE);
        }
        try (Store store = Store.open(target, OPTIONS)) {
            assertEquals(List.of(), store.check());
        }
    }

    @Test
    void snapshotOfACopyIsNeverTooOld() {
        AtomicLong nanos = new AtomicLong();
        StoreOptions options = OPTIONS.withSnapshotAgeMillisMax(5);
        try (Store store =
                new Opening(directory, options, random, () -> nanos.addAndGet(10_000_000)).open()) {
            change(store, 100);
            store.backup(target, Progress.NONE);
        }
        assertHolds(target, model);
    }

    @Test
    void restoreMakesADatabaseOfABackupAndLeavesItAsItIs() {
        SimDirectory backup = new SimDirectory();
        try (Store store = Store.open(directory, OPTIONS)) {
            change(store, 200);
            store.backup(backup, Progress.NONE);
        }
        long calls = backup.operations();
        Store.restore(backup, target, Progress.NONE);
        assertEquals(calls, backup.operations());
        assertHolds(target, model);
        assertThrows(
                UsageException.class,
                () -> Store.restore(new SimDirectory(), new SimDirectory(), Progress.NONE));
    }

    /// A crashed database is as good a source; its log is replayed on the way.
    @Test
    void restoreTakesWhatACrashHasLeft() {
        Store store = Store.open(directory, OPTIONS);
        change(store, 100);
        store.checkpoint();
        change(store, 100);
        SimDirectory left = directory.crash(random, CrashProfile.PROCESS_KILL);
        Store.restore(left, target, Progress.NONE);
        assertHolds(target, model);
        store.close();
    }
}
