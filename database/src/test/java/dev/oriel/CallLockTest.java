package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.ref.WeakReference;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The lock of a connection, and the reads of its owner that do not take it.
@Timeout(120)
class CallLockTest {
    private final ExecutorService other = Executors.newSingleThreadExecutor();
    private final CallLock lock = new CallLock();

    @AfterEach
    void end() {
        other.shutdownNow();
    }

    private <T> T inOther(Callable<T> call) throws Exception {
        return other.submit(call).get(30, TimeUnit.SECONDS);
    }

    private void call() {
        lock.enter();
        lock.exit();
    }

    private CallLock.Owner read() {
        return Objects.requireNonNull(lock.tryBeginRead());
    }

    @Test
    void onlyTheThreadThatEnteredLastReads() throws Exception {
        lock.reads(() -> true);
        assertNull(lock.tryBeginRead());
        call();
        read().endRead();
        assertFalse(inOther(() -> lock.tryBeginRead() != null));
        inOther(() -> {
            call();
            return true;
        });
        assertNull(lock.tryBeginRead());
    }

    @Test
    void readsKeepTheLockFromOthers() throws Exception {
        lock.reads(() -> true);
        call();
        CallLock.Owner reader = read();
        CallLock.Owner nested = read();
        assertFalse(inOther(lock::tryEnter));
        nested.endRead();
        assertFalse(inOther(lock::tryEnter));
        call(); // of the reader itself
        read().endRead(); // a refused thread leaves the bias
        reader.endRead();
        assertTrue(inOther(lock::tryEnter));
        assertNull(lock.tryBeginRead());
        assertFalse(lock.tryEnter());
    }

    /// Two threads change and read one pair of numbers, as calls and reads; a read never sees half a change.
    @Test
    void readsSeeNoHalfChange() throws Exception {
        long[] pair = new long[2];
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(2);
        AtomicBoolean torn = new AtomicBoolean();
        lock.reads(() -> true);
        Callable<Long> work =
                () -> {
                    long reads = 0;
                    while (System.nanoTime() < end) {
                        lock.enter();
                        pair[0]++;
                        Thread.onSpinWait();
                        pair[1]++;
                        lock.exit();
                        for (int i = 0; i < 100; i++) {
                            CallLock.Owner reader = lock.tryBeginRead();
                            if (reader != null) {
                                if (pair[0] != pair[1]) {
                                    torn.set(true);
                                }
                                reader.endRead();
                                reads++;
                            }
                        }
                    }
                    return reads;
                };
        var second = other.submit(work);
        var third = Executors.newSingleThreadExecutor();
        try {
            var one = third.submit(work);
            assertTrue(second.get() > 0 && one.get() > 0);
        } finally {
            third.shutdownNow();
        }
        assertFalse(torn.get());
    }

    /// An idle connection of a pool must not keep a thread of an application that was undeployed.
    @Test
    void anIdleLockDoesNotKeepItsLastThread() throws Exception {
        Thread last = new Thread(this::call);
        last.start();
        last.join();
        WeakReference<Thread> kept = new WeakReference<>(last);
        last = null;
        for (int i = 0; i < 100 && kept.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        assertNull(kept.get());
        lock.reads(() -> true);
        call();
        read().endRead();
    }
}
