package dev.oriel.graph.faces;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import dev.oriel.Transaction;
import dev.oriel.TransactionOptions;
import dev.oriel.internal.Layers;
import dev.oriel.store.Durability;
import dev.oriel.store.Isolation;
import dev.oriel.testkit.Gen;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/// The process to be killed: creates a [Bank], or continues with it, with several tellers. It writes lines to its
/// standard output: `opened`, and `TELLER NUMBER` for each acknowledged transfer. A separate thread adds up
/// snapshots all the time.
///
/// Arguments: folder of the database, seed, bytes of log between checkpoints.
public final class FacesVictim {
    static final int TELLERS = 3;
    static final int ACCOUNTS = 6;

    private static final FileOutputStream OUT = new FileOutputStream(FileDescriptor.out);
    private static final List<Isolation> LEVELS = List.of(Isolation.values());

    private FacesVictim() {}

    /// Runs until killed.
    public static void main(String[] arguments) throws Exception {
        Thread.setDefaultUncaughtExceptionHandler((thread, e) -> {
            e.printStackTrace();
            Runtime.getRuntime().halt(1);
        });
        SplittableRandom random = new SplittableRandom(Long.parseLong(arguments[1]));
        DatabaseOptions options =
                DatabaseOptions.defaults()
                        .withDurability(Durability.WRITTEN)
                        .withCheckpointBytes(Long.parseLong(arguments[2]));
        Database db = Database.open(Path.of(arguments[0]), options);
        Bank bank = new Bank(db, ACCOUNTS, TELLERS);
        if (!isReady(db)) {
            bank.create();
        }
        say("opened");
        for (int i = 0; i < TELLERS; i++) {
            int teller = i;
            Gen gen = new Gen(random.split());
            Thread.ofPlatform().start(() -> transfers(db, bank, teller, gen));
        }
        while (true) {
            bank.check();
        }
    }

    /// Whether the creation of the bank was completed.
    static boolean isReady(Database db) {
        return Layers.tables(db).catalog().table("READY") != null;
    }

    /// One write for each line, so that a kill does not split one.
    private static void say(String line) throws IOException {
        OUT.write((line + "\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static void transfers(Database db, Bank bank, int teller, Gen gen) {
        try {
            long last;
            try (Transaction tx = db.begin(Bank.READING)) {
                last = bank.written(tx, teller);
            }
            while (true) {
                long number = ++last;
                TransactionOptions options =
                        TransactionOptions.defaults()
                                .withIsolation(gen.pick(LEVELS))
                                .withTimeout(Duration.ofMinutes(5));
                boolean _ =
                        db.<Boolean, SQLException>transact(
                                options,
                                tx -> {
                                    bank.transfer(tx, teller, number, gen);
                                    return true;
                                });
                say(teller + " " + number);
            }
        } catch (SQLException | IOException e) {
            throw new IllegalStateException("teller " + teller + " failed", e);
        }
    }
}
