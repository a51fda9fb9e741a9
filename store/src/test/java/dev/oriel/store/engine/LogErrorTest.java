package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/// An error other than a disk failure, such as memory running out, ends a write or a sync of the log. No commit
/// acknowledged afterwards is lost because of that.
final class LogErrorTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withCheckpointBytes(Long.MAX_VALUE / 8)
                    .withExclusiveIdleMillisMax(0) // no thread for that
                    .withDurability(Durability.WRITTEN);

    private final SimDirectory disk = new SimDirectory();
    private final StepDirectory directory = new StepDirectory(disk);

    /// Whether the next call of the verb fails.
    private final AtomicBoolean due = new AtomicBoolean();

    private Opening opening() {
        return new Opening(directory, OPTIONS, new SplittableRandom(1), System::nanoTime);
    }

    private void failNext(String verb) {
        due.set(true);
        directory.onStep((what, name) -> {
            if (what.startsWith(verb) && name.startsWith(LogFiles.PREFIX) && due.getAndSet(false)) {
                throw new OutOfMemoryError("planned for a " + verb);
            }
        });
    }

    private static void put(Store store, String key, Durability durability) {
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(durability);
            Tree tree = transaction.tree("t");
            if (tree == null) {
                tree = transaction.createTree("t");
            }
            transaction.put(tree, Slice.of(key), Slice.of("value"));
            transaction.commit();
        }
    }

    private static List<String> keys(SimDirectory left) {
        List<String> keys = new ArrayList<>();
        try (Store store = Store.open(left, OPTIONS);
                Transaction transaction = store.beginRead()) {
            assertEquals(List.of(), store.check());
            Tree tree = transaction.tree("t");
            for (String key : List.of("a", "b", "c", "d")) {
                if (tree != null && transaction.get(tree, Slice.of(key), new Slice())) {
                    keys.add(key);
                }
            }
        }
        return keys;
    }

    /// Records acknowledged earlier wait in the same buffer.
    @Test
    void aWriteThatErrsLosesNothingThatIsAcknowledgedLater() {
        for (Durability durability : List.of(Durability.WRITTEN, Durability.SYNC)) {
            new LogErrorTest().writeErrs(durability);
        }
    }

    private void writeErrs(Durability durability) {
        Store store = opening().withoutThreads().open();
        put(store, "a", durability);
        put(store, "b", Durability.ASYNC);
        failNext("write");
        assertThrows(OutOfMemoryError.class, () -> put(store, "c", durability));
        List<String> least = new ArrayList<>(List.of("a"));
        try {
            put(store, "d", durability);
            least = List.of("a", "b", "d");
        } catch (StorageException e) {
            assertTrue(String.valueOf(e.getMessage()).contains("open it again"), e::toString);
        }
        CrashProfile profile =
                durability == Durability.SYNC
                        ? CrashProfile.GARBAGE_SECTOR
                        : CrashProfile.PROCESS_KILL;
        for (int i = 0; i < 20; i++) {
            List<String> found = keys(disk.crash(new SplittableRandom(i), profile));
            assertTrue(found.containsAll(least), () -> durability + ": " + found);
        }
        store.close();
        assertTrue(keys(disk).containsAll(least));
    }

    /// The files that it was to sync are synced by the next one.
    @Test
    void aSyncThatErrsLosesNothingThatIsAcknowledgedLater() {
        Store store = opening().withoutThreads().open();
        put(store, "a", Durability.WRITTEN);
        put(store, "b", Durability.WRITTEN);
        failNext("sync");
        assertThrows(OutOfMemoryError.class, () -> put(store, "c", Durability.SYNC));
        put(store, "d", Durability.SYNC);
        for (int i = 0; i < 20; i++) {
            SimDirectory left = disk.crash(new SplittableRandom(i), CrashProfile.GARBAGE_SECTOR);
            assertEquals(List.of("a", "b", "c", "d"), keys(left));
        }
        store.close();
    }

    /// The log writer has died of the error: another thread takes its place.
    @Test
    void anErrorEndsNoWritingOfWhatIsLeft() throws InterruptedException {
        List<Thread> made = new ArrayList<>();
        CountDownLatch died = new CountDownLatch(1);
        Store store =
                opening()
                        .withThreads(work -> {
                            Thread thread = new Thread(work);
                            thread.setUncaughtExceptionHandler((of, e) -> died.countDown());
                            made.add(thread);
                            return thread;
                        })
                        .open();
        put(store, "a", Durability.SYNC);
        failNext("write");
        put(store, "b", Durability.ASYNC);
        assertTrue(died.await(1, TimeUnit.MINUTES));
        made.getFirst().join();
        put(store, "c", Durability.ASYNC);
        long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (store.transactions().committer().reached(store.core().state()) == Durability.ASYNC
                && System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
        assertEquals(2, made.size());
        SimDirectory left = disk.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
        assertEquals(List.of("a", "b", "c"), keys(left));
        store.close();
    }
}
