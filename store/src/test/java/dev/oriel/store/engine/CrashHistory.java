package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.Directory;
import dev.oriel.store.Durability;
import dev.oriel.store.PageReads;
import dev.oriel.store.Progress;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.model.CommittedModels;
import dev.oriel.store.model.Model;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.store.transaction.WriteTransaction;
import dev.oriel.store.version.State;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;

/// One history of a store. It has its creation and commits that split pages and overflow: alone, in groups, and in
/// parts of spilled write sets. There are loads past the log, checkpoints under readers and with commits inside
/// their calls, compactions, reuse of files, closing and opening again. The machine crashes in copies, inside calls
/// that change the disk. Each possible remainder is opened, compared with the model of the commit that it claims to
/// be, and worked with. All of it is a function of the seed.
final class CrashHistory {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    private static final int WRITE_SET_BYTES = 20_000;
    private static final int GATHERED_BYTES = 8_000;
    private static final int GATHERED_BYTES_OF_RUNS = 100_000;
    private static final String LOADED = "loaded";

    private final long seed;

    /// Whether commits gather their entries above the pages.
    private final boolean gathers;

    private final List<Durability> durabilities;
    private final CrashProfile profile;
    private final SplittableRandom random;
    private final SimDirectory directory = new SimDirectory();
    private final StepDirectory steps = new StepDirectory(directory);
    private final CommittedModels committed = new CommittedModels();

    /// The newest commit that a crash of the process must keep, and the newest that a crash of the machine must
    /// keep.
    private long written;

    private long synced;

    /// The oldest commit that an opening of the remains of the last crash came to.
    private long recovered;

    /// One of `oneOf` calls is crashed in.
    private int oneOf = 1;

    private int outcomes = 1;
    private long crashes;

    /// @param durabilities each commit has one of them
    CrashHistory(long seed, List<Durability> durabilities, CrashProfile profile) {
        this.seed = seed;
        this.gathers = seed % 2 != 0;
        this.durabilities = durabilities;
        this.profile = profile;
        this.random = new SplittableRandom(seed);
        directory.sectorBytes(seed % 3 == 1 ? 4096 : 512);
    }

    /// Crashes in every call of two short sessions, with `outcomesOfEach` outcomes each; returns the number of
    /// crashes.
    long crashInEveryCall(int outcomesOfEach) {
        outcomes = outcomesOfEach;
        return run(2, 6);
    }

    /// Crashes in some calls of longer sessions.
    long crashInSomeCalls() {
        oneOf = 8;
        return run(3, 60);
    }

    private long run(int sessions, int commits) {
        directory.inEachCall(this::crashHere);
        Gen gen = new Gen(random.split());
        RandomHistory history = new RandomHistory(gen, 200, 600);
        boolean left = false;
        for (int session = 0; session < sessions && !left; session++) {
            Store store = open(steps, durabilities.getFirst());
            Transaction reader = store.beginRead();
            for (int i = 0; i < commits; i++) {
                switch (gen.weighted(82, 15, 3)) {
                    case 0 -> commitOne(store, history, gen);
                    case 1 -> commitGroup(store, history, gen);
                    default -> load(store, gen);
                }
                if (gen.chance(40)) {
                    checkpoint(store, history, gen);
                }
                if (gen.chance(10)) {
                    compact(store);
                }
                if (gen.chance(30)) {
                    committed.assertSeenBy(reader, reader.snapshot());
                    reader.close();
                    reader = store.beginRead();
                }
            }
            if (gen.chance(70)) {
                reader.close();
            }
            left = gen.chance(30); // the end of such a history is a crash too
            if (!left) {
                store.close();
                keep(Durability.SYNC, committed.lastTxid());
            }
            reader.close();
        }
        crashHere();
        return crashes;
    }

    private Store open(Directory folder, Durability wanted) {
        SplittableRandom clock = random.split(); // either way of a sync may seem faster
        StoreOptions options = OPTIONS.withDurability(wanted);
        if (seed % 4 == 0) {
            options = options.withPageReads(new PageReads(PageReads.Way.POSITIONAL, 1 << 20));
        }
        if (gathers) {
            boolean runs = seed % 3 != 0; // long ones, which are merged into pages
            options = options.withGatheredBytesMax(runs ? GATHERED_BYTES_OF_RUNS : GATHERED_BYTES);
        }
        if (seed % 5 == 0) { // large write sets spill, and are committed in parts
            options = options.withWriteSetBytesMax(WRITE_SET_BYTES);
        }
        return new Opening(folder, options, random.split(), () -> clock.nextInt(100))
                .withoutThreads()
                .open();
    }

    private void commitOne(Store store, RandomHistory history, Gen gen) {
        Model next = committed.last().copy();
        Durability durability = anyDurability(gen);
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(durability);
            history.change(transaction, next, 1 + gen.below(gen.chance(10) ? 150 : 12));
            committed.begin(next);
            Transaction.Commit commit = transaction.commit();
            committed.end(commit.txid());
            keep(durability, commit.txid());
        }
        if (durabilities.contains(Durability.ASYNC) && gen.chance(30)) {
            store.transactions().committer().writeLog();
            keep(Durability.WRITTEN, committed.lastTxid());
        }
    }

    private Durability anyDurability(Gen gen) {
        return durabilities.get(durabilities.size() > 1 ? gen.below(durabilities.size()) : 0);
    }

    /// A group of committers, each with a tree of its own: one record, one sync for the members that want it.
    private void commitGroup(Store store, RandomHistory history, Gen gen) {
        Model next = committed.last().copy();
        List<WriteTransaction> group = new ArrayList<>();
        Durability most = Durability.ASYNC;
        for (String name : List.copyOf(next.trees.keySet())) {
            WriteTransaction transaction = (WriteTransaction) store.beginWrite();
            Durability durability = anyDurability(gen);
            transaction.durability(durability);
            history.changeEntries(transaction, next, name, 1 + gen.below(4));
            if (transaction.beside().writeSet.isEmpty()
                    || transaction.beside().writeSet.isSpilled()) {
                transaction.close(); // such transactions commit by themselves
                next.trees.put(name, new TreeMap<>(before(name)));
                continue;
            }
            most = durability.compareTo(most) < 0 ? durability : most;
            group.add(transaction);
        }
        if (group.isEmpty()) {
            return;
        }
        committed.begin(next);
        State commit = store.transactions().committer().commitMet(group);
        committed.end(commit.txid());
        keep(most, commit.txid());
    }

    private NavigableMap<String, String> before(String name) {
        return Objects.requireNonNull(committed.last().trees.get(name));
    }

    /// A load of a tree past the log, in place of the one loaded before.
    private void load(Store store, Gen gen) {
        Model next = committed.last().copy();
        NavigableMap<String, String> entries = new TreeMap<>();
        Durability durability = anyDurability(gen);
        try (Transaction transaction = store.beginWrite()) {
            transaction.durability(durability);
            Tree old = transaction.tree(LOADED);
            if (old != null) {
                transaction.dropTree(old);
            }
            int count = 1 + gen.below(60);
            int[] i = {0};
            transaction.load(
                    transaction.createTree(LOADED),
                    (key, value) -> {
                        if (i[0] == count) {
                            return false;
                        }
                        String text = "%06d".formatted(i[0]++);
                        entries.put(text, text.repeat(9));
                        key.setCopy(Model.slice(text));
                        value.setCopy(Model.slice(text.repeat(9)));
                        return true;
                    });
            next.trees.put(LOADED, entries);
            committed.begin(next);
            long txid = transaction.commit().txid();
            committed.end(txid);
            keep(durability, txid);
        }
    }

    /// A checkpoint with concurrent commits in some of its calls, like one in the background. There are none in its
    /// calls to the log, in which they would wait.
    private void checkpoint(Store store, RandomHistory history, Gen gen) {
        long covered = store.stats().txid();
        boolean[] inside = {store.stats().logBytesBehind() == 0}; // else it may be marked as clean
        steps.onStep((verb, name) -> {
            if (!inside[0] && !name.startsWith(LogFiles.PREFIX) && gen.chance(8)) {
                inside[0] = true;
                if (gen.chance(70)) {
                    commitOne(store, history, gen);
                } else {
                    commitGroup(store, history, gen);
                }
                inside[0] = false;
            }
        });
        store.checkpoint();
        steps.onStep((verb, name) -> {});
        keep(Durability.SYNC, covered);
    }

    /// Notes the durability of commit `txid`.
    private void keep(Durability durability, long txid) {
        written = durability == Durability.ASYNC ? written : Math.max(written, txid);
        synced = durability == Durability.SYNC ? Math.max(synced, txid) : synced;
    }

    /// The commits of a compaction have no visible effect.
    private void compact(Store store) {
        store.compact(Progress.NONE);
        long last = store.stats().txid();
        keep(Durability.SYNC, last);
        committed.passed(last);
    }

    private void crashHere() {
        if (oneOf > 1 && random.nextInt(oneOf) > 0) {
            return;
        }
        for (int i = 0; i < outcomes; i++) {
            try {
                crashes++;
                // Data left unsynced by a kill may be lost in a machine crash during the recovery.
                boolean killed = random.nextInt(4) == 0;
                recover(
                        directory.crash(random, killed ? CrashProfile.PROCESS_KILL : profile),
                        killed ? 2 : 4);
            } catch (Throwable e) {
                throw new AssertionError(
                        "replay with -Dseed=%d; crash %d, in the last call of %s"
                                .formatted(seed, crashes, directory.history()),
                        e);
            }
        }
    }

    /// The newest commit that a crash must keep.
    private long least() {
        return profile == CrashProfile.PROCESS_KILL ? written : synced;
    }

    /// One of `oneOfAgain` crashes again.
    private void recover(SimDirectory left, int oneOfAgain) {
        SimDirectory folder = left;
        recovered = Long.MAX_VALUE;
        for (int again = 0; again < 2 && random.nextInt(oneOfAgain) == 0; again++) {
            SimDirectory next = folder.copy();
            next.crashAfter(1 + random.nextInt(16));
            try {
                openAndCheck(next).close();
            } catch (SimCrash e) {
                assertTrue(next.crashed());
                crashes++;
                folder = next.crash(random, profile);
            }
        }
        Store store = openAndCheck(folder);
        if (random.nextInt(3) == 0) {
            goOn(folder, store);
        }
    }

    private Store openAndCheck(SimDirectory folder) {
        Store store = open(folder, Durability.SYNC);
        long txid = store.stats().txid();
        assertTrue(txid >= least(), () -> "commit " + least() + " was acknowledged, found " + txid);
        try (Transaction transaction = store.beginRead()) {
            Model _ = assertSeenBy(transaction);
        }
        assertEquals(List.of(), store.check());
        recovered = Math.min(recovered, txid);
        return store;
    }

    /// Fails unless `transaction` sees the commit of its number, and returns the model of that. After a recovery that lost
    /// commits, closing uses their numbers for steps that change no entry.
    private Model assertSeenBy(Transaction transaction) {
        return committed.assertSeenBy(transaction, Math.min(recovered, transaction.snapshot()));
    }

    /// Works in the recovered store, ends it one way or the other, and opens it once more.
    private void goOn(SimDirectory remains, Store store) {
        SimDirectory folder = remains;
        Model model;
        try (Transaction transaction = store.beginRead()) {
            model = assertSeenBy(transaction).copy();
        }
        RandomHistory history = new RandomHistory(new Gen(random), 100, 300);
        long last = store.stats().txid();
        for (int i = random.nextInt(3); i >= 0; i--) {
            try (Transaction transaction = store.beginWrite()) {
                history.change(transaction, model, 10);
                last = transaction.commit().txid();
            }
            if (random.nextBoolean()) {
                store.checkpoint();
            }
            if (random.nextInt(4) == 0) {
                store.compact(Progress.NONE);
                last = store.stats().txid();
            }
        }
        if (random.nextBoolean()) {
            store.close();
        } else {
            folder = folder.crash(random, profile);
        }
        try (Store again = open(folder, Durability.SYNC);
                Transaction transaction = again.beginRead()) {
            long found = transaction.snapshot();
            long least = last;
            assertTrue(found >= least, () -> "commit " + least + " ended, found " + found);
            model.assertSeenBy(transaction);
            assertEquals(List.of(), again.check());
        }
    }
}
