package dev.oriel.store.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Concurrent commits: a running sync delays only the committers that want one.
@Timeout(60)
final class CommitQueueTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    private static final List<Durability> CLASSES =
            List.of(Durability.SYNC, Durability.WRITTEN, Durability.ASYNC);

    private final StepDirectory directory = new StepDirectory(new SimDirectory());
    private final ExecutorService others = Executors.newCachedThreadPool();

    @AfterEach
    void end() {
        others.shutdownNow();
    }

    private static Durability put(Store store, String key, Durability wanted) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.tree("t");
            if (tree == null) {
                tree = transaction.createTree("t");
            }
            transaction.durability(wanted);
            transaction.put(tree, Slice.of(key), Slice.of("value"));
            return transaction.commit().durability();
        }
    }

    @Test
    void commitsThatWantNoSyncPassOneThatIsUnderWay() throws Exception {
        CountDownLatch syncing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (Store store = Store.open(directory, OPTIONS);
                AutoCloseable released = goOn::countDown) { // before the store, whose close syncs
            assertNotNull(released);
            put(store, "first", Durability.SYNC);
            put(store, "second", Durability.WRITTEN);
            directory.onStep((verb, name) -> {
                if (verb.equals("sync") && name.startsWith(LogFiles.PREFIX)) {
                    syncing.countDown();
                    await(goOn);
                }
            });
            Future<Durability> synced = others.submit(() -> put(store, "synced", Durability.SYNC));
            syncing.await();
            assertEquals(Durability.WRITTEN, put(store, "written", Durability.WRITTEN));
            // The log writer may have written it already; a sync has not run.
            assertNotEquals(Durability.SYNC, put(store, "later", Durability.ASYNC));
            Transaction tried = store.tryBeginWrite(Isolation.SNAPSHOT, Durability.WRITTEN);
            assertNotNull(tried);
            tried.close();
            try (Transaction exclusive = store.beginExclusive()) {
                exclusive.createTree("u");
                exclusive.durability(Durability.WRITTEN);
                exclusive.commit();
            }
            List<Future<Durability>> next = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                String key = "next " + i;
                next.add(others.submit(() -> put(store, key, Durability.SYNC)));
            }
            assertFalse(synced.isDone());
            goOn.countDown();
            assertEquals(Durability.SYNC, synced.get());
            for (Future<Durability> one : next) {
                assertEquals(Durability.SYNC, one.get());
            }
            directory.onStep((verb, name) -> {});
            assertEquals(List.of(), store.check());
        }
    }

    private static void await(CountDownLatch latch) {
        boolean interrupted = false;
        while (latch.getCount() > 0) {
            try {
                latch.await();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /// Many of all classes at once: each has the durability it asked for, and none is forgotten.
    @Test
    void committersOfAllClassesMeetAndAllAreDone() throws Exception {
        try (Store store = Store.open(directory, OPTIONS)) {
            put(store, "first", Durability.SYNC);
            List<Future<Boolean>> all = new ArrayList<>();
            for (int thread = 0; thread < 8; thread++) {
                int own = thread;
                all.add(
                        others.submit(() -> {
                            for (int i = 0; i < 500; i++) {
                                Durability wanted = CLASSES.get((own + i / 50) % 3);
                                Durability reached = put(store, own + "/" + i, wanted);
                                assertFalse(
                                        reached.compareTo(wanted) > 0, reached + " of " + wanted);
                            }
                            return true;
                        }));
            }
            for (Future<Boolean> one : all) {
                one.get();
            }
            try (Transaction reader = store.beginRead()) {
                Tree tree = reader.tree("t");
                assertNotNull(tree);
                assertEquals(4001, reader.count(tree, new Slice(), null));
            }
            assertEquals(List.of(), store.check());
        }
    }
}
