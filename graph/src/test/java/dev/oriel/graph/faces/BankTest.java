package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.store.Isolation;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Tellers transfer between accounts of all faces at once, at each level and at mixed levels, while readers add up
/// balances. `-Dbank.transfers=` sets the number of transfers.
@Timeout(1_200)
final class BankTest {
    private static final int TELLERS = 6;
    private static final int READERS = 2;
    private static final int TRANSFERS = Integer.getInteger("bank.transfers", 1_200);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    private Path folder;

    @ParameterizedTest
    @EnumSource(Isolation.class)
    void sumsAreEqualInEverySnapshot(Isolation isolation) throws Exception {
        try (Database db = Database.inMemory()) {
            run(db, List.of(isolation), 5);
        }
    }

    /// Beside checkpoints, in all classes of durability.
    @Test
    void onADiskAtAllLevelsMixed() throws Exception {
        DatabaseOptions options = DatabaseOptions.defaults().withCheckpointBytes(256 << 10);
        try (Database db = Database.open(folder, options)) {
            run(db, List.of(Isolation.values()), 3);
            assertTrue(db.stats().checkpoints() > 0);
        }
        try (Database db = Database.open(folder, options)) {
            new Bank(db, 3, TELLERS).check();
            assertEquals(List.of(), db.check());
        }
    }

    /// @param accounts number of accounts of each kind; fewer accounts mean more conflicts
    private static void run(Database db, List<Isolation> levels, int accounts) throws Exception {
        SplittableRandom random = Seed.of("BankTest " + levels, 61);
        Bank bank = new Bank(db, accounts, TELLERS);
        bank.create();
        AtomicInteger attempts = new AtomicInteger();
        AtomicInteger working = new AtomicInteger(TELLERS);
        AtomicInteger looks = new AtomicInteger();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> all = new ArrayList<>();
            for (int teller = 0; teller < TELLERS; teller++) {
                int number = teller;
                Gen gen = new Gen(random.split());
                all.add(
                        threads.submit(() -> {
                            try {
                                transfers(db, bank, number, levels, gen, attempts);
                            } finally {
                                working.decrementAndGet();
                            }
                            return null;
                        }));
            }
            for (int reader = 0; reader < READERS; reader++) {
                Gen gen = new Gen(random.split());
                all.add(
                        threads.submit(() -> {
                            while (working.get() > 0) {
                                look(db, bank, gen);
                                looks.incrementAndGet();
                            }
                            return null;
                        }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        }
        bank.check();
        try (Transaction tx = db.begin(Bank.READING)) {
            for (int teller = 0; teller < TELLERS; teller++) {
                assertEquals(TRANSFERS / TELLERS, bank.written(tx, teller));
            }
        }
        assertEquals(List.of(), db.check());
        System.out.printf(
                "%s: %d transfers in %d attempts, %d looks%n",
                levels, TRANSFERS / TELLERS * TELLERS, attempts.get(), looks.get());
    }

    private static void transfers(
            Database db,
            Bank bank,
            int teller,
            List<Isolation> levels,
            Gen gen,
            AtomicInteger attempts)
            throws SQLException {
        for (long number = 1; number <= TRANSFERS / TELLERS; number++) {
            long next = number;
            TransactionOptions options =
                    TransactionOptions.defaults()
                            .withIsolation(gen.pick(levels))
                            .withTimeout(Duration.ofMinutes(10));
            boolean _ =
                    db.<Boolean, SQLException>transact(
                            options,
                            tx -> {
                                attempts.incrementAndGet();
                                bank.transfer(tx, teller, next, gen);
                                return true;
                            });
        }
    }

    /// Adds up balances in a snapshot: of a read transaction, or of a write transaction, which may be retried.
    private static void look(Database db, Bank bank, Gen gen) throws SQLException {
        TransactionOptions options =
                switch (gen.below(3)) {
                    case 0 -> Bank.READING;
                    case 1 -> TransactionOptions.defaults().withIsolation(Isolation.SNAPSHOT);
                    default -> TransactionOptions.defaults().withIsolation(Isolation.SERIALIZABLE);
                };
        try (Transaction tx = db.begin(options)) {
            bank.check(tx);
            bank.check(tx);
        }
    }
}
