package dev.oriel.store.lock;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ClosedException;
import dev.oriel.store.ConflictException;
import dev.oriel.store.ConflictException.Reason;
import dev.oriel.store.Slice;
import dev.oriel.store.Transaction.LockMode;
import dev.oriel.store.Transaction.Wait;
import dev.oriel.store.Tree;
import dev.oriel.store.lock.Locks.Grant;
import dev.oriel.store.page.Page;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LocksTest {
    private static final Wait NOWAIT = new Wait(Wait.Kind.NOWAIT, 0);
    private static final Wait SKIP = new Wait(Wait.Kind.SKIP, 0);
    private static final Wait LONG = new Wait(Wait.Kind.WAIT, 50_000);

    private final Locks locks = new Locks(System::nanoTime);
    private final LockOwner a = new LockOwner();
    private final LockOwner b = new LockOwner();
    private final LockOwner c = new LockOwner();
    private final LockOwner d = new LockOwner();

    @AfterEach
    void nothingIsLeft() {
        for (LockOwner owner : List.of(a, b, c, d)) {
            locks.release(owner);
            assertNull(owner.queue());
            assertNull(owner.ahead);
            assertNull(owner.behind);
        }
        assertEquals(0, locks.count());
    }

    private Grant shared(LockOwner owner, long hash) {
        return locks.lock(owner, hash, LockMode.SHARED, SKIP);
    }

    private Grant exclusive(LockOwner owner, long hash) {
        return locks.lock(owner, hash, LockMode.EXCLUSIVE, SKIP);
    }

    /// A thread that waits for a lock.
    private final class Waiter {
        private final LockOwner owner;
        private final Thread thread;
        private volatile @Nullable Grant grant;
        private volatile @Nullable ConflictException refusal;
        private volatile boolean interrupted;

        Waiter(LockOwner owner, long hash, LockMode mode, Wait wait) {
            this.owner = owner;
            this.thread =
                    new Thread(() -> {
                        try {
                            grant = locks.lock(owner, hash, mode, wait);
                        } catch (ConflictException e) {
                            refusal = e;
                        }
                        interrupted = Thread.currentThread().isInterrupted();
                    });
            thread.start();
            while (owner.queue() == null && thread.isAlive()) {
                Thread.onSpinWait();
            }
        }

        boolean isWaiting() {
            return owner.queue() != null;
        }

        Grant grant() throws InterruptedException {
            thread.join();
            Grant got = grant;
            if (got == null) {
                throw new AssertionError("refused", refusal);
            }
            return got;
        }

        ConflictException refusal() throws InterruptedException {
            thread.join();
            ConflictException got = refusal;
            if (got == null) {
                throw new AssertionError("granted: " + grant);
            }
            return got;
        }
    }

    private Waiter wait(LockOwner owner, long hash, LockMode mode) {
        Waiter waiter = new Waiter(owner, hash, mode, LONG);
        assertTrue(waiter.isWaiting());
        return waiter;
    }

    /// In a closed store no transaction can commit any more, so waits would never end.
    @Test
    void closingEndsAllWaiting() throws InterruptedException {
        LockOwner holder = new LockOwner();
        LockOwner owner = new LockOwner();
        locks.lock(holder, 1, LockMode.EXCLUSIVE, LONG);
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread =
                new Thread(() -> {
                    try {
                        locks.lock(owner, 1, LockMode.SHARED, LONG);
                    } catch (ClosedException e) {
                        thrown.set(e);
                    }
                });
        thread.start();
        while (owner.queue() == null) {
            Thread.onSpinWait();
        }
        locks.close();
        thread.join();
        assertTrue(thrown.get() instanceof ClosedException);
        assertThrows(ClosedException.class, () -> locks.lock(owner, 1, LockMode.SHARED, LONG));
        locks.release(holder);
        assertEquals(0, locks.count());
    }

    @Test
    void sharedGoesWithSharedAndExclusiveWithNothing() {
        assertEquals(Grant.NEW, shared(a, 1));
        assertEquals(Grant.NEW, shared(b, 1));
        assertEquals(Grant.NEW, shared(c, 1));
        assertEquals(Grant.REFUSED, exclusive(d, 1));
        assertEquals(Grant.NEW, exclusive(a, 2));
        assertEquals(Grant.REFUSED, shared(b, 2));
        assertEquals(Grant.REFUSED, exclusive(b, 2));
        assertEquals(2, locks.count());
    }

    @Test
    void whatIsHeldInASufficientModeIsSaidToBe() {
        exclusive(a, 1);
        assertEquals(Grant.HELD, exclusive(a, 1));
        assertEquals(Grant.HELD, shared(a, 1));
        shared(a, 2);
        assertEquals(Grant.HELD, shared(a, 2));
        shared(b, 2);
        assertEquals(Grant.HELD, shared(a, 2));
        assertEquals(2, a.count());
        assertTrue(locks.holds(a, 1, LockMode.SHARED));
        assertTrue(locks.holds(a, 1, LockMode.EXCLUSIVE));
        assertTrue(locks.holds(a, 2, LockMode.SHARED));
        assertFalse(locks.holds(a, 2, LockMode.EXCLUSIVE));
        assertTrue(locks.holds(b, 2, LockMode.SHARED));
        assertFalse(locks.holds(b, 1, LockMode.SHARED));
        assertFalse(locks.holds(a, 3, LockMode.SHARED));
    }

    @Test
    void theOnlySharerUpgradesAtOnce() {
        shared(a, 1);
        assertEquals(Grant.UPGRADED, exclusive(a, 1));
        assertEquals(Grant.HELD, exclusive(a, 1));
        assertEquals(Grant.REFUSED, shared(b, 1));
        shared(a, 2);
        shared(b, 2);
        assertEquals(Grant.REFUSED, exclusive(a, 2));
        locks.release(b);
        assertEquals(Grant.UPGRADED, exclusive(a, 2));
        assertEquals(2, a.count());
    }

    @Test
    void notToWaitIsAnErrorThatSaysSo() {
        exclusive(a, 1);
        Tree tree = new Tree("t", 9);
        ConflictException refusal =
                assertThrows(
                        ConflictException.class,
                        () -> locks.lock(b, tree, 1, LockMode.SHARED, NOWAIT));
        assertEquals(Reason.LOCKED, refusal.reason());
        assertEquals("tree=t mode=SHARED waitedMillis=0", refusal.context());
        Wait notAtAll = new Wait(Wait.Kind.WAIT, 0);
        refusal =
                assertThrows(
                        ConflictException.class,
                        () -> locks.lock(b, 1, LockMode.EXCLUSIVE, notAtAll));
        assertEquals(Reason.LOCKED, refusal.reason());
        assertEquals(
                "Another transaction holds a lock and did not end in time; end it, or try again:"
                        + " mode=EXCLUSIVE waitedMillis=0",
                refusal.getMessage());
        assertEquals(0, b.count());
    }

    @Test
    void waitEndsWithItsTimeoutAndLeavesNoTrace() {
        AtomicLong nanos = new AtomicLong();
        Locks slow = new Locks(() -> nanos.getAndAdd(30_000_000));
        slow.lock(a, 1, LockMode.EXCLUSIVE, SKIP);
        Wait wait = new Wait(Wait.Kind.WAIT, 50);
        ConflictException refusal =
                assertThrows(ConflictException.class, () -> slow.lock(b, 1, LockMode.SHARED, wait));
        assertEquals(Reason.LOCKED, refusal.reason());
        assertEquals("mode=SHARED waitedMillis=60", refusal.context());
        assertNull(b.queue());
        slow.release(a);
        assertEquals(0, slow.count());
        assertEquals(Grant.NEW, slow.lock(b, 1, LockMode.SHARED, wait));
        slow.release(b);
    }

    @Test
    void waitEndsWithWhatItIsToAskAndLeavesNoTrace() throws InterruptedException {
        AtomicReference<@Nullable Thread> ended = new AtomicReference<>();
        locks.poll(() -> {
            if (Thread.currentThread().equals(ended.get())) {
                throw new ConflictException(Reason.CHANGED, "ended from outside", "");
            }
        });
        exclusive(a, 1);
        Waiter first = wait(b, 1, LockMode.EXCLUSIVE);
        Waiter second = wait(c, 1, LockMode.SHARED);
        ended.set(first.thread);
        locks.wake();
        assertEquals("ended from outside", first.refusal().getMessage());
        assertNull(b.queue());
        assertTrue(second.isWaiting());
        locks.release(a);
        assertEquals(Grant.NEW, second.grant());
    }

    /// A waiter that runs out of stack or memory must not stay in a queue: a lock granted there would never be
    /// released.
    @Test
    void errorDuringAWaitLeavesNoTrace() throws InterruptedException {
        exclusive(a, 1);
        locks.poll(() -> {
            throw new StackOverflowError("deep");
        });
        assertEquals("deep", errorOfWait(b, 1, LockMode.EXCLUSIVE));
        assertNull(b.queue());
        locks.poll(() -> {});
        locks.release(a);
        locks.release(b);
        assertEquals(Grant.NEW, exclusive(c, 1));
    }

    /// A lock granted by then is released with all others of the owner.
    @Test
    void errorAfterTheGrantLosesNoLock() throws InterruptedException {
        for (boolean upgrade : new boolean[] {false, true}) {
            exclusive(a, 2);
            shared(a, 1);
            if (upgrade) {
                shared(b, 1);
            }
            locks.poll(() -> {
                locks.release(a);
                throw new StackOverflowError("deep");
            });
            assertEquals("deep", errorOfWait(b, 1, LockMode.EXCLUSIVE));
            locks.poll(() -> {});
            assertTrue(locks.holds(b, 1, LockMode.EXCLUSIVE));
            assertEquals(1, b.count());
            locks.release(b);
            assertEquals(Grant.NEW, exclusive(c, 1));
            locks.release(c);
        }
    }

    /// Waits in another thread, whose stack and interrupts are its own.
    private @Nullable String errorOfWait(LockOwner owner, long hash, LockMode mode)
            throws InterruptedException {
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread =
                new Thread(() -> {
                    try {
                        locks.lock(owner, hash, mode, LONG);
                    } catch (Error e) {
                        thrown.set(e);
                    }
                });
        thread.start();
        thread.join();
        Throwable error = thrown.get();
        return error == null ? null : error.getMessage();
    }

    @Test
    void releaseWakesThoseWhoMayGo() throws InterruptedException {
        exclusive(a, 1);
        Waiter first = wait(b, 1, LockMode.SHARED);
        Waiter second = wait(c, 1, LockMode.SHARED);
        Waiter third = wait(d, 1, LockMode.EXCLUSIVE);
        locks.release(a);
        assertEquals(Grant.NEW, first.grant());
        assertEquals(Grant.NEW, second.grant());
        assertTrue(third.isWaiting());
        locks.release(b);
        assertTrue(third.isWaiting());
        locks.release(c);
        assertEquals(Grant.NEW, third.grant());
        assertTrue(locks.holds(d, 1, LockMode.EXCLUSIVE));
        assertEquals(1, d.count());
    }

    @Test
    void sharerDoesNotOvertakeWhoWaitsForAnExclusiveLock() throws InterruptedException {
        shared(a, 1);
        Waiter writer = wait(b, 1, LockMode.EXCLUSIVE);
        assertEquals(Grant.REFUSED, shared(c, 1));
        assertEquals(Grant.HELD, shared(a, 1));
        Waiter reader = wait(c, 1, LockMode.SHARED);
        locks.release(a);
        assertEquals(Grant.NEW, writer.grant());
        assertTrue(reader.isWaiting());
        locks.release(b);
        assertEquals(Grant.NEW, reader.grant());
    }

    @Test
    void whoGivesUpLetsThoseBehindGoOn() throws InterruptedException {
        shared(a, 1);
        Waiter writer = wait(b, 1, LockMode.EXCLUSIVE);
        Waiter reader = wait(c, 1, LockMode.SHARED);
        writer.thread.interrupt();
        assertEquals(Reason.INTERRUPTED, writer.refusal().reason());
        assertTrue(writer.interrupted);
        assertEquals(Grant.NEW, reader.grant());
        assertTrue(locks.holds(a, 1, LockMode.SHARED));
    }

    @Test
    void fromTheMiddleOfAQueueOneGivesUp() throws InterruptedException {
        exclusive(a, 1);
        Waiter first = wait(b, 1, LockMode.EXCLUSIVE);
        Waiter second = wait(c, 1, LockMode.EXCLUSIVE);
        Waiter third = wait(d, 1, LockMode.EXCLUSIVE);
        second.thread.interrupt();
        second.refusal();
        locks.release(a);
        assertEquals(Grant.NEW, first.grant());
        assertTrue(third.isWaiting());
        locks.release(b);
        assertEquals(Grant.NEW, third.grant());
    }

    @Test
    void interruptFlagDoesNotHinderALockThatIsFree() {
        Thread.currentThread().interrupt();
        try {
            assertEquals(Grant.NEW, locks.lock(a, 1, LockMode.EXCLUSIVE, LONG));
            ConflictException refusal =
                    assertThrows(
                            ConflictException.class,
                            () -> locks.lock(b, 1, LockMode.EXCLUSIVE, LONG));
            assertEquals(Reason.INTERRUPTED, refusal.reason());
        } finally {
            assertTrue(Thread.interrupted());
        }
    }

    @Test
    void upgradeGoesBeforeThoseWhoWait() throws InterruptedException {
        shared(a, 1);
        shared(b, 1);
        Waiter writer = wait(c, 1, LockMode.EXCLUSIVE);
        Waiter upgrade = wait(a, 1, LockMode.EXCLUSIVE);
        locks.release(b);
        assertEquals(Grant.UPGRADED, upgrade.grant());
        assertEquals(1, a.count());
        assertTrue(writer.isWaiting());
        locks.release(a);
        assertEquals(Grant.NEW, writer.grant());
    }

    @Test
    void theOnlySharerUpgradesPastThoseWhoWait() throws InterruptedException {
        shared(a, 1);
        Waiter writer = wait(b, 1, LockMode.EXCLUSIVE);
        Waiter reader = wait(c, 1, LockMode.SHARED);
        assertEquals(Grant.UPGRADED, exclusive(a, 1));
        assertTrue(writer.isWaiting());
        locks.release(a);
        assertEquals(Grant.NEW, writer.grant());
        locks.release(b);
        assertEquals(Grant.NEW, reader.grant());
    }

    @Test
    void ofTwoUpgradersTheSecondIsADeadlock() throws InterruptedException {
        shared(a, 1);
        shared(b, 1);
        Waiter first = wait(a, 1, LockMode.EXCLUSIVE);
        assertDeadlock(b, 1, LockMode.EXCLUSIVE);
        assertTrue(first.isWaiting());
        assertTrue(locks.holds(b, 1, LockMode.SHARED));
        locks.release(b);
        assertEquals(Grant.UPGRADED, first.grant());
    }

    private void assertDeadlock(LockOwner owner, long hash, LockMode mode) {
        ConflictException refusal =
                assertThrows(ConflictException.class, () -> locks.lock(owner, hash, mode, LONG));
        assertEquals(Reason.DEADLOCK, refusal.reason());
    }

    @Test
    void whoClosesACircleOfThreeIsItsOnlyVictim() throws InterruptedException {
        exclusive(a, 1L << 60);
        exclusive(b, 2L << 60);
        exclusive(c, 3L << 60);
        Waiter first = wait(a, 2L << 60, LockMode.EXCLUSIVE);
        Waiter second = wait(b, 3L << 60, LockMode.SHARED);
        assertDeadlock(c, 1L << 60, LockMode.EXCLUSIVE);
        assertTrue(first.isWaiting() && second.isWaiting());
        locks.release(c);
        assertEquals(Grant.NEW, second.grant());
        locks.release(b);
        assertEquals(Grant.NEW, first.grant());
    }

    /// `c` would wait only for its turn, behind `b`; but `b` waits for `a`, and `a` for `c`.
    @Test
    void toWaitForOnesTurnCanCloseACircle() throws InterruptedException {
        shared(a, 1);
        exclusive(c, 2);
        Waiter writer = wait(b, 1, LockMode.EXCLUSIVE);
        Waiter holder = wait(a, 2, LockMode.SHARED);
        assertDeadlock(c, 1, LockMode.SHARED);
        locks.release(c);
        assertEquals(Grant.NEW, holder.grant());
        locks.release(a);
        assertEquals(Grant.NEW, writer.grant());
    }

    @Test
    void sharersOfALockAreAllWaitedFor() throws InterruptedException {
        shared(a, 1);
        shared(b, 1);
        exclusive(c, 2);
        Waiter second = wait(b, 2, LockMode.EXCLUSIVE);
        assertDeadlock(c, 1, LockMode.EXCLUSIVE);
        locks.release(c);
        assertEquals(Grant.NEW, second.grant());
    }

    @Test
    void longChainThatIsNoCircleIsWaitedOut() throws InterruptedException {
        exclusive(a, 1);
        exclusive(b, 2);
        exclusive(c, 3);
        List<Waiter> waiters = new ArrayList<>();
        waiters.add(wait(b, 1, LockMode.EXCLUSIVE));
        waiters.add(wait(c, 2, LockMode.EXCLUSIVE));
        waiters.add(wait(d, 3, LockMode.EXCLUSIVE));
        for (LockOwner owner : List.of(a, b, c)) {
            locks.release(owner);
            assertEquals(Grant.NEW, waiters.removeFirst().grant());
        }
    }

    @Test
    void millionLocksAreGivenBackWithTheirMemory() {
        long empty = locks.bytes();
        Slice key = Slice.copyOf(new byte[8]);
        for (int i = 0; i < 1_000_000; i++) {
            key.segment().set(Page.LONG, 0, i);
            assertEquals(Grant.NEW, exclusive(a, Locks.hash(5, key)));
        }
        assertEquals(1_000_000, locks.count());
        assertEquals(1_000_000, a.count());
        key.segment().set(Page.LONG, 0, 77_777);
        assertTrue(locks.holds(a, Locks.hash(5, key), LockMode.EXCLUSIVE));
        assertTrue(locks.bytes() > 12_000_000);
        locks.release(a);
        assertEquals(0, locks.count());
        assertFalse(locks.holds(a, Locks.hash(5, key), LockMode.EXCLUSIVE));
        assertTrue(a.bytes() <= 8L * LockOwner.HASHES_KEPT_MAX, () -> a.bytes() + " bytes kept");
        assertTrue(locks.bytes() < 1_000_000 && empty < 100_000, () -> locks.bytes() + " kept");
    }

    @Test
    void entriesThatWentAsideAreFoundAfterOthersAreRemoved() {
        // All of one stripe, with few homes among its slots.
        for (int i = 0; i < 12; i++) {
            exclusive(i % 2 == 0 ? a : b, 30 + i % 4 + ((long) i << 20));
        }
        locks.release(a);
        for (int i = 0; i < 12; i++) {
            long hash = 30 + i % 4 + ((long) i << 20);
            assertEquals(i % 2 == 1, locks.holds(b, hash, LockMode.EXCLUSIVE), "lock " + i);
            assertFalse(locks.holds(a, hash, LockMode.SHARED), "lock " + i);
        }
        assertEquals(6, locks.count());
    }

    @Test
    void hashesOfKeysThatAreMuchAlikeDiffer() {
        int[] stripes = new int[64];
        long[] hashes = new long[200_000];
        Slice key = Slice.copyOf(new byte[40]);
        int count = 0;
        for (int length = 0; length < 40; length++) {
            key.set(key.segment(), 0, length);
            hashes[count++] = Locks.hash(1, key); // all bytes are 0
        }
        while (count < hashes.length) {
            int number = count / 4;
            key.segment().set(Page.LONG, 20, number);
            key.set(key.segment(), count % 2 == 0 ? 20 : 10, count % 2 == 0 ? 3 : 13);
            hashes[count++] = Locks.hash(7 + count % 4 / 2, key);
        }
        for (long hash : hashes) {
            stripes[Locks.stripeIndex(hash)]++;
        }
        assertEquals(hashes.length, Arrays.stream(hashes).distinct().count());
        for (int inStripe : stripes) {
            assertEquals(hashes.length / 64.0, inStripe, hashes.length / 64.0 * 0.2);
        }
        assertNotEquals(Locks.hash(1), Locks.hash(1, new Slice()));
        assertNotEquals(Locks.hash(1), Locks.hash(2));
    }

    @Test
    void hashIsOfTheBytesAndNotOfWhereTheyLie() {
        byte[] bytes = "a key that is longer than three words".getBytes(UTF_8);
        for (int length = 0; length <= bytes.length; length++) {
            Slice one = Slice.copyOf(Arrays.copyOf(bytes, length));
            byte[] moved = new byte[length + 8];
            Arrays.fill(moved, (byte) length);
            System.arraycopy(bytes, 0, moved, 5, length);
            Slice other = Slice.copyOf(moved);
            other.set(other.segment(), 5, length);
            assertEquals(Locks.hash(3, one), Locks.hash(3, other));
            if (length > 0) {
                for (int i = 0; i < length; i++) {
                    byte[] changed = Arrays.copyOf(bytes, length);
                    changed[i] ^= 1;
                    long hash = Locks.hash(3, Slice.copyOf(changed));
                    assertNotEquals(Locks.hash(3, one), hash);
                }
            }
        }
    }
}
