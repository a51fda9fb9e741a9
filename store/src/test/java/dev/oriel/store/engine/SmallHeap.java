package dev.oriel.store.engine;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.ConflictException;
import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.page.Page;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/// A process with little memory that works in a store; started by [SmallHeapTest].
final class SmallHeap {
    private static final int VALUE_BYTES = 100;
    private static final int FAILURES_MIN = 3;
    private static final long PATIENCE_NANOS = 180_000_000_000L;
    private static final long FACTOR = 0x9E3779B97F4A7C15L;

    private SmallHeap() {}

    public static void main(String[] args) throws Exception {
        Path folder = Path.of(args[1]);
        if (args[0].equals("large")) {
            writeLarge(folder, Integer.parseInt(args[2]));
        } else {
            starve(folder, Long.parseLong(args[2]), Long.parseLong(args[3]));
        }
    }

    /// Returns the key of a number; keys are unordered, each comes once.
    static Slice key(long number, Slice out) {
        out.setOwn(8);
        out.segment().set(Slice.LONG_BE, 0, number * FACTOR);
        return out;
    }

    static Slice value(long number, Slice out) {
        out.setOwn(VALUE_BYTES);
        for (int i = 0; i + 8 <= VALUE_BYTES; i += 8) {
            out.segment().set(Page.LONG, i, number + i);
        }
        return out;
    }

    private static void writeLarge(Path folder, int rows) throws IOException {
        Slice key = new Slice();
        Slice value = new Slice();
        long scratchMax;
        long filesMax;
        long begun = System.nanoTime();
        long written;
        long committed;
        try (Store store = Store.open(DiskDirectory.open(folder), StoreOptions.defaults())) {
            Tree tree;
            try (Transaction transaction = store.beginWrite()) {
                tree = transaction.createTree("large");
                transaction.commit();
            }
            try (Transaction transaction = store.beginWrite()) {
                for (int i = 0; i < rows; i++) {
                    transaction.put(tree, key(i, key), value(i, value));
                }
                filesMax = temporaryBytes(store);
                written = System.nanoTime() - begun;
                check(store, transaction, tree, rows);
                begun = System.nanoTime();
                transaction.commit();
                committed = System.nanoTime() - begun;
                scratchMax = store.stats().scratchBytes();
                filesMax = Math.max(filesMax, temporaryBytes(store));
            }
            try (Transaction transaction = store.beginRead()) {
                check(store, transaction, tree, rows);
            }
            store.checkpoint();
        }
        System.out.printf(
                "rows=%d scratchBytes=%d temporaryBytes=%d writtenMillis=%d committedMillis=%d%n",
                rows, scratchMax, filesMax, written / 1_000_000, committed / 1_000_000);
    }

    private static long temporaryBytes(Store store) {
        TemporaryFiles files = store.core().temporaryFiles();
        return files == null ? 0 : files.bytes();
    }

    static void check(Store store, Transaction transaction, Tree tree, int rows) {
        Cursor cursor = transaction.cursor(tree);
        Slice key = new Slice();
        Slice value = new Slice();
        long sum = 0;
        int count = 0;
        for (boolean more = cursor.first(); more; more = cursor.next()) {
            cursor.value(value);
            sum += value.segment().get(Page.LONG, value.offset());
            count++;
        }
        long expected = (long) rows * (rows - 1) / 2;
        if (count != rows || sum != expected) {
            throw new IllegalStateException(count + " rows, sum " + sum);
        }
        SplittableRandom random = new SplittableRandom(store.stats().txid());
        for (int i = 0; i < 1000; i++) {
            int number = random.nextInt(rows);
            if (!transaction.get(tree, key(number, key), value)
                    || value.segment().get(Page.LONG, value.offset()) != number) {
                throw new IllegalStateException("row " + number);
            }
        }
    }

    /// Commits while another thread takes all the memory again and again.
    private static void starve(Path folder, long seed, long millis) throws Exception {
        Starved starved = new Starved(folder, seed);
        for (int i = 0; i < 200; i++) {
            starved.step(); // a class loaded without memory is lost for the whole process
        }
        starved.close();
        starved.store = starved.open();
        System.out.println("starving"); // loads the classes of the final report
        long end = System.nanoTime() + millis * 1_000_000;
        Thread hog = Thread.ofPlatform().daemon().start(SmallHeap::takeMemory);
        long last = end + PATIENCE_NANOS; // if the machine is busy
        long now = System.nanoTime();
        LinkageError broken = null;
        while (broken == null && (now < end || (starved.failed < FAILURES_MIN && now < last))) {
            try {
                starved.step();
            } catch (
                    LinkageError
                            e) { // one that was loaded without memory after all: it ends as by a
                // kill
                starved.failed++;
                broken = e;
            }
            now = System.nanoTime();
        }
        hog.interrupt();
        hog.join();
        if (broken == null) {
            starved.close();
        } else {
            System.out.println(broken);
        }
        System.out.println(starved.report());
    }

    /// Takes all memory, holds it for a moment, and releases it.
    private static void takeMemory() {
        List<byte[]> taken = new ArrayList<>(100_000);
        SplittableRandom random = new SplittableRandom(1);
        while (!Thread.currentThread().isInterrupted()) {
            fill(taken, 1 << 16);
            fill(taken, 1 << 10);
            fill(taken, 1);
            LockSupport.parkNanos(random.nextInt(10_000_000));
            taken.clear();
            LockSupport.parkNanos(random.nextInt(20_000_000));
        }
    }

    private static void fill(List<byte[]> taken, int bytes) {
        try {
            while (taken.size() < 100_000) {
                taken.add(new byte[bytes]);
            }
        } catch (OutOfMemoryError e) {
            taken.removeLast();
        }
    }

    /// The store, reopened when it requires it.
    private static final class Starved {
        private final Path folder;
        private final SplittableRandom random;
        private Store store;
        private long acknowledged;
        private long failed;
        private long poisoned;

        Starved(Path folder, long seed) throws IOException {
            this.folder = folder;
            this.random = new SplittableRandom(seed);
            this.store = open();
        }

        /// Avoids a format: its classes may be among the lost ones.
        @SuppressWarnings("UnnecessaryStringBuilder") // "+" links classes at its first call
        String report() {
            return new StringBuilder("acknowledged=")
                    .append(acknowledged)
                    .append(" failed=")
                    .append(failed)
                    .append(" poisoned=")
                    .append(poisoned)
                    .toString();
        }

        private Store open() throws IOException {
            while (true) {
                try {
                    return Store.open(
                            DiskDirectory.open(folder),
                            StoreOptions.defaults()
                                    .withDurability(Durability.WRITTEN)
                                    .withWriteSetBytesMax(1 << 18));
                } catch (OutOfMemoryError e) {
                    failed++;
                } catch (IllegalArgumentException e) {
                    count(e);
                }
            }
        }

        /// The JVM has a single error for lack of memory, which try cannot suppress in favour of itself.
        private void count(IllegalArgumentException e) {
            if (!(e.getCause() instanceof OutOfMemoryError)) {
                throw e;
            }
            failed++;
        }

        void step() throws IOException {
            try {
                commit();
                acknowledged++;
            } catch (OutOfMemoryError e) {
                failed++;
            } catch (ConflictException e) {
                if (e.reason() != ConflictException.Reason.LOCKED) {
                    throw e;
                }
                failed++;
            } catch (IllegalArgumentException e) {
                count(e);
            } catch (UsageException e) {
                failed++;
                if (!String.valueOf(e.getMessage()).contains("half way")) {
                    throw e;
                }
            } catch (StorageException e) {
                poisoned++;
                close();
                store = open();
            }
        }

        private void commit() {
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = transaction.tree("t");
                if (tree == null) {
                    tree = transaction.createTree("t");
                }
                Slice value = new Slice();
                boolean there = transaction.get(tree, Slice.of("count"), value);
                long count = there ? value.segment().get(Page.LONG, value.offset()) : 0;
                Slice next = Slice.copyOf(new byte[8]);
                next.segment().set(Page.LONG, 0, count + 1);
                transaction.put(tree, Slice.of("count"), next);
                int rows = random.nextInt(10) == 0 ? 4000 : 5;
                for (int i = 0; i < rows; i++) {
                    int number = random.nextInt(20_000);
                    transaction.put(tree, key(number, value), value(number, next));
                }
                transaction.commit();
            }
        }

        void close() {
            while (true) {
                try {
                    store.close();
                    return;
                } catch (OutOfMemoryError | StorageException e) {
                    failed++;
                }
            }
        }
    }
}
