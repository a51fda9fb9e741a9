package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Durability;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.StoreStats;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A mixed load on a real disk for any duration: two writers, two readers, checkpoints, checks, backups and
/// compactions. One reader is open from the beginning to the end. At intervals it prints the store's use of
/// resources, and fails if that exceeds a bound. The bound depends only on the data, not on the time.
///
/// `-Dsoak.seconds=` sets the duration (scripts/soak: 1,800), `-Dsoak.every=` the interval of checks.
final class SoakTest {
    private static final long SECONDS = Long.getLong("soak.seconds", 6);
    private static final long EVERY = Long.getLong("soak.every", Math.max(1, SECONDS / 30));
    private static final int PAIRS = 20_000;
    private static final long CHECKPOINT_BYTES = 4 << 20;

    /// Pause between two transactions of a writer: others use this machine too.
    private static final long PAUSE_NANOS = Long.getLong("soak.pause.micros", 500) * 1_000;

    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicLong commits = new AtomicLong();
    private final AtomicLong snapshots = new AtomicLong();
    private final AtomicLong works = new AtomicLong();
    private volatile boolean over;

    /// Bytes of the heap before the test: earlier tests of the same JVM may have left some.
    private long heapBefore;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @Test
    void everythingStaysBoundedWhileAReaderIsHeldOpen() throws Exception {
        SplittableRandom random = Seed.of("SoakTest", 91);
        heapBefore = heapBytes();
        StoreOptions options = StoreOptions.defaults().withCheckpointBytes(CHECKPOINT_BYTES);
        Path files = Files.createDirectory(folder.resolve("soak"));
        try (Store store = Store.open(DiskDirectory.open(files), options)) {
            fill(store, random.split());
            store.checkpoint();
            long live = store.stats().pages() * Page.BYTES;
            try (Transaction held = store.beginRead()) {
                List<Thread> threads = start(store, random);
                watch(store, held, live, random.split());
                over = true;
                for (Thread thread : threads) {
                    thread.join();
                }
                assertHeld(held, random, PAIRS);
            }
            rethrow();
            assertEquals(List.of(), store.check());
            store.checkpoint();
            System.out.println("after the reader has ended: " + line(store, 0));
        }
        System.out.printf(
                "%d commits, %d snapshots read, %d checks, backups and compactions%n",
                commits.get(), snapshots.get(), works.get());
        assertTrue(commits.get() > 10 && snapshots.get() > 10 && works.get() > 0);
    }

    private List<Thread> start(Store store, SplittableRandom random) {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int share = i;
            SplittableRandom writing = random.split();
            SplittableRandom reading = random.split();
            threads.add(guarded("writer " + i, () -> write(store, share, writing)));
            threads.add(guarded("reader " + i, () -> read(store, reading)));
        }
        threads.add(guarded("maintenance", () -> maintain(store)));
        threads.forEach(Thread::start);
        return threads;
    }

    private Thread guarded(String name, Runnable work) {
        return new Thread(
                () -> {
                    try {
                        work.run();
                    } catch (Throwable e) {
                        failure.compareAndSet(null, e);
                        over = true;
                    }
                },
                name);
    }

    private void rethrow() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new AssertionError("in the soak", failed);
        }
    }

    /// Checks at intervals until the time is over.
    private void watch(Store store, Transaction held, long live, SplittableRandom random) {
        System.out.println(
                "seconds  commits  data MB  shadow MB  log MB  scratch MB  versions  heap MB  files MB");
        long begun = System.nanoTime();
        long end = begun + SECONDS * 1_000_000_000L;
        long next = begun + EVERY * 1_000_000_000L;
        while (!over && System.nanoTime() < end) {
            LockSupport.parkNanos(next - System.nanoTime());
            if (System.nanoTime() >= next) {
                next += EVERY * 1_000_000_000L;
                assertHeld(held, random, 200);
                long heap = heapBytes() - heapBefore;
                System.out.println(line(store, (System.nanoTime() - begun) / 1_000_000_000L));
                assertBounds(store.stats(), live, heap);
            }
        }
        rethrow();
    }

    /// Live data doubles as pages split and fill at random. A held reader keeps one more version of each page, as
    /// do a running checkpoint and a running backup.
    private static void assertBounds(StoreStats stats, long live, long heap) {
        bound("data", stats.dataBytes(), 4 * live);
        bound("shadow", stats.shadowBytes(), 8 * live);
        bound("log", stats.logBytes(), 12 * CHECKPOINT_BYTES);
        bound("scratch", stats.scratchBytes(), 10 * live);
        bound("versions", stats.versions(), 10 * live / Page.BYTES);
        bound("heap", heap, 128 << 20);
    }

    private static void bound(String what, long bytes, long most) {
        assertTrue(bytes <= most, () -> what + " has grown to " + bytes + ", beyond " + most);
    }

    private static long heapBytes() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private String line(Store store, long seconds) {
        StoreStats stats = store.stats();
        return "%7d %8d %8.1f %10.1f %7.1f %11.1f %9d %8.1f %9.1f"
                .formatted(
                        seconds,
                        commits.get(),
                        stats.dataBytes() / 1e6,
                        stats.shadowBytes() / 1e6,
                        stats.logBytes() / 1e6,
                        stats.scratchBytes() / 1e6,
                        stats.versions(),
                        heapBytes() / 1e6,
                        stats.fileBytes() / 1e6);
    }

    private static Slice key(int pair, int side) {
        return Slice.of("%d %06d".formatted(side, pair));
    }

    /// Both sides of a pair get the same stamp in one commit.
    private static void put(
            Transaction transaction, Tree tree, int pair, long stamp, SplittableRandom random) {
        for (int side = 0; side < 2; side++) {
            int length =
                    8 + (random.nextInt(100) == 0 ? random.nextInt(20_000) : random.nextInt(400));
            byte[] bytes = new byte[length];
            Arrays.fill(bytes, (byte) stamp);
            Slice value = Slice.copyOf(bytes);
            value.segment().set(Page.LONG, value.offset(), stamp);
            transaction.put(tree, key(pair, side), value);
        }
    }

    private static long stamp(Transaction transaction, Tree tree, int pair, int side) {
        Slice value = new Slice();
        if (!transaction.get(tree, key(pair, side), value)) {
            return -1;
        }
        long stamp = value.segment().get(Page.LONG, value.offset());
        for (int i = 8; i < value.length(); i++) {
            if (value.segment().get(Page.BYTE, value.offset() + i) != (byte) stamp) {
                throw new AssertionError("the value of pair " + pair + " is mixed of two");
            }
        }
        return stamp;
    }

    private static Tree tree(Transaction transaction) {
        Tree tree = transaction.tree("soak");
        if (tree == null) {
            throw new AssertionError("the tree is gone");
        }
        return tree;
    }

    private static void fill(Store store, SplittableRandom random) {
        try (Transaction transaction = store.beginExclusive()) {
            Tree tree = transaction.createTree("soak");
            for (int pair = 0; pair < PAIRS; pair++) {
                put(transaction, tree, pair, pair, random);
            }
            transaction.commit();
        }
    }

    private static void assertHeld(Transaction held, SplittableRandom random, int pairs) {
        for (int i = 0; i < pairs; i++) {
            int pair = random.nextInt(PAIRS);
            assertEquals(pair, stamp(held, tree(held), pair, i % 2), "of the reader that is held");
        }
    }

    private void write(Store store, int share, SplittableRandom random) {
        List<Durability> durabilities = List.of(Durability.values());
        while (!over) {
            try (Transaction transaction = store.beginWrite()) {
                transaction.durability(durabilities.get(random.nextInt(durabilities.size())));
                Tree tree = tree(transaction);
                for (int i = random.nextInt(10); i >= 0; i--) {
                    int pair = random.nextInt(PAIRS / 2) * 2 + share;
                    if (random.nextInt(5) == 0) {
                        transaction.delete(tree, key(pair, 0));
                        transaction.delete(tree, key(pair, 1));
                    } else {
                        put(transaction, tree, pair, random.nextLong(Long.MAX_VALUE), random);
                    }
                }
                if (random.nextInt(20) > 0) {
                    transaction.commit();
                    commits.incrementAndGet();
                }
            }
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private void read(Store store, SplittableRandom random) {
        while (!over) {
            try (Transaction transaction = store.beginRead()) {
                Tree tree = tree(transaction);
                for (int i = 0; i < 100; i++) {
                    int pair = random.nextInt(PAIRS);
                    long one = stamp(transaction, tree, pair, 0);
                    long other = stamp(transaction, tree, pair, 1);
                    assertEquals(one, other, () -> "the sides of pair " + pair);
                }
            }
            snapshots.incrementAndGet();
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    /// Checks, copies and compacts in turn.
    private void maintain(Store store) {
        for (int turn = 0; !over; turn++) {
            switch (turn % 3) {
                case 0 -> assertEquals(List.of(), store.check());
                case 1 -> backUp(store);
                default -> store.compact(Progress.NONE);
            }
            works.incrementAndGet();
            long until = System.nanoTime() + EVERY * 500_000_000L;
            while (!over && System.nanoTime() < until) {
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    private void backUp(Store store) {
        Path copy = folder.resolve("copy");
        try {
            Files.createDirectories(copy);
            store.backup(DiskDirectory.open(copy), Progress.NONE);
            try (Store copied = Store.open(DiskDirectory.open(copy), StoreOptions.defaults())) {
                assertEquals(List.of(), copied.check());
            }
            try (Stream<Path> files = Files.list(copy)) {
                for (Path file : files.toList()) {
                    Files.delete(file);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
