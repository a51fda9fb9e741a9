package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Runs real threads. A writer moves money between accounts, which never changes the sum, and moves accounts
/// between keys and sizes, which splits and empties pages. Readers add up their snapshots; checkpoints run beside
/// all of them. `-Dstress.seconds=` sets a longer run.
final class StoreStressTest {
    private static final int ACCOUNTS = 3000;
    private static final long EACH = 1000;
    private static final int READERS = 3;
    private static final long NANOS = Integer.getInteger("stress.seconds", 3) * 1_000_000_000L;

    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
    private final AtomicLong snapshots = new AtomicLong();
    private long commits;
    private long rollbacks;
    private long checkpoints;
    private long checkpointsWanted;

    @Test
    void snapshotsAddUpInMemory() throws InterruptedException {
        try (Store store = Store.inMemory(StoreOptions.defaults())) {
            stress(store, Seed.of("StoreStressTest", 61));
        }
    }

    @Test
    void snapshotsAddUpOnDiskBesideCheckpoints(@TempDir Path folder)
            throws IOException, InterruptedException {
        StoreOptions options =
                StoreOptions.defaults()
                        .withDurability(Durability.WRITTEN)
                        .withCheckpointBytes(200_000);
        try (Store store = Store.open(DiskDirectory.open(folder), options)) {
            checkpointsWanted = 4;
            stress(store, Seed.of("StoreStressTest", 62));
            assertTrue(checkpoints > 3, () -> "only " + checkpoints + " checkpoints seen");
        }
        try (Store store = Store.open(DiskDirectory.open(folder), options);
                Transaction transaction = store.beginRead()) {
            assertEquals(ACCOUNTS * EACH, new Accounts(transaction).sum(transaction));
            assertEquals(List.of(), store.check());
        }
    }

    private void stress(Store store, SplittableRandom random) throws InterruptedException {
        Writer writer = new Writer(store, random.split());
        writer.open();
        List<Thread> threads = new ArrayList<>();
        threads.add(new Thread(guarded(writer::work), "writer"));
        for (int i = 0; i < READERS; i++) {
            SplittableRandom own = random.split();
            threads.add(new Thread(guarded(() -> read(store, own)), "reader " + i));
        }
        SplittableRandom last = random.split();
        threads.add(new Thread(guarded(() -> readOn(store, last)), "reader that stays"));
        for (Thread thread : threads) {
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw new AssertionError("under stress", failure.get());
        }
        assertEquals(List.of(), store.check());
        assertEquals(0, store.stats().openReaders());
        System.out.printf(
                "%d commits, %d rollbacks, %d snapshots read, %d checkpoints seen%n",
                commits, rollbacks, snapshots.get(), checkpoints);
        assertTrue(commits > 20 && rollbacks > 1 && snapshots.get() > 20);
    }

    private Runnable guarded(Runnable work) {
        return () -> {
            try {
                work.run();
            } catch (Throwable e) {
                failure.compareAndSet(null, e);
            } finally {
                over.set(over.get() || failure.get() != null);
            }
        };
    }

    /// Takes a snapshot, adds it up now and perhaps once more later, and ends it.
    private void read(Store store, SplittableRandom random) {
        Transaction transaction = store.beginRead();
        Accounts accounts = new Accounts(transaction);
        while (true) {
            int times = 1 + random.nextInt(3);
            for (int i = 0; i < times; i++) {
                long sum = accounts.sum(transaction);
                if (sum != ACCOUNTS * EACH) {
                    throw new AssertionError(
                            "snapshot %d adds up to %d".formatted(transaction.snapshot(), sum));
                }
                accounts.probe(random);
            }
            snapshots.incrementAndGet();
            transaction.close();
            if (over.get()) {
                return;
            }
            store.renew(transaction);
        }
    }

    /// Stays on one snapshot, while older and newer versions come and go.
    private void readOn(Store store, SplittableRandom random) {
        try (Transaction transaction = store.beginRead()) {
            Accounts accounts = new Accounts(transaction);
            long first = accounts.fingerprint(transaction);
            while (!over.get()) {
                if (accounts.fingerprint(transaction) != first) {
                    throw new AssertionError("snapshot " + transaction.snapshot() + " changed");
                }
                accounts.probe(random);
            }
        }
    }

    /// The keys of a snapshot: `account number (8 bytes), filling`; the value is the balance, then
    /// filling.
    private static final class Accounts {
        private final Tree tree;
        private final Cursor cursor;
        private final Slice slice = new Slice();
        private final Slice seek = new Slice();
        private final MemorySegment number = Arena.ofAuto().allocate(8);

        Accounts(Transaction transaction) {
            tree = Objects.requireNonNull(transaction.tree("accounts"));
            cursor = transaction.cursor(tree);
        }

        long sum(Transaction transaction) {
            cursor.reset(transaction, tree);
            long sum = 0;
            long count = 0;
            long last = -1;
            for (boolean more = cursor.first(); more; more = cursor.next()) {
                cursor.key(slice);
                long account = slice.segment().get(Slice.LONG_BE, slice.offset());
                if (account <= last) {
                    throw new AssertionError("account " + account + " after " + last);
                }
                last = account;
                count++;
                sum += balance();
            }
            if (count != ACCOUNTS) {
                throw new AssertionError(count + " accounts");
            }
            return sum;
        }

        /// Returns a hash that distinguishes snapshots.
        long fingerprint(Transaction transaction) {
            sum(transaction);
            long hash = 0;
            for (boolean more = cursor.first(); more; more = cursor.next()) {
                hash = hash * 31 + balance();
            }
            return hash;
        }

        private long balance() {
            cursor.value(slice);
            long balance = slice.segment().get(Page.LONG, slice.offset());
            byte filling = (byte) balance;
            for (int i = 8; i < slice.length(); i++) {
                if (slice.segment().get(Page.BYTE, slice.offset() + i) != filling) {
                    throw new AssertionError("a value is mixed of two");
                }
            }
            return balance;
        }

        /// Looks up single accounts, forwards and backwards.
        void probe(SplittableRandom random) {
            for (int i = 0; i < 200; i++) {
                long account = 1 + random.nextLong(ACCOUNTS - 1);
                number.set(Slice.LONG_BE, 0, account);
                seek.set(number, 0, 8);
                if (!cursor.seek(seek) || !cursor.keyStartsWith(seek)) {
                    throw new AssertionError("account " + account + " is missing");
                }
                balance();
                if (!cursor.previous()) {
                    throw new AssertionError("nothing before account " + account);
                }
                cursor.key(slice);
                long before = slice.segment().get(Slice.LONG_BE, slice.offset());
                if (before != account - 1) {
                    throw new AssertionError(before + " before " + account);
                }
            }
        }
    }

    /// The only writer. It tracks the key and balance of each account, and discards rolled back changes.
    private final class Writer {
        private final Store store;
        private final SplittableRandom random;
        private final int[] fillings = new int[ACCOUNTS];
        private final long[] balances = new long[ACCOUNTS];
        private final MemorySegment keyMemory = Arena.ofShared().allocate(1000);
        private final MemorySegment valueMemory = Arena.ofShared().allocate(5000);
        private final Slice key = new Slice();
        private final Slice value = new Slice();

        Writer(Store store, SplittableRandom random) {
            this.store = store;
            this.random = random;
        }

        void open() {
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = transaction.createTree("accounts");
                for (int i = 0; i < ACCOUNTS; i++) {
                    balances[i] = EACH;
                    write(transaction, tree, i);
                }
                transaction.commit();
            }
        }

        void work() {
            long end = System.nanoTime() + NANOS;
            try {
                while ((System.nanoTime() < end || !isEnough(end)) && !over.get()) {
                    int[] oldFillings = fillings.clone();
                    long[] oldBalances = balances.clone();
                    try (Transaction transaction = store.beginWrite()) {
                        Tree tree = Objects.requireNonNull(transaction.tree("accounts"));
                        int moves = random.nextInt(8) == 0 ? 300 : 10;
                        for (int i = 0; i < moves; i++) {
                            move(transaction, tree);
                        }
                        if (random.nextInt(4) > 0) {
                            transaction.commit();
                            commits++;
                            continue;
                        }
                    } finally {
                        checkpoints = store.stats().checkpoints();
                    }
                    System.arraycopy(oldFillings, 0, fillings, 0, ACCOUNTS);
                    System.arraycopy(oldBalances, 0, balances, 0, ACCOUNTS);
                    rollbacks++;
                }
            } finally {
                over.set(true);
            }
        }

        /// Whether to stop. If other processes leave little time, it goes on until the counts below hold.
        private boolean isEnough(long end) {
            boolean enough =
                    commits > 20
                            && rollbacks > 1
                            && snapshots.get() > 20
                            && checkpoints >= checkpointsWanted;
            return enough || System.nanoTime() > end + 10 * NANOS;
        }

        private void move(Transaction transaction, Tree tree) {
            int from = random.nextInt(ACCOUNTS);
            int to = (from + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            long amount = random.nextLong(EACH);
            balances[from] -= amount;
            balances[to] += amount;
            write(transaction, tree, to);
            if (random.nextInt(3) == 0) { // under a key of another length
                transaction.delete(tree, key(from));
                fillings[from] = random.nextInt(20) == 0 ? random.nextInt(900) : random.nextInt(9);
            }
            write(transaction, tree, from);
        }

        private Slice key(int account) {
            keyMemory.set(Slice.LONG_BE, 0, account);
            keyMemory.asSlice(8, fillings[account]).fill((byte) 'k');
            return key.set(keyMemory, 0, 8 + fillings[account]);
        }

        private void write(Transaction transaction, Tree tree, int account) {
            int more = random.nextInt(200) == 0 ? random.nextInt(4900) : random.nextInt(80);
            valueMemory.asSlice(8, more).fill((byte) balances[account]);
            valueMemory.set(Page.LONG, 0, balances[account]);
            transaction.put(tree, key(account), value.set(valueMemory, 0, 8 + more));
        }
    }
}
