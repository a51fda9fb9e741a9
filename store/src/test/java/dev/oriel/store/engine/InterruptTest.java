package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.Directory;
import dev.oriel.io.DiskDirectory;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Threads in the store are interrupted at any moment. No file is closed by that, no acknowledged commit is lost,
/// and each thread finds its flag set afterwards.
@Timeout(120)
final class InterruptTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withDurability(Durability.WRITTEN)
                    .withCheckpointBytes(60_000)
                    .withWriteSetBytesMax(4L * Page.BYTES);

    private static final long INTERRUPTS_MIN = 100;

    @TempDir private Path folder;

    @AfterEach
    void forgetTheFlag() {
        Thread.interrupted();
    }

    /// Interrupts the test's thread in calls of the files, one of `oneOf`.
    private static final class Striker {
        private final Thread user = Thread.currentThread();
        private final SplittableRandom random;
        private final int oneOf;
        private boolean struck;
        private long strikes;

        Striker(SplittableRandom random, int oneOf) {
            this.random = random;
            this.oneOf = oneOf;
        }

        @SuppressWarnings("ReferenceEquality") // the very thread
        void strike() {
            if (Thread.currentThread() == user && random.nextInt(oneOf) == 0) {
                user.interrupt();
                struck = true;
                strikes++;
            }
        }

        /// Runs `work`, after which the flag is set if the thread was interrupted in it.
        void watch(String what, Runnable work) {
            struck = false;
            work.run();
            assertEquals(struck, Thread.interrupted(), what);
        }
    }

    @Test
    void interruptsInEveryCallOfTheFilesChangeNothing() throws IOException {
        run(1, 1);
    }

    @Test
    void interruptsInSomeCallsOfTheFilesChangeNothing() throws IOException {
        for (int i = 0; i < 4; i++) {
            run(2 + i, 3 + 5 * i);
        }
    }

    private void run(long seed, int oneOf) throws IOException {
        SplittableRandom random = Seed.of("InterruptTest", seed);
        Striker striker = new Striker(random.split(), oneOf);
        Directory directory =
                new InterruptingDirectory(
                        DiskDirectory.open(Files.createDirectory(folder.resolve("" + seed))),
                        striker::strike);
        RandomHistory history = new RandomHistory(new Gen(random.split()), 100, 600);
        List<Model> committed = new ArrayList<>(List.of(new Model()));
        for (int session = 0; session < 3; session++) {
            Store[] opened = new Store[1];
            striker.watch("opening", () -> opened[0] = Store.open(directory, OPTIONS));
            Store store = opened[0];
            for (int i = 0; i < 8; i++) {
                boolean large = i % 4 == 3;
                striker.watch("commit", () -> commit(store, history, committed, large ? 400 : 20));
                if (i % 3 == 2) {
                    striker.watch("checkpoint", store::checkpoint);
                }
                striker.watch("reading", () -> assertSeen(store, committed.getLast()));
            }
            striker.watch("check", () -> assertEquals(List.of(), store.check()));
            striker.watch("close", store::close);
        }
        assertTrue(striker.strikes > 30, "few interrupts: " + striker.strikes);
    }

    private static void commit(
            Store store, RandomHistory history, List<Model> committed, int changes) {
        Model next = committed.getLast().copy();
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(changes % 3 == 0 ? Durability.SYNC : Durability.WRITTEN);
            history.change(transaction, next, changes);
            transaction.commit();
            committed.add(next);
        }
    }

    private static void assertSeen(Store store, Model model) {
        try (Transaction transaction = store.beginRead()) {
            model.assertSeenBy(transaction);
        }
    }

    /// Several threads, which also wait for each other's locks, and one that interrupts them all the time.
    @Test
    void interruptsAtAnyMomentLoseNothingAcknowledged() throws Exception {
        SplittableRandom random = Seed.of("InterruptTest", 7);
        Directory directory = DiskDirectory.open(folder);
        AtomicLong[] counts = {new AtomicLong(), new AtomicLong(), new AtomicLong()};
        AtomicLong interrupts = new AtomicLong();
        for (int session = 0;
                session < 5 || (interrupts.get() <= INTERRUPTS_MIN && session < 500);
                session++) {
            Set<Thread> users = ConcurrentHashMap.newKeySet();
            AtomicBoolean done = new AtomicBoolean();
            SplittableRandom pauses = random.split();
            Thread annoying =
                    Thread.ofPlatform()
                            .start(() -> {
                                while (!done.get()) {
                                    users.forEach(Thread::interrupt);
                                    interrupts.incrementAndGet();
                                    LockSupport.parkNanos(pauses.nextInt(300_000));
                                }
                            });
            users.add(Thread.currentThread());
            Store store = Store.open(directory, OPTIONS);
            List<Throwable> failures = new ArrayList<>();
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < counts.length; i++) {
                int number = i;
                threads.add(
                        Thread.ofPlatform()
                                .start(() -> {
                                    users.add(Thread.currentThread());
                                    try {
                                        count(store, number, counts[number]);
                                    } catch (Throwable e) {
                                        synchronized (failures) {
                                            failures.add(e);
                                        }
                                    }
                                }));
            }
            for (Thread thread : threads) {
                join(thread);
            }
            store.checkpoint();
            store.close();
            done.set(true);
            join(annoying);
            Thread.interrupted();
            assertEquals(List.of(), failures);
        }
        assertTrue(interrupts.get() > INTERRUPTS_MIN, "few interrupts: " + interrupts);
        try (Store store = Store.open(directory, OPTIONS);
                Transaction transaction = store.beginRead()) {
            Tree tree = Objects.requireNonNull(transaction.tree("t"));
            long sum = 0;
            for (int i = 0; i < counts.length; i++) {
                assertEquals(counts[i].get(), value(transaction, tree, "own" + i));
                sum += counts[i].get();
            }
            assertEquals(sum, value(transaction, tree, "hot"));
            assertEquals(List.of(), store.check());
        }
    }

    private static void join(Thread thread) {
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                Thread.onSpinWait();
            }
        }
    }

    /// Counts up in an entry of its own, and in one that all threads want.
    private static void count(Store store, int number, AtomicLong count) {
        int done = 0;
        while (done < 60) {
            try (Transaction transaction = store.beginWrite(Isolation.READ_COMMITTED)) {
                Tree tree = transaction.tree("t");
                if (tree == null) {
                    tree = transaction.createTree("t");
                }
                transaction.lock(
                        tree,
                        Slice.of("hot"),
                        Transaction.LockMode.EXCLUSIVE,
                        transaction.patience());
                transaction.refresh();
                long hot = value(transaction, tree, "hot");
                transaction.put(tree, Slice.of("hot"), Slice.of("" + (hot + 1)));
                transaction.put(tree, Slice.of("own" + number), Slice.of("" + (count.get() + 1)));
                transaction.put(tree, Slice.of("long" + number), Slice.of("x".repeat(20_000)));
                transaction.commit();
                count.incrementAndGet();
                done++;
            } catch (ConflictException e) {
                // A wait for a lock ends by an interrupt, and says so; all else goes on.
                if (e.reason() == ConflictException.Reason.INTERRUPTED) {
                    assertTrue(Thread.interrupted(), "the flag was lost");
                }
            }
        }
    }

    private static long value(Transaction transaction, Tree tree, String key) {
        Slice value = new Slice();
        return transaction.get(tree, Slice.of(key), value) ? Long.parseLong(value.toText()) : 0;
    }
}
