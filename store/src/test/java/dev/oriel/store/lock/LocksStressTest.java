package dev.oriel.store.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.ConflictException.Reason;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.lock.Locks.Grant;
import dev.oriel.testkit.Seed;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Many threads, few keys. The holders of each lock are counted beside the locks, and checked at each grant. No
/// thread waits for less than a minute without need. So a lost wake-up or a missed deadlock ends in a refusal,
/// which is an error here.
@Timeout(600)
final class LocksStressTest {
    private static final int KEYS = 12;
    private static final int THREADS = 8;
    private static final int TRANSACTIONS = 4000;
    private static final int ROUNDS_MAX = 20;
    private static final long EXCLUSIVE = 1L << 32;
    private static final Wait LONG = new Wait(Wait.Kind.WAIT, 60_000);
    private static final Wait SHORT = new Wait(Wait.Kind.WAIT, 1);
    private static final Wait SKIP = new Wait(Wait.Kind.SKIP, 0);

    private final Locks locks = new Locks(System::nanoTime);
    private final long[] hashes = new long[KEYS];

    /// For each key: its sharers, plus [#EXCLUSIVE] for an exclusive holder.
    private final AtomicLongArray held = new AtomicLongArray(KEYS);

    private final AtomicInteger deadlocks = new AtomicInteger();
    private final AtomicInteger timeouts = new AtomicInteger();
    private final AtomicInteger upgrades = new AtomicInteger();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();

    @Test
    void locksInAnyOrderExcludeEachOtherAndEveryDeadlockIsFound() throws InterruptedException {
        SplittableRandom random = Seed.of("LocksStressTest", 71);
        int rounds = 0;
        do { // until they have met, which they do late on a single processor
            stress(random.split(), false);
        } while (++rounds < ROUNDS_MAX && !haveMet());
        assertTrue(deadlocks.get() > 10, () -> deadlocks + " deadlocks");
        assertTrue(timeouts.get() > 0 && upgrades.get() > 10, () -> upgrades + " upgrades");
    }

    private boolean haveMet() {
        return deadlocks.get() > 10 && timeouts.get() > 0 && upgrades.get() > 10;
    }

    /// A transaction that locks in one order, and upgrades nothing, never waits in a cycle.
    @Test
    void locksInOneOrderAreNeverCalledADeadlock() throws InterruptedException {
        stress(Seed.of("LocksStressTest", 72), true);
        assertEquals(0, deadlocks.get());
    }

    private void stress(SplittableRandom random, boolean ordered) throws InterruptedException {
        for (int i = 0; i < KEYS; i++) {
            hashes[i] =
                    i < KEYS / 2 ? random.nextLong() : hashes[i - KEYS / 2] + 1024; // same stripe
        }
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            Worker worker = new Worker(random.split(), ordered);
            threads.add(i % 2 == 0 ? new Thread(worker) : Thread.ofVirtual().unstarted(worker));
        }
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError("under stress", failure.get());
        }
        assertEquals(0, locks.count());
        for (int i = 0; i < KEYS; i++) {
            assertEquals(0, held.get(i));
        }
        System.out.printf(
                "%d deadlocks, %d timeouts, %d upgrades%n",
                deadlocks.get(), timeouts.get(), upgrades.get());
    }

    private final class Worker implements Runnable {
        private final SplittableRandom random;
        private final boolean ordered;
        private final LockOwner owner = new LockOwner();
        private final long[] mine = new long[KEYS];

        Worker(SplittableRandom random, boolean ordered) {
            this.random = random;
            this.ordered = ordered;
        }

        @Override
        public void run() {
            try {
                for (int i = 0; i < TRANSACTIONS && failure.get() == null; i++) {
                    transaction();
                }
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
                locks.release(owner);
            }
        }

        @SuppressWarnings("ThreadPriorityCheck") // only so that more locks meet
        private void transaction() {
            int[] keys = random.ints(1 + random.nextInt(5), 0, KEYS).toArray();
            if (ordered) {
                keys = Arrays.stream(keys).sorted().distinct().toArray();
            }
            for (int key : keys) {
                if (!lock(key)) {
                    break;
                }
                if (random.nextInt(3) == 0) {
                    Thread.yield();
                }
            }
            assertEquals(Arrays.stream(mine).filter(h -> h != 0).count(), owner.count());
            for (int key = 0; key < KEYS; key++) {
                held.addAndGet(key, -mine[key]);
                mine[key] = 0;
            }
            locks.release(owner);
        }

        /// False if the transaction has to end.
        private boolean lock(int key) {
            LockMode mode = random.nextBoolean() ? LockMode.SHARED : LockMode.EXCLUSIVE;
            Wait wait =
                    switch (random.nextInt(12)) {
                        case 0 -> SKIP;
                        case 1 -> SHORT;
                        default -> LONG;
                    };
            try {
                granted(key, mode, locks.lock(owner, hashes[key], mode, wait));
                return true;
            } catch (ConflictException e) {
                if (e.reason() == Reason.DEADLOCK) {
                    deadlocks.incrementAndGet();
                } else if (e.reason() == Reason.LOCKED && wait.equals(SHORT)) {
                    timeouts.incrementAndGet();
                } else {
                    throw e;
                }
                return false;
            }
        }

        private void granted(int key, LockMode mode, Grant grant) {
            long now =
                    switch (grant) {
                        case NEW -> {
                            assertEquals(0, mine[key]);
                            mine[key] = mode == LockMode.SHARED ? 1 : EXCLUSIVE;
                            yield held.addAndGet(key, mine[key]);
                        }
                        case UPGRADED -> {
                            assertEquals(1, mine[key]);
                            mine[key] = EXCLUSIVE;
                            upgrades.incrementAndGet();
                            yield held.addAndGet(key, EXCLUSIVE - 1);
                        }
                        case HELD -> {
                            assertTrue(mine[key] >= (mode == LockMode.SHARED ? 1 : EXCLUSIVE));
                            yield held.get(key);
                        }
                        case REFUSED -> held.get(key);
                    };
            if (mine[key] == EXCLUSIVE) {
                assertEquals(EXCLUSIVE, now, "an exclusive lock is not alone");
            } else if (mine[key] == 1) {
                assertTrue(now > 0 && now < EXCLUSIVE, "shared beside exclusive");
            }
        }
    }
}
