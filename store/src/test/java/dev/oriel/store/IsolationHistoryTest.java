package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.ConflictException.Reason;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.history.Anomaly;
import dev.oriel.testkit.history.Checker;
import dev.oriel.testkit.history.History;
import dev.oriel.testkit.history.Level;
import dev.oriel.testkit.history.Outcome;
import dev.oriel.testkit.history.Recorder;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Random transactions of several threads over few keys, at each level of isolation: what they saw of
/// each other must be what the level allows. `-Dhistory.transactions=` asks for more of them.
@Timeout(600)
class IsolationHistoryTest {
    private static final int THREADS = 6;
    private static final int KEYS = 12;

    /// After so many writes there are other keys, so that lists stay short.
    private static final int WRITES_A_GENERATION = 400;

    private static final int TRANSACTIONS = Integer.getInteger("history.transactions", 30_000);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED;

    /// Of each generation, lists are at keys below this, registers from it on.
    private static final int FIRST_REGISTER = KEYS / 2;

    private final Store store =
            Store.inMemory(StoreOptions.defaults().withWriteTimeoutMillis(20_000));
    private final AtomicLong values = new AtomicLong();
    private Tree tree = new Tree("", 0);

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void transactionsSeeWhatTheirLevelAllows(Isolation isolation) throws Exception {
        SplittableRandom random = Seed.of("IsolationHistoryTest " + isolation, 11);
        try (Transaction transaction = store.beginWrite()) {
            tree = transaction.createTree("t");
            transaction.commit();
        }
        List<Recorder> recorders = new ArrayList<>();
        List<Future<Integer>> clients = new ArrayList<>();
        try (ExecutorService executor = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                Recorder recorder = new Recorder();
                recorders.add(recorder);
                clients.add(executor.submit(new Client(recorder, isolation, random.split())));
            }
        }
        int committed = 0;
        for (Future<Integer> client : clients) {
            committed += client.get();
        }
        assertTrue(committed > TRANSACTIONS / 10, "committed " + committed);
        History history = History.of(recorders);
        Level level =
                switch (isolation) {
                    case READ_COMMITTED -> Level.READ_COMMITTED;
                    case SNAPSHOT -> Level.SNAPSHOT;
                    case SERIALIZABLE -> Level.SERIALIZABLE;
                };
        List<Anomaly> found = Checker.checkStrict(history, level);
        System.out.printf(
                "%s: %d transactions, %d committed, %d operations, %d anomalies%n",
                isolation,
                history.transactionCount(),
                committed,
                history.operationCount(),
                found.size());
        assertEquals(List.of(), found);
        assertEquals(List.of(), store.check());
        store.close();
    }

    /// One thread's transactions.
    private final class Client implements Callable<Integer> {
        private final Recorder recorder;
        private final Isolation isolation;
        private final SplittableRandom random;
        private final Slice value = new Slice();
        private final Slice key;
        private MemorySegment memory = Arena.ofAuto().allocate(1 << 12, 8);
        private long[] elements = new long[64];

        Client(Recorder recorder, Isolation isolation, SplittableRandom random) {
            this.recorder = recorder;
            this.isolation = isolation;
            this.random = random;
            this.key = new Slice().set(Arena.ofAuto().allocate(8, 8), 0, 8);
        }

        @Override
        public Integer call() {
            int committed = 0;
            for (int i = 0; i < TRANSACTIONS / THREADS; i++) {
                recorder.begin(System.nanoTime());
                Outcome outcome = Outcome.ABORTED;
                try (Transaction transaction = store.beginWrite(isolation)) {
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
            key.segment().set(ValueLayout.JAVA_LONG, 0, on);
            if (write) {
                transaction.lock(tree, key, Transaction.LockMode.EXCLUSIVE, transaction.patience());
            }
            int bytes = transaction.get(tree, key, value) ? value.length() : 0;
            if (on % KEYS < FIRST_REGISTER) {
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
