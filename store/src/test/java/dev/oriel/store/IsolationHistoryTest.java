package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.ConflictException.Reason;
import dev.oriel.store.engine.Store;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.history.Anomaly;
import dev.oriel.testkit.history.Checker;
import dev.oriel.testkit.history.History;
import dev.oriel.testkit.history.Level;
import dev.oriel.testkit.history.Outcome;
import dev.oriel.testkit.history.Recorder;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random transactions of several threads over few keys, at each isolation level: they must see of each other only
/// as much as the level allows. They read and write lists and registers by key, and lists that are ranges of rows.
/// A reader walks over such a list with a cursor, either way. A writer appends a row, or replaces all rows by one.
/// So a phantom row is found like any other anomaly.
///
/// The store is in memory, or on a disk with groups of committers in all classes of durability. There checkpoints
/// run all the while, write sets spill and are committed in parts, and locks on trees replace key locks.
/// `-Dhistory.transactions=` asks for more of them.
@Timeout(600)
class IsolationHistoryTest {
    private static final List<Durability> CLASSES = List.of(Durability.values());
    private static final int THREADS = 6;
    private static final int KEYS = 12;

    /// Number of writes after which other keys are used, so that lists stay short.
    private static final int WRITES_A_GENERATION = 400;

    private static final int TRANSACTIONS = Integer.getInteger("history.transactions", 12_000);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /// In each generation, lists are at keys below this.
    private static final int FIRST_RANGE = 4;

    /// Lists that are ranges of rows lie between.
    private static final int FIRST_REGISTER = 8;

    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withWriteTimeoutMillis(20_000);

    private static final int FILLER_ROWS = 40;
    private static final long GATHERED_BYTES = 64 << 10;

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    private Store store = Store.inMemory(OPTIONS);
    private boolean onDisk;
    private long gatheredBytes;
    private Tree filler = new Tree("", 0);
    private final AtomicLong values = new AtomicLong();
    private Tree tree = new Tree("", 0);

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void transactionsSeeWhatTheirLevelAllows(Isolation isolation) throws Exception {
        run(isolation, TRANSACTIONS);
        store.close();
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void alsoIfCommitsGather(Isolation isolation) throws Exception {
        store.close();
        gatheredBytes = GATHERED_BYTES;
        store = Store.inMemory(OPTIONS.withGatheredBytesMax(gatheredBytes));
        run(isolation, TRANSACTIONS / 3);
        store.close();
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void onADiskIfCommitsGather(Isolation isolation) throws Exception {
        gatheredBytes = GATHERED_BYTES;
        onADiskTooBesideCheckpointsAndInParts(isolation);
    }

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void onADiskTooBesideCheckpointsAndInParts(Isolation isolation) throws Exception {
        onDisk = true;
        store.close();
        store = open();
        run(isolation, TRANSACTIONS / 3);
        StoreStats stats = store.stats();
        System.out.printf("  %d checkpoints, %d syncs%n", stats.checkpoints(), stats.syncs());
        assertTrue(stats.checkpoints() > 3, () -> stats.checkpoints() + " checkpoints");
        store.close();
        store = open();
        assertEquals(List.of(), store.check());
        store.close();
    }

    private Store open() throws IOException {
        return Store.open(
                DiskDirectory.open(folder),
                OPTIONS.withCheckpointBytes(256 << 10)
                        .withGatheredBytesMax(gatheredBytes)
                        .withWriteSetBytesMax(4L * Page.BYTES)
                        .withKeyLocksMax(2));
    }

    private void run(Isolation isolation, int transactions) throws Exception {
        SplittableRandom random = Seed.of("IsolationHistoryTest " + isolation, 11);
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            filler = transaction.createTree("filler");
            transaction.commit();
        }
        List<Recorder> recorders = new ArrayList<>();
        List<Future<Integer>> clients = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                Recorder recorder = new Recorder();
                recorders.add(recorder);
                clients.add(
                        executor.submit(
                                new Client(i, transactions, recorder, isolation, random.split())));
            }
        }
        int committed = 0;
        for (Future<Integer> client : clients) {
            committed += client.get();
        }
        assertTrue(committed > transactions / 10, "committed " + committed);
        History history = History.of(recorders);
        Level level =
                switch (isolation) {
                    case READ_COMMITTED -> Level.READ_COMMITTED;
                    case SNAPSHOT -> Level.SNAPSHOT;
                    case SERIALIZABLE -> Level.SERIALIZABLE;
                };
        List<Anomaly> found = Checker.checkStrict(history, level);
        System.out.printf(
                "%s%s: %d transactions, %d committed, %d operations, %d anomalies%n",
                isolation,
                onDisk ? " on a disk" : "",
                history.transactionCount(),
                committed,
                history.operationCount(),
                found.size());
        assertEquals(List.of(), found);
        assertEquals(List.of(), store.check());
    }

    /// One thread's transactions.
    private final class Client implements Callable<Integer> {
        private final int number;
        private final int transactions;
        private final Recorder recorder;
        private final Isolation isolation;
        private final SplittableRandom random;
        private final Slice value = new Slice();
        private final Slice key;
        private MemorySegment memory = Arena.ofAuto().allocate(1 << 12, 8);
        private long[] elements = new long[64];

        Client(
                int number,
                int transactions,
                Recorder recorder,
                Isolation isolation,
                SplittableRandom random) {
            this.number = number;
            this.transactions = transactions;
            this.recorder = recorder;
            this.isolation = isolation;
            this.random = random;
            this.key = new Slice().set(Arena.ofAuto().allocate(8, 8), 0, 8);
        }

        @Override
        public Integer call() {
            int committed = 0;
            for (int i = 0; i < transactions / THREADS; i++) {
                recorder.begin(System.nanoTime());
                Outcome outcome = Outcome.ABORTED;
                try (Transaction transaction = store.beginWrite(isolation)) {
                    if (onDisk) {
                        transaction.durability(CLASSES.get(random.nextInt(CLASSES.size())));
                        fill(transaction);
                    }
                    int operations = 1 + random.nextInt(5);
                    for (int n = 0; n < operations; n++) {
                        statement(transaction);
                    }
                    if (random.nextInt(20) > 0) {
                        transaction.commit();
                        outcome = Outcome.COMMITTED;
                        committed++;
                    }
                } catch (ConflictException e) {
                    assertTrue(e.mayPass(), e::toString);
                }
                recorder.end(outcome, System.nanoTime());
            }
            return committed;
        }

        /// At READ COMMITTED a statement that meets a change is run again, as the SQL layer does.
        private void statement(Transaction transaction) {
            int chosen = random.nextInt(KEYS);
            long on = values.get() / WRITES_A_GENERATION * KEYS + chosen;
            boolean write = random.nextInt(2) == 0;
            while (true) {
                if (isolation == Isolation.READ_COMMITTED) {
                    transaction.refresh();
                }
                try {
                    operation(transaction, on, write);
                    return;
                } catch (ConflictException e) {
                    if (isolation != Isolation.READ_COMMITTED || e.reason() != Reason.CHANGED) {
                        throw e;
                    }
                }
            }
        }

        private void operation(Transaction transaction, long on, boolean write) {
            long place = on % KEYS;
            if (place >= FIRST_RANGE && place < FIRST_REGISTER) {
                range(transaction, on, write);
                return;
            }
            key.segment().set(ValueLayout.JAVA_LONG, 0, on);
            if (write) {
                transaction.lock(tree, key, Transaction.LockMode.EXCLUSIVE, transaction.patience());
            }
            int bytes = transaction.get(tree, key, value) ? value.length() : 0;
            if (place < FIRST_RANGE) {
                list(transaction, on, write, bytes);
            } else {
                register(transaction, on, write, bytes);
            }
        }

        private void list(Transaction transaction, long on, boolean write, int bytes) {
            int length = bytes / 8;
            if (elements.length < length) {
                elements = new long[2 * length];
            }
            for (int i = 0; i < length; i++) {
                elements[i] = value.segment().get(LONG, value.offset() + 8L * i);
            }
            recorder.readList(on, elements, length);
            if (write) {
                long element = values.incrementAndGet();
                if (memory.byteSize() < bytes + 8) {
                    memory = Arena.ofAuto().allocate(2L * bytes + 8, 8);
                }
                MemorySegment.copy(value.segment(), value.offset(), memory, 0, bytes);
                memory.set(LONG, bytes, element);
                transaction.put(tree, key, new Slice().set(memory, 0, bytes + 8));
                recorder.append(on, element);
            }
        }

        /// Now and then a transaction is too large for its memory.
        private void fill(Transaction transaction) {
            if (random.nextInt(200) > 0) {
                return;
            }
            for (int i = 0; i < FILLER_ROWS; i++) {
                Slice row = Slice.of("client %d row %d".formatted(number, i));
                transaction.put(filler, row, Slice.copyOf(new byte[1_500]));
            }
        }

        private static Slice row(long on, int number) {
            byte[] bytes = new byte[12];
            ByteBuffer.wrap(bytes).putLong(on).putInt(number);
            return Slice.copyOf(bytes);
        }

        private static Slice prefix(long on) {
            return Slice.copyOf(ByteBuffer.allocate(8).putLong(on).array());
        }

        /// A list whose elements lie in the rows of a range, in order. An append adds a row behind the last one,
        /// and perhaps merges all rows into one. Below SERIALIZABLE it also writes a row before the first one,
        /// which is never read: two concurrent appends conflict there. A conflict on the same new key is not
        /// enough: if other transactions have made that row and deleted it again, it is unchanged. SERIALIZABLE
        /// relies on the range alone.
        private void range(Transaction transaction, long on, boolean write) {
            Slice end = row(on, -1);
            List<byte[]> rows = new ArrayList<>();
            boolean meets = write && isolation != Isolation.SERIALIZABLE;
            Slice head = row(on, 0);
            if (meets) {
                transaction.lock(
                        tree, head, Transaction.LockMode.EXCLUSIVE, transaction.patience());
            }
            int last = rows(transaction, on, end, rows);
            assertEquals(rows.size(), transaction.count(tree, row(on, 1), end));
            Slice next = row(on, last + 1);
            if (write) {
                transaction.lock(
                        tree, next, Transaction.LockMode.EXCLUSIVE, transaction.patience());
            }
            ByteArrayOutputStream all = new ByteArrayOutputStream();
            rows.forEach(all::writeBytes);
            ByteBuffer longs = ByteBuffer.wrap(all.toByteArray());
            long[] seen = new long[longs.remaining() / 8];
            longs.asLongBuffer().get(seen);
            recorder.readList(on, seen, seen.length);
            if (write) {
                long element = values.incrementAndGet();
                if (random.nextInt(3) == 0) {
                    assertEquals(rows.size(), transaction.deleteRange(tree, row(on, 1), next));
                } else {
                    all.reset();
                }
                all.writeBytes(ByteBuffer.allocate(8).putLong(element).array());
                assertTrue(transaction.insert(tree, next, Slice.copyOf(all.toByteArray())));
                if (meets) {
                    Slice written = Slice.copyOf(ByteBuffer.allocate(8).putLong(element).array());
                    transaction.put(tree, head, written);
                }
                recorder.append(on, element);
            }
        }

        /// The number of the last row; 0 if there is none.
        private int rows(Transaction transaction, long on, Slice end, List<byte[]> rows) {
            boolean forward = random.nextBoolean();
            Slice prefix = prefix(on);
            Cursor cursor = transaction.cursor(tree);
            boolean more = forward ? cursor.seek(row(on, 1)) : cursor.seekBefore(end);
            int last = 0;
            Slice at = new Slice();
            while (more && cursor.keyStartsWith(prefix)) {
                cursor.key(at);
                int found = ByteBuffer.wrap(at.toBytes()).getInt(8);
                if (found == 0) {
                    return last; // the row that is never read
                }
                last = Math.max(last, found);
                cursor.value(at);
                rows.add(forward ? rows.size() : 0, at.toBytes());
                more = forward ? cursor.next() : cursor.previous();
            }
            return last;
        }

        private void register(Transaction transaction, long on, boolean write, int bytes) {
            recorder.read(
                    on, bytes == 0 ? History.NOTHING : value.segment().get(LONG, value.offset()));
            if (write) {
                long next = values.incrementAndGet();
                memory.set(LONG, 0, next);
                transaction.put(tree, key, new Slice().set(memory, 0, 8));
                recorder.write(on, next);
            }
        }
    }
}
