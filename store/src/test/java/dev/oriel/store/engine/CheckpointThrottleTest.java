package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.file.CheckpointThrottle;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The pace of a checkpoint, by a simulated clock: spread over its time, faster if the log fills, at once if a
/// caller waits. Nothing but the times of its writes depends on it.
@Timeout(120)
final class CheckpointThrottleTest {
    /// Each commit changes pages, which are what a checkpoint writes.
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8).withGatheredBytesMax(0);

    private static final int ROWS = 4_000;
    private static final int STRETCH = (1 << 20) / Page.BYTES;
    private static final long SECOND = 1_000_000_000L;

    private long now;
    private double filled;
    private boolean hurry;
    private final List<Long> pauses = new ArrayList<>();

    private CheckpointThrottle throttle(long nanos) {
        return new CheckpointThrottle(
                nanos,
                () -> now,
                () -> filled,
                () -> hurry,
                pause -> {
                    pauses.add(pause);
                    now += pause;
                });
    }

    private long paused() {
        return pauses.stream().mapToLong(Long::longValue).sum();
    }

    private void assertNow(long expected) {
        assertTrue(Math.abs(now - expected) <= SECOND / 500, () -> now + " of " + expected);
    }

    @Test
    void writesAreSpreadOverHalfOfTheTime() {
        CheckpointThrottle throttle = throttle(4 * SECOND);
        throttle.begin(10L * STRETCH, 0.25);
        for (int i = 1; i <= 10; i++) {
            throttle.wrote(STRETCH);
            assertNow(i * SECOND / 5);
        }
        throttle.begin(10L * STRETCH, 0.5);
        throttle.wrote(10 * STRETCH);
        assertNow(4 * SECOND);
        assertTrue(pauses.stream().allMatch(pause -> pause <= 10_000_000), "a hurry is noticed");
    }

    @Test
    void whatTakesLongByItselfIsNotHeldUp() {
        CheckpointThrottle throttle = throttle(2 * SECOND);
        throttle.begin(2L * STRETCH, 0.25);
        now += 3 * SECOND;
        throttle.wrote(STRETCH);
        assertEquals(List.of(), pauses);
    }

    @Test
    void aLogThatFillsIsFollowed() {
        CheckpointThrottle throttle = throttle(20 * SECOND);
        throttle.begin(4L * STRETCH, 0.25);
        filled = 0.1; // of 0.25, for a quarter of the pages
        throttle.wrote(STRETCH);
        assertEquals(0, paused());
        throttle.wrote(STRETCH);
        assertTrue(paused() > 4 * SECOND, "half of the pages are ahead of two fifths of the way");
        long before = paused();
        filled = 0.25;
        throttle.wrote(STRETCH);
        throttle.wrote(STRETCH);
        assertEquals(before, paused());
    }

    @Test
    void whoIsInAHurryIsNotHeldUpAndSyncsRarely() {
        CheckpointThrottle throttle = throttle(2 * SECOND);
        throttle.begin(2L * STRETCH, 0.25);
        assertEquals(STRETCH, throttle.pagesASync());
        hurry = true;
        assertEquals(8 * STRETCH, throttle.pagesASync());
        throttle.wrote(STRETCH);
        assertEquals(0, paused());
    }

    /// A clock that stands still, or goes back, ends no checkpoint's progress.
    @Test
    void pausesAreBoundedWhateverTheClockSays() {
        long[] left = {0};
        CheckpointThrottle throttle =
                new CheckpointThrottle(
                        2 * SECOND,
                        () -> -left[0],
                        () -> 0,
                        () -> false,
                        pause -> left[0] += pause);
        throttle.begin(STRETCH, 0.25);
        throttle.wrote(STRETCH);
        assertTrue(left[0] >= SECOND && left[0] < 2 * SECOND, "paused " + left[0]);
    }

    private static void write(Store store, int round) {
        try (Transaction transaction = store.beginWrite()) {
            Tree known = transaction.tree("t");
            Tree tree = known == null ? transaction.createTree("t") : known;
            for (int i = 0; i < ROWS; i++) {
                transaction.put(tree, Slice.of("key " + i), Slice.of(round + "x".repeat(1500)));
            }
            transaction.commit();
        }
    }

    /// Two rounds, each with a checkpoint; returns the calls to the files without the syncs in between.
    private static List<String> run(SimDirectory directory, Consumer<Store> checkpoint) {
        Store store =
                new Opening(directory, OPTIONS, new SplittableRandom(1), () -> 0L)
                        .withoutThreads()
                        .open();
        for (int round = 0; round < 3; round++) {
            write(store, round);
            checkpoint.accept(store);
        }
        store.close();
        return directory.history();
    }

    private static List<String> withoutSyncs(List<String> calls) {
        return calls.stream().filter(call -> !call.startsWith("sync")).toList();
    }

    @Test
    void aPacedCheckpointWritesTheSameInTheSameOrder() {
        List<String> fast = run(new SimDirectory(), Store::checkpoint);
        List<String> slow = run(new SimDirectory(), store -> store.checkpoint(throttle(SECOND)));
        assertFalse(pauses.isEmpty(), "it paused");
        assertTrue(slow.size() > fast.size(), "it synced more often");
        assertEquals(withoutSyncs(fast), withoutSyncs(slow));
    }

    /// In each pause other transactions commit, and the machine may crash.
    @Test
    void aCrashInAnyPauseLosesNothing() {
        SplittableRandom random = Seed.of("CheckpointThrottleTest", 74);
        SimDirectory directory = new SimDirectory();
        List<SimDirectory> left = new ArrayList<>();
        List<Integer> committed = new ArrayList<>();
        int[] round = {1};
        try (Store store =
                new Opening(directory, OPTIONS, new SplittableRandom(2), () -> now)
                        .withoutThreads()
                        .open()) {
            write(store, 0);
            store.checkpoint();
            write(store, 1);
            store.checkpoint(
                    new CheckpointThrottle(
                            SECOND,
                            () -> now,
                            () -> 0,
                            () -> false,
                            pause -> {
                                now += 10 * pause;
                                if (round[0] < 5) {
                                    write(store, ++round[0]);
                                }
                                left.add(directory.crash(random, CrashProfile.ATOMIC_SECTOR));
                                committed.add(round[0]);
                            }));
            assertEquals(List.of(), store.check());
        }
        assertTrue(left.size() >= 4, "paused " + left.size() + " times");
        for (int i = 0; i < left.size(); i++) {
            try (Store again = Store.open(left.get(i), OPTIONS);
                    Transaction transaction = again.beginRead()) {
                Slice value = new Slice();
                Tree tree = transaction.tree("t");
                assertTrue(tree != null);
                assertTrue(transaction.get(tree, Slice.of("key 7"), value));
                assertTrue(value.toText().startsWith(committed.get(i) + "x"), "crash " + i);
                assertEquals(List.of(), again.check());
            }
        }
    }
}
