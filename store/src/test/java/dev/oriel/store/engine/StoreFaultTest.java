package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A small history meets each fault at each of its calls. The store goes on, or refuses with the right kind of
/// error. Every acknowledged commit is there when the store is reopened.
class StoreFaultTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    private static final List<Durability> DURABILITIES =
            List.of(Durability.ASYNC, Durability.WRITTEN, Durability.SYNC);

    @ParameterizedTest
    @EnumSource(Fault.class)
    void faultAtEveryCallLosesNothingAcknowledged(Fault fault) {
        SplittableRandom random = Seed.of("StoreFaultTest", 51);
        long seed = random.nextLong();
        SimDirectory whole = new SimDirectory();
        new History(whole, seed, null).run();
        int refused = 0;
        for (long n = 1; n <= whole.operations(); n++) {
            SimDirectory directory = new SimDirectory().failAt(n, fault);
            History history = new History(directory, seed, fault);
            try {
                history.run();
                refused += history.refused;
                history.recover(directory.copy());
                history.recover(directory.crash(random, CrashProfile.ATOMIC_SECTOR));
            } catch (Throwable e) {
                throw new AssertionError(
                        "%s at call %d of %s".formatted(fault, n, directory.history()), e);
            }
        }
        int sum = refused;
        assertTrue(sum > 5, () -> "only " + sum + " refusals");
    }

    private static final class History {
        private final SimDirectory directory;
        private final Gen gen;
        private final RandomHistory changes;
        private final @Nullable Fault fault;
        private final List<Model> committed = new ArrayList<>(List.of(new Model()));
        private boolean poisoned;
        private long acknowledged;

        /// Newest commit on the disk.
        private long synced;

        private int refused;

        History(SimDirectory directory, long seed, @Nullable Fault fault) {
            this.directory = directory;
            this.gen = new Gen(new SplittableRandom(seed));
            this.changes = new RandomHistory(gen, 100, 700);
            this.fault = fault;
        }

        void run() {
            for (int session = 0; session < 2; session++) {
                poisoned = false;
                Store store = open();
                if (store == null) {
                    continue;
                }
                acknowledged = store.core().state().txid();
                synced = acknowledged;
                while (committed.size() > acknowledged + 1) {
                    committed.removeLast();
                }
                for (int i = 0; i < 5; i++) {
                    commit(store);
                    assertReads(store);
                    if (i % 2 == 1) {
                        if (attempt(store::checkpoint)) {
                            synced = acknowledged;
                        }
                        assertReads(store);
                    }
                }
                if (attempt(store::close) && !poisoned) {
                    synced = acknowledged;
                }
            }
        }

        private @Nullable Store open() {
            Store[] opened = {null};
            attempt(() ->
                    opened[0] =
                            new Opening(
                                            directory,
                                            OPTIONS,
                                            gen.random().split(),
                                            gen.random().split()::nextLong)
                                    .withoutThreads()
                                    .open());
            return opened[0];
        }

        /// Does `work` and checks its error, if any. Returns false if there was one.
        private boolean attempt(Runnable work) {
            try {
                work.run();
                return true;
            } catch (LimitException e) {
                refused++;
                return false;
            } catch (StorageException e) {
                assertTrue(fault != null && fault != Fault.DISK_FULL, "a full disk is a limit");
                refused++;
                poisoned = true;
                return false;
            }
        }

        private void commit(Store store) {
            Model next = committed.getLast().copy();
            if (poisoned) {
                StorageException refusal = assertThrows(StorageException.class, store::beginWrite);
                assertTrue(String.valueOf(refusal.getMessage()).contains("open it again"));
                assertTrue(refusal.getCause() instanceof StorageException);
                assertThrows(StorageException.class, store::checkpoint);
                return;
            }
            Durability durability = DURABILITIES.get(gen.below(3));
            try (Transaction transaction = store.beginWrite()) {
                transaction.durability(durability);
                if (gen.chance(15) && !attempt(() -> load(transaction, next))) {
                    return;
                }
                changes.change(transaction, next, gen.chance(30) ? 60 : 6);
                long[] txid = {-1};
                boolean done = attempt(() -> txid[0] = transaction.commit().txid());
                if (done ? txid[0] == committed.size() : poisoned) {
                    committed.add(next); // perhaps, if the store is poisoned
                }
                acknowledged = done ? txid[0] : acknowledged;
                synced = done && durability == Durability.SYNC ? txid[0] : synced;
            }
        }

        /// Loads a tree past the log.
        private void load(Transaction transaction, Model next) {
            String name = "loaded " + committed.size();
            Tree tree = transaction.createTree(name);
            NavigableMap<String, String> entries = new TreeMap<>();
            int[] i = {0};
            transaction.load(
                    tree,
                    (key, value) -> {
                        String text = "%03d".formatted(i[0]++);
                        entries.put(text, text);
                        key.setCopy(Model.slice(text));
                        value.setCopy(key);
                        return i[0] <= 100;
                    });
            entries.remove("100");
            next.trees.put(name, entries);
        }

        private void assertReads(Store store) {
            try (Transaction transaction = store.beginRead()) {
                assertTrue(transaction.snapshot() >= acknowledged);
                committed.get((int) transaction.snapshot()).assertSeenBy(transaction);
            }
            assertEquals(List.of(), store.check());
        }

        /// Opens the remains without further faults, and goes on; this history stays unchanged.
        void recover(SimDirectory left) {
            History after = new History(left, gen.random().nextLong(), null);
            after.committed.clear();
            after.committed.addAll(committed);
            after.acknowledged = synced;
            after.synced = synced;
            after.recover();
        }

        private void recover() {
            try (Store store = Store.open(directory, OPTIONS)) {
                long txid = store.core().state().txid();
                assertTrue(txid >= acknowledged, () -> acknowledged + " is lost: " + txid);
                assertReads(store);
                while (committed.size() > txid + 1) {
                    committed.removeLast();
                }
                commit(store);
                assertReads(store);
            }
        }
    }

    /// A disk too small for the log to grow, but large enough for the data, is sufficient.
    @Test
    void logIsUsedAgainWhereTheDiskHasNoRoomForMore() {
        SimDirectory directory = new SimDirectory().spaceBytesMax(2 << 20);
        Slice value = Slice.copyOf(new byte[1_000]);
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree tree;
            try (Transaction transaction = store.beginWrite()) {
                tree = transaction.createTree("t");
                transaction.commit();
            }
            for (int i = 0; i < 3_000; i++) {
                value.segment().fill((byte) i);
                try (Transaction transaction = store.beginWrite()) {
                    transaction.put(tree, Slice.of("key " + i % 20), value);
                    if (i % 3 == 0) {
                        transaction.delete(tree, Slice.of("key " + (i + 7) % 20));
                    }
                    transaction.commit();
                }
            }
            assertTrue(store.stats().checkpoints() > 3);
            assertEquals(List.of(), store.check());
        }
    }

    /// An interrupt of a thread that works in the store closes no file and loses nothing.
    @Test
    void interruptedThreadDoesAllItsWork(@TempDir Path folder) throws IOException {
        StoreOptions options = StoreOptions.defaults().withCheckpointBytes(50_000);
        RandomHistory history = new RandomHistory(new Gen(Seed.of("interrupts", 52)), 100, 600);
        Model model = new Model();
        try {
            for (int session = 0; session < 3; session++) {
                Thread.currentThread().interrupt();
                Store store = Store.open(DiskDirectory.open(folder), options);
                for (int i = 0; i < 15; i++) {
                    Thread.currentThread().interrupt();
                    try (Transaction transaction = store.beginWrite()) {
                        history.change(transaction, model, 20);
                        transaction.commit();
                    }
                    if (i % 5 == 4) {
                        store.checkpoint();
                    }
                    try (Transaction transaction = store.beginRead()) {
                        model.assertSeenBy(transaction);
                    }
                }
                assertEquals(List.of(), store.check());
                store.close();
                if (!Thread.interrupted()) {
                    fail("the interrupt was swallowed");
                }
            }
        } finally {
            Thread.interrupted();
        }
    }
}
