package dev.oriel.graph.faces;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.OpenedDatabase;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.store.LimitException;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A [Bank] on a disk that crashes, fills up and fails: each transfer is in all faces or in none, and no
/// acknowledged one is lost. `-Dfaces.crashes=` sets the number of crashes.
@Timeout(1_200)
final class FacesCrashTest {
    private static final int CRASHES = Integer.getInteger("faces.crashes", 25);
    private static final int ROUNDS = Integer.getInteger("faces.crashes", 12);
    private static final int ACCOUNTS = 4;
    private static final List<Durability> CLASSES = List.of(Durability.values());
    private static final List<Isolation> LEVELS = List.of(Isolation.values());

    /// Approximate number of writing calls between two crashes.
    private static final int CALLS_APART = 9;

    /// Calls that create and delete log files; if one fails, another file is used, or the file stays.
    private static final List<String> FILE_CALLS = List.of("create", "resize", "delete");

    /// Files after a crash.
    ///
    /// @param least the last transfer that must have survived
    /// @param most the last transfer that had begun
    private record Left(SimDirectory folder, long least, long most) {}

    private long begun;
    private long written;
    private long synced;
    private boolean created;

    private static Store open(SimDirectory folder) {
        return Store.open(folder, StoreOptions.defaults().withCheckpointBytes(128 << 10));
    }

    private static Database over(Store store) {
        return OpenedDatabase.over(store, DatabaseOptions.defaults(), () -> 0);
    }

    private void transfer(Database db, Bank bank, Gen gen) throws SQLException {
        Durability durability = gen.pick(CLASSES);
        long number = ++begun;
        TransactionOptions options =
                TransactionOptions.defaults()
                        .withIsolation(gen.pick(LEVELS))
                        .withDurability(durability);
        boolean _ =
                db.<Boolean, SQLException>transact(
                        options,
                        tx -> {
                            bank.transfer(tx, 0, number, gen);
                            return true;
                        });
        written = durability == Durability.ASYNC ? written : number;
        synced = durability == Durability.SYNC ? number : synced;
    }

    @ParameterizedTest
    @EnumSource(CrashProfile.class)
    void everyTransferIsThereWholeOrNotAtAll(CrashProfile profile) throws Exception {
        SplittableRandom random = Seed.of("FacesCrashTest " + profile, 64);
        Gen gen = new Gen(random.split());
        Gen dice = new Gen(random.split());
        SimDirectory folder = new SimDirectory().sectorBytes(dice.chance(50) ? 512 : 4096);
        List<Left> left = new ArrayList<>();
        boolean kill = profile == CrashProfile.PROCESS_KILL;
        try (Store store = open(folder);
                Database db = over(store)) {
            Bank bank = new Bank(db, ACCOUNTS, 1);
            bank.create();
            store.checkpoint();
            folder.inEachCall(() -> {
                if (dice.below(CALLS_APART) == 0) {
                    left.add(
                            new Left(
                                    folder.crash(dice.random(), profile),
                                    kill ? written : synced,
                                    begun));
                }
            });
            while (left.size() < CRASHES) {
                transfer(db, bank, gen);
                if (gen.chance(4)) {
                    store.checkpoint();
                }
            }
            folder.inEachCall(() -> {});
        }
        long lost = 0;
        for (Left one : left) {
            try (Database db = over(open(one.folder))) {
                long found = check(db);
                assertTrue(
                        found >= one.least && found <= one.most,
                        () -> found + " found, " + one.least + " acknowledged of " + one.most);
                lost += one.most - found;
                begun = found;
                transfer(db, new Bank(db, ACCOUNTS, 1), gen);
                assertEquals(found + 1, check(db));
            }
        }
        System.out.printf(
                "%s: %d crashes, %d transfers not acknowledged lost%n", profile, left.size(), lost);
    }

    /// The number of the last transfer.
    private static long check(Database db) throws SQLException {
        Bank bank = new Bank(db, ACCOUNTS, 1);
        bank.check();
        assertEquals(List.of(), db.check());
        try (Transaction tx = db.begin(Bank.READING)) {
            return bank.written(tx, 0);
        }
    }

    /// A transaction refused by a full or failing disk is in no face. The next one succeeds once there is room,
    /// after a reopening at the latest.
    @Test
    void aFullDiskRefusesWholeTransactions() throws Exception {
        Gen gen = new Gen(Seed.of("FacesCrashTest full", 65));
        SimDirectory folder = new SimDirectory();
        int full = 0;
        for (int round = 0; round < ROUNDS; round++) {
            folder = folder.copy(); // without the faults of the last round
            try (Store store = open(folder);
                    Database db = over(store)) {
                Bank bank = new Bank(db, ACCOUNTS, 1);
                if (!created) {
                    bank.create();
                    created = true;
                }
                assertEquals(begun, check(db));
                full += untilRefused(folder, db, bank, gen) ? 1 : 0;
            }
            folder = folder.copy().spaceBytesMax(Long.MAX_VALUE);
            try (Database db = over(open(folder))) {
                begun = check(db);
            }
        }
        System.out.printf(
                "%d rounds, %d of them with a full disk, %d transfers%n", ROUNDS, full, begun);
        assertTrue(full > 0 && full < ROUNDS, full + " full disks");
    }

    /// Transfers until one is refused; returns whether the reason was a lack of room and not a fault.
    private boolean untilRefused(SimDirectory folder, Database db, Bank bank, Gen gen)
            throws Exception {
        boolean room = gen.chance(60);
        long fault = folder.operations() + gen.between(1, 60);
        if (room) {
            long bytes = 0;
            for (String name : folder.list()) {
                bytes += folder.bytes(name).length;
            }
            folder.spaceBytesMax(bytes + gen.between(0, 300_000));
        } else {
            folder.failAt(fault, gen.pick(List.of(Fault.IO_ERROR_ONCE, Fault.SHORT_WRITE)));
        }
        Throwable refused = null;
        for (int i = 0; refused == null && i < 5_000; i++) {
            try {
                transfer(db, bank, gen);
            } catch (DatabaseException | SQLException e) {
                refused = e;
            }
        }
        if (refused == null) { // checkpoints have kept freeing the log's space
            String call = room ? "" : folder.history().get((int) fault - 1);
            assertTrue(
                    room || FILE_CALLS.stream().anyMatch(call::startsWith),
                    () -> "A fault of the disk was not noticed: " + call);
            folder.spaceBytesMax(Long.MAX_VALUE);
            bank.check();
            return false;
        }
        DatabaseException cause = Bank.cause(refused, DatabaseException.class);
        Class<? extends DatabaseException> wanted =
                room ? LimitException.class : StorageException.class;
        assertInstanceOf(wanted, cause);
        folder.spaceBytesMax(Long.MAX_VALUE);
        bank.check();
        if (room) {
            begun--;
            try (Transaction tx = db.begin(Bank.READING)) {
                assertEquals(begun, bank.written(tx, 0));
            }
            for (int i = 0; i < 5; i++) {
                transfer(db, bank, gen);
            }
            bank.check();
        }
        return room;
    }
}
