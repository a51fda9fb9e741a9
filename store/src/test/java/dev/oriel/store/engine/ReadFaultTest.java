package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.model.Model;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Each positional read of a small history fails, once or permanently. The failure is reported to the caller that
/// needed the read; no wrong data is read, and no acknowledged commit is lost. When the disk reads again, the
/// store does too.
final class ReadFaultTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    private final SplittableRandom random = Seed.of("ReadFaultTest", 53);

    private int reads;
    private int failAt;
    private boolean forEver;
    private int failures;

    private void read(String verb, String name) throws IOException {
        reads++;
        if (reads == failAt || (forEver && failAt > 0 && reads > failAt)) {
            failures++;
            throw new IOException("read error of " + name);
        }
    }

    /// Creates pages written by a checkpoint, and a log left by a kill.
    private SimDirectory database(Model model) {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        RandomHistory history = new RandomHistory(new Gen(random.split()), 60, 300);
        for (int i = 0; i < 4; i++) {
            try (Transaction transaction = store.beginWrite()) {
                history.change(transaction, model, 40);
                transaction.commit();
            }
            if (i == 2) {
                store.checkpoint();
            }
        }
        return directory.crash(random, CrashProfile.PROCESS_KILL);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void readThatFailsIsToldAndNothingIsLost(boolean always) {
        Model model = new Model();
        SimDirectory database = database(model);
        forEver = always;
        run(database.copy(), model.copy());
        int all = reads;
        int told = 0;
        for (int n = 1; n <= all; n++) {
            reads = 0;
            failAt = n;
            failures = 0;
            SimDirectory directory = database.copy();
            Model now = model.copy();
            told += run(directory, now) ? 0 : 1;
            assertTrue(failures > 0 || n == all, "read " + n + " was not reached");
            failAt = 0;
            try (Store store = Store.open(directory, OPTIONS);
                    Transaction transaction = store.beginRead()) {
                now.assertSeenBy(transaction);
                assertEquals(List.of(), store.check());
            } catch (Throwable e) {
                throw new AssertionError("after failure of read " + n, e);
            }
        }
        System.out.println(all + " reads failed, told " + told + " times");
        assertTrue(all > 20 && told > 10, all + " reads, told " + told);
    }

    /// Opens, reads all, writes, checkpoints and closes; `model` becomes the expected state. Returns false if an
    /// error was reported.
    private boolean run(SimDirectory files, Model model) {
        StepDirectory directory = new StepDirectory(files);
        directory.onRead(this::read);
        Store store;
        try {
            store = Store.open(directory, OPTIONS);
        } catch (StorageException | CorruptionException e) {
            return false;
        }
        boolean whole = readAll(store, model);
        Model next = model.copy();
        try (Transaction transaction = store.beginWrite()) {
            RandomHistory history = new RandomHistory(new Gen(new SplittableRandom(1)), 60, 300);
            history.change(transaction, next, 20);
            transaction.commit();
            model.trees.clear();
            model.trees.putAll(next.trees);
        } catch (StorageException | CorruptionException e) {
            whole = false;
        }
        whole &= readAll(store, model);
        try {
            store.checkpoint();
        } catch (StorageException | CorruptionException e) {
            whole = false;
        }
        try {
            store.close();
        } catch (StorageException | CorruptionException e) {
            whole = false;
        }
        return whole;
    }

    private static boolean readAll(Store store, Model model) {
        try (Transaction transaction = store.beginRead()) {
            model.assertSeenBy(transaction);
            return true;
        } catch (StorageException e) {
            assertTrue(e.context().contains("page="), e::toString);
            return false;
        }
    }
}
