package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException;
import dev.oriel.store.ConflictException.Reason;
import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The clock that the store is handed stands still, runs backwards, or jumps by years. The store measures syncs and
/// waits by it, and decides nothing else.
final class ClockTest {
    private static final StoreOptions OPTIONS = StoreOptions.defaults().withCheckpointBytes(20_000);
    private static final long YEAR = TimeUnit.DAYS.toNanos(365);

    enum Going {
        STILL,
        BACKWARDS,
        YEARS_AHEAD,
        YEARS_TO_AND_FRO,
        OVER_THE_END;

        private long after(long now) {
            return switch (this) {
                case STILL -> now;
                case BACKWARDS -> now - 1_000_000;
                case YEARS_AHEAD -> now + 10 * YEAR;
                case YEARS_TO_AND_FRO -> now > 0 ? now - 20 * YEAR : now + 21 * YEAR;
                case OVER_THE_END -> now + Long.MAX_VALUE / 3;
            };
        }

        LongSupplier clock() {
            AtomicLong now = new AtomicLong(1);
            return () -> now.updateAndGet(this::after);
        }
    }

    private static Store open(SimDirectory directory, Going going, StoreOptions options) {
        return new Opening(directory, options, new SplittableRandom(1), going.clock()).open();
    }

    @ParameterizedTest
    @EnumSource(Going.class)
    void commitsAndCheckpointsAreAsEver(Going going) {
        RandomHistory history = new RandomHistory(new Gen(Seed.of("ClockTest", 111)), 60, 300);
        SimDirectory directory = new SimDirectory();
        Model model = new Model();
        List<Durability> durabilities = List.of(Durability.values());
        for (int session = 0; session < 2; session++) {
            try (Store store = open(directory, going, OPTIONS)) {
                for (int i = 0; i < 30; i++) {
                    try (Transaction transaction = store.beginWrite()) {
                        transaction.durability(durabilities.get(i % durabilities.size()));
                        history.change(transaction, model, 10);
                        transaction.commit();
                    }
                    try (Transaction transaction = store.beginRead()) {
                        model.assertSeenBy(transaction);
                    }
                }
                assertEquals(List.of(), store.check());
            }
        }
    }

    /// A waiter for a lock gets it when it is free, or is told that it took too long.
    @ParameterizedTest
    @EnumSource(Going.class)
    void waitForALockEnds(Going going) throws InterruptedException {
        try (Store store =
                open(new SimDirectory(), going, OPTIONS.withWriteTimeoutMillis(20_000))) {
            Tree tree;
            try (Transaction transaction = store.beginWrite()) {
                tree = transaction.createTree("t");
                transaction.commit();
            }
            boolean[] ended = {false};
            Reason[] seen = {Reason.CHANGED}; // as is right when it gets the lock
            Thread waiting;
            try (Transaction first = store.beginWrite()) {
                first.put(tree, Slice.of("key"), Slice.of("first"));
                waiting =
                        Thread.startVirtualThread(() -> {
                            try (Transaction second = store.beginWrite()) {
                                second.lock(
                                        tree,
                                        Slice.of("key"),
                                        Transaction.LockMode.EXCLUSIVE,
                                        second.patience());
                            } catch (ConflictException e) {
                                seen[0] = e.reason();
                            }
                            ended[0] = true;
                        });
                while (waiting.getState() == Thread.State.NEW) {
                    Thread.onSpinWait();
                }
                first.commit();
            }
            waiting.join();
            assertTrue(ended[0]);
            assertTrue(seen[0] == Reason.CHANGED || seen[0] == Reason.LOCKED, () -> "" + seen[0]);
        }
    }

    /// A snapshot ends when the clock says that it is too old, at any rate with a conflict.
    @Test
    void snapshotOfWhichTheClockSaysThatItIsOldEndsWithAConflict() {
        StoreOptions options = OPTIONS.withSnapshotAgeMillisMax(1_000);
        for (Going going : Going.values()) {
            try (Store store = open(new SimDirectory(), going, options)) {
                try (Transaction transaction = store.beginWrite()) {
                    transaction.createTree("t");
                    transaction.commit();
                }
                try (Transaction transaction = store.beginRead()) {
                    for (int i = 0; i < 5; i++) {
                        assertTrue(transaction.tree("t") != null);
                    }
                    assertTrue(going != Going.YEARS_AHEAD, "it is years old");
                } catch (ConflictException e) {
                    assertTrue(going != Going.STILL, e::toString);
                }
            }
        }
    }
}
