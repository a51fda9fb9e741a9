package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.file.PageRun;
import dev.oriel.store.memory.NativeMemory;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Page;
import dev.oriel.store.version.FramePool;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Memory runs out in each allocation in turn, once or for a while. The store goes on, or is poisoned and says why;
/// and acknowledged commits are there when it is opened again.
final class OutOfMemoryTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withCheckpointBytes(Long.MAX_VALUE / 8)
                    .withWriteSetBytesMax(6L * Page.BYTES);

    /// The history under test allocates less often.
    private static final int ALLOCATIONS_MAX = 1000;

    @AfterEach
    void enoughMemory() {
        NativeMemory.before = null;
    }

    @Test
    void memoryThatIsOutForAMomentCostsNothingAcknowledged() {
        int failed = failAllocations(1, 1, 2);
        assertTrue(failed > 15, "few failures: " + failed);
    }

    @Test
    void memoryThatIsOutForAWhileCostsNothingAcknowledged() {
        int failed = failAllocations(2, 5, 5);
        assertTrue(failed > 15, "few failures: " + failed);
    }

    /// Memory for pages ends long before a checkpoint is due, for good: commits go on all the same.
    @Test
    void commitsGoOnWithTheMemoryThatThereIs() {
        long most = 6 << 20;
        AtomicLong taken = new AtomicLong();
        AtomicLong failed = new AtomicLong();
        StackWalker stack = StackWalker.getInstance();
        NativeMemory.before =
                bytes -> {
                    if (isCalledBy(stack, FramePool.class) && taken.addAndGet(bytes) > most) {
                        taken.addAndGet(-bytes);
                        throw new OutOfMemoryError(
                                "planned; so often: " + failed.incrementAndGet());
                    }
                };
        int refused = 0;
        StoreOptions direct = StoreOptions.defaults().withGatheredBytesMax(0); // each fills pages
        try (Store store = Store.open(new SimDirectory(), direct)) {
            for (int i = 0; i < 5_000; i++) {
                try (Transaction transaction = store.beginWrite()) {
                    Tree tree = i == 0 ? transaction.createTree("t") : transaction.tree("t");
                    assertNotNull(tree);
                    transaction.put(tree, Slice.of("key " + i), Slice.of("v".repeat(4_000)));
                    transaction.commit();
                } catch (OutOfMemoryError e) {
                    refused++;
                }
            }
            assertTrue(failed.get() > 0, "enough memory for all");
            assertEquals(0, refused);
            assertEquals(List.of(), store.check());
        }
    }

    private static boolean isCalledBy(StackWalker stack, Class<?> caller) {
        return stack.walk(
                frames -> frames.anyMatch(frame -> frame.getClassName().equals(caller.getName())));
    }

    /// A checkpoint that cannot put neighbouring pages together writes each by itself: it gives memory back.
    @Test
    void aCheckpointNeedsNoMemoryForRunsOfPages() {
        SimDirectory directory = new SimDirectory();
        StoreOptions direct = StoreOptions.defaults().withGatheredBytesMax(0);
        try (Store store = Store.open(directory, direct)) {
            for (int i = 0; i < 200; i++) {
                try (Transaction transaction = store.beginWrite()) {
                    Tree tree = i == 0 ? transaction.createTree("t") : transaction.tree("t");
                    assertNotNull(tree);
                    transaction.put(tree, Slice.of("key " + i), Slice.of("v".repeat(4_000)));
                    transaction.commit();
                }
            }
            AtomicLong failed = new AtomicLong();
            StackWalker stack = StackWalker.getInstance();
            NativeMemory.before =
                    _ -> {
                        if (isCalledBy(stack, PageRun.class)) {
                            failed.incrementAndGet();
                            throw new OutOfMemoryError("planned");
                        }
                    };
            store.checkpoint();
            assertTrue(failed.get() > 0, "no run of pages");
            assertEquals(0, store.stats().scratchPages());
            assertEquals(List.of(), store.check());
        }
        NativeMemory.before = null;
        try (Store again = Store.open(directory, StoreOptions.defaults())) {
            assertEquals(List.of(), again.check());
        }
    }

    /// The very first memory for pages is missing for a moment: commits do not make a checkpoint each from then on.
    @Test
    void aMomentWithoutMemoryIsForgotten() {
        SimDirectory directory = new SimDirectory();
        try (Store store = Store.open(directory, StoreOptions.defaults())) {
            NativeMemory.before =
                    _ -> {
                        NativeMemory.before = null;
                        throw new OutOfMemoryError("planned");
                    };
            try (Transaction transaction = store.beginWrite()) {
                transaction.createTree("t");
                transaction.commit();
            } catch (OutOfMemoryError e) {
                try (Transaction transaction = store.beginWrite()) {
                    transaction.createTree("t");
                    transaction.commit();
                }
            }
            NativeMemory.before = null;
            store.checkpoint();
            long before = store.stats().checkpoints();
            for (int i = 0; i < 50; i++) {
                try (Transaction transaction = store.beginWrite()) {
                    Tree tree = transaction.tree("t");
                    assertNotNull(tree);
                    transaction.put(tree, Slice.of("key " + i), Slice.of("v"));
                    transaction.commit();
                }
            }
            assertEquals(before, store.stats().checkpoints());
        }
    }

    /// Failures begin with each allocation, one of `stride`.
    private static int failAllocations(long usual, int times, int stride) {
        SplittableRandom random = Seed.of("OutOfMemoryTest", usual);
        long seed = random.nextLong();
        int failures = 0;
        for (int first = random.nextInt(stride); first < ALLOCATIONS_MAX; first += stride) {
            AtomicLong count = new AtomicLong();
            int from = first;
            NativeMemory.before =
                    _ -> {
                        long number = count.getAndIncrement();
                        if (number >= from && number < from + times) {
                            throw new OutOfMemoryError("planned for allocation " + number);
                        }
                    };
            try {
                new History(seed).run();
            } catch (Throwable e) {
                throw new AssertionError("out of memory at allocation " + first, e);
            } finally {
                NativeMemory.before = null;
            }
            if (count.get() <= first) {
                return failures;
            }
            failures++;
        }
        throw new AssertionError("a history with more allocations than expected");
    }

    /// Sessions of commits, rollbacks and checkpoints.
    private static final class History {
        private final SplittableRandom random;
        private final Gen gen;
        private final SimDirectory directory = new SimDirectory();
        private Model committed = new Model();

        /// The content if the failed commit had come far enough.
        private Model perhaps = committed;

        History(long seed) {
            this.random = new SplittableRandom(seed);
            this.gen = new Gen(random.split());
        }

        void run() {
            RandomHistory history = new RandomHistory(gen, 60, 900);
            for (int session = 0; session < 2; session++) {
                Store store = open();
                for (int i = 0; i < 4; i++) {
                    int changes = gen.chance(40) ? 250 : 15;
                    try {
                        change(store, history, changes);
                    } catch (OutOfMemoryError | StorageException e) {
                        if (!goesOn(store)) {
                            store = reopen(store);
                        }
                    }
                    try {
                        store.checkpoint();
                    } catch (OutOfMemoryError | StorageException e) {
                        if (!goesOn(store)) {
                            store = reopen(store);
                        }
                    }
                }
                close(store);
            }
            NativeMemory.before = null;
            try (Store store = open()) {
                look(store);
            }
        }

        private Store open() {
            try {
                return tryToOpen();
            } catch (OutOfMemoryError e) {
                return tryAgainToOpen();
            }
        }

        private Store tryToOpen() {
            return new Opening(directory, OPTIONS, random.split(), () -> 0).withoutThreads().open();
        }

        private Store tryAgainToOpen() {
            for (int i = 0; i < 10; i++) {
                try {
                    return tryToOpen();
                } catch (OutOfMemoryError e) {
                    assertNotNull(e.getMessage());
                }
            }
            return tryToOpen();
        }

        private void change(Store store, RandomHistory history, int changes) {
            Model next = committed.copy();
            try (Transaction transaction = store.beginWrite()) {
                history.change(transaction, next, changes);
                perhaps = next;
                transaction.commit();
                committed = next;
            } catch (UsageException e) {
                // After a change that failed half way the only way out is a rollback.
                assertTrue(String.valueOf(e.getMessage()).contains("half way"), e::toString);
                throw new StorageException("as after a failure", "", e);
            }
        }

        /// Whether the store can be used; if not, it must say why.
        private boolean goesOn(Store store) {
            NativeMemory.before = null;
            try {
                look(store);
                try (Transaction transaction = store.beginWrite()) {
                    if (transaction.tree("after") == null) {
                        transaction.createTree("after");
                    }
                    transaction.commit();
                }
                return true;
            } catch (StorageException e) {
                String why = String.valueOf(e.getCause());
                assertTrue(why.contains("open it again"), () -> e + " because of " + why);
                return false;
            }
        }

        private void look(Store store) {
            try (Transaction transaction = store.beginRead()) {
                boolean older = sees(transaction, committed);
                assertTrue(older || sees(transaction, perhaps), "neither the one nor the other");
                committed = older ? committed : perhaps;
                perhaps = committed;
            }
            assertEquals(List.of(), store.check());
        }

        private static boolean sees(Transaction transaction, Model model) {
            try {
                for (String name : List.of("a", "b", "c")) {
                    boolean known = model.trees.containsKey(name);
                    assertEquals(known, transaction.tree(name) != null);
                }
                model.assertSeenBy(transaction);
                return true;
            } catch (AssertionError e) {
                return false;
            }
        }

        /// The remains of a machine crash at this moment are checked too.
        private Store reopen(Store store) {
            List<CrashProfile> profiles = new ArrayList<>(List.of(CrashProfile.values()));
            SimDirectory left =
                    directory.crash(random, profiles.get(random.nextInt(profiles.size())));
            try (Store recovered =
                    new Opening(left, OPTIONS, random.split(), () -> 0).withoutThreads().open()) {
                try (Transaction transaction = recovered.beginRead()) {
                    assertTrue(sees(transaction, committed) || sees(transaction, perhaps));
                }
                assertEquals(List.of(), recovered.check());
            }
            close(store);
            return open();
        }

        private static void close(Store store) {
            try {
                store.close();
            } catch (OutOfMemoryError e) {
                assertNotNull(e.getMessage());
                store.close();
            }
        }
    }
}
