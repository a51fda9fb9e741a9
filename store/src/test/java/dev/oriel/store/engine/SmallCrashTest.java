package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Progress;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.Chooser;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Small histories, each with a name. The machine or the process dies in every call of the named operation, and
/// again in every call of the recovery that follows. Of the unsynced writes none, all or some are kept. Every
/// acknowledged commit is there, no commit is there in part, and the whole structure is sound.
final class SmallCrashTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
    private static final List<CrashProfile> PROFILES = List.of(CrashProfile.values());
    private static final String TREE = "t";

    /// Random outcomes of each call and profile, beside the two extremes.
    private static final int DRAWN = 4;

    /// Operation that is cut off, with about its minimum number of calls.
    enum Small {
        CREATION(10),
        FIRST_COMMIT(6),
        LEAF_SPLIT(2),
        BRANCH_SPLIT(2),
        OVERFLOW(2),
        OVERFLOW_REPLACED(2),
        OVERFLOW_DELETED(2),
        LOAD(3),
        CHECKPOINT(6),
        CHECKPOINT_UNDER_A_READER(5),
        SEGMENT_RECYCLING(20),
        LOG_GIVEN_BACK(20),
        BACKUP(1),
        COMPACTION(8),
        CLOSE(8),
        SECOND_OPENING(4);

        final int callsMin;

        Small(int callsMin) {
            this.callsMin = callsMin;
        }
    }

    private final SplittableRandom random = Seed.of("SmallCrashTest", 101);
    private final SimDirectory directory = new SimDirectory();
    private final List<Model> committed = new ArrayList<>(List.of(new Model()));
    private long acknowledged;
    private int calls;
    private int crashes;
    private int again;

    @ParameterizedTest
    @EnumSource(Small.class)
    void crashesInEveryCallLeaveTheStateBeforeOrAfter(Small small) {
        if (small == Small.CREATION) {
            directory.inEachCall(this::crashHere);
        }
        Store store = open(directory);
        if (small != Small.CREATION && small != Small.FIRST_COMMIT) {
            store = prepare(small, store);
        }
        directory.inEachCall(this::crashHere);
        run(small, store);
        crashHere();
        System.out.printf(
                "%s: %d calls, %d crashes, %d more in recoveries%n", small, calls, crashes, again);
        assertTrue(calls >= small.callsMin, () -> "only " + calls + " calls");
        assertTrue(again > crashes / 4, () -> "only " + again + " crashes of recoveries");
    }

    private static Store open(SimDirectory folder) {
        return new Opening(folder, OPTIONS, new SplittableRandom(7), () -> 0)
                .withoutThreads()
                .open();
    }

    /// Builds the state just before the operation.
    private Store prepare(Small small, Store opened) {
        Store store = opened;
        put(store, 0, small == Small.BRANCH_SPLIT ? entriesOfOneBranch() : 7, 900);
        if (small == Small.OVERFLOW_REPLACED || small == Small.OVERFLOW_DELETED) {
            put(store, 50, 51, 40_000);
        }
        if (small == Small.COMPACTION) {
            put(store, 300, 400, 900);
            put(store, 100, 140, 900); // in pages behind the freed ones
            delete(store, 300, 400);
        }
        if (small == Small.LEAF_SPLIT || small == Small.COMPACTION) {
            store.checkpoint();
        }
        if (small == Small.BRANCH_SPLIT) { // its log would be long
            store.close();
            store = open(directory);
        }
        if (small == Small.LOG_GIVEN_BACK) {
            for (int i = 100; i < 112; i++) {
                put(store, i, i + 1, 70_000);
            }
            store.checkpoint();
        }
        if (small == Small.SECOND_OPENING) {
            put(store, 7, 30, 900);
            store.close();
        }
        return store;
    }

    /// Returns the number of ordered entries for which the root is a branch and nearly full.
    private static int entriesOfOneBranch() {
        try (Store store = open(new SimDirectory())) {
            SmallCrashTest scratch = new SmallCrashTest();
            int entries = 0;
            while (levels(store) < 3) {
                scratch.put(store, entries, entries + 8, 900);
                entries += 8;
            }
            return entries - 8;
        }
    }

    private static int levels(Store store) {
        try (Transaction transaction = store.beginRead()) {
            Tree tree = transaction.tree(TREE);
            return tree == null ? 0 : TreeShape.of(transaction, tree).levels;
        }
    }

    private void run(Small small, Store store) {
        switch (small) {
            case CREATION -> store.close();
            case FIRST_COMMIT -> put(store, 0, 1, 10);
            case LEAF_SPLIT -> put(store, 7, 10, 900);
            case BRANCH_SPLIT -> {
                int entries = Objects.requireNonNull(committed.getLast().trees.get(TREE)).size();
                while (levels(store) < 3) {
                    put(store, entries, entries + 8, 900);
                    entries += 8;
                }
            }
            case OVERFLOW -> put(store, 50, 51, 40_000);
            case OVERFLOW_REPLACED -> put(store, 50, 51, 70_000);
            case OVERFLOW_DELETED -> delete(store, 50, 51);
            case LOAD -> load(store);
            case CHECKPOINT -> store.checkpoint();
            case CHECKPOINT_UNDER_A_READER -> {
                try (Transaction reader = store.beginRead()) {
                    Model before = committed.getLast();
                    put(store, 0, 3, 500);
                    store.checkpoint();
                    before.assertSeenBy(reader);
                }
                store.checkpoint();
            }
            case SEGMENT_RECYCLING -> {
                for (int i = 0; i < 12; i++) {
                    put(store, 50 + i % 2, 51 + i % 2, 30_000 + i);
                    if (i % 3 == 2) {
                        store.checkpoint();
                    }
                }
                long most = store.stats().logBytesWritten();
                assertTrue(store.stats().logBytes() < most, "segments were used again");
            }
            case LOG_GIVEN_BACK -> {
                int files = logFiles();
                for (int i = 0; logFiles() >= files; i++) {
                    put(store, 0, 2, 300 + i);
                    store.checkpoint();
                }
                put(store, 7, 8, 100);
            }
            case BACKUP -> {
                SimDirectory copy = new SimDirectory();
                copy.inEachCall(this::crashHere); // crashes of the source, during a backup
                store.backup(copy, Progress.NONE);
                put(store, 7, 8, 100);
            }
            case COMPACTION -> {
                Model same = committed.getLast();
                for (int i = 0; i < 50; i++) {
                    committed.add(same);
                }
                store.compact(Progress.NONE);
                acknowledged = store.stats().txid();
                committed.subList((int) acknowledged + 1, committed.size()).clear();
                store.checkpoint();
            }
            case CLOSE -> store.close();
            case SECOND_OPENING -> {
                Store reopened = open(directory);
                put(reopened, 60, 61, 10);
            }
        }
    }

    private int logFiles() {
        return LogFiles.names(directory.list()).size();
    }

    private interface Changes {
        void in(Transaction transaction, Tree tree, Map<String, String> entries);
    }

    private void commit(Store store, Changes changes) {
        Model next = committed.getLast().copy();
        try (Transaction transaction = store.beginExclusive()) {
            Tree tree = transaction.tree(TREE);
            if (tree == null) {
                tree = transaction.createTree(TREE);
                next.trees.put(TREE, new TreeMap<>());
            }
            TreeMap<String, String> entries =
                    new TreeMap<>(Objects.requireNonNull(next.trees.get(TREE)));
            changes.in(transaction, tree, entries);
            next.trees.put(TREE, entries);
            committed.add(next);
            acknowledged = transaction.commit().txid();
            assertEquals(committed.size() - 1, acknowledged);
        }
    }

    private void put(Store store, int from, int to, int length) {
        commit(
                store,
                (transaction, tree, entries) -> {
                    for (int i = from; i < to; i++) {
                        String value = Character.toString('a' + (i + length) % 26).repeat(length);
                        transaction.put(tree, Model.slice(key(i)), Model.slice(value));
                        entries.put(key(i), value);
                    }
                });
    }

    private void delete(Store store, int from, int to) {
        commit(
                store,
                (transaction, tree, entries) -> {
                    for (int i = from; i < to; i++) {
                        transaction.delete(tree, Model.slice(key(i)));
                        entries.remove(key(i));
                    }
                });
    }

    private void load(Store store) {
        Model next = committed.getLast().copy();
        TreeMap<String, String> entries = new TreeMap<>();
        next.trees.put("loaded", entries);
        for (int i = 0; i < 50; i++) {
            entries.put(key(i), "loaded " + i);
        }
        try (Transaction transaction = store.beginExclusive()) {
            Iterator<Map.Entry<String, String>> all = entries.entrySet().iterator();
            transaction.load(
                    transaction.createTree("loaded"),
                    (key, value) -> {
                        boolean more = all.hasNext();
                        if (more) {
                            Map.Entry<String, String> entry = all.next();
                            key.setCopy(Model.slice(entry.getKey()));
                            value.setCopy(Model.slice(entry.getValue()));
                        }
                        return more;
                    });
            committed.add(next);
            acknowledged = transaction.commit().txid();
        }
    }

    private static String key(int i) {
        return "key %05d".formatted(i);
    }

    private void crashHere() {
        calls++;
        for (CrashProfile profile : PROFILES) {
            for (int i = 0; i < DRAWN + 2; i++) {
                crashes++;
                try {
                    SimDirectory left = directory.crash(outcome(i), profile);
                    if (i < 3) {
                        crashInEveryCallOfTheRecovery(left, profile, i);
                    }
                    openAndCheck(left).close();
                    openAndCheck(left).close();
                } catch (Throwable e) {
                    throw new AssertionError(
                            "%s, outcome %d, in the last call of %s"
                                    .formatted(profile, i, directory.history()),
                            e);
                }
            }
        }
    }

    /// Chooses always the first alternative, always the last one, or any.
    private Chooser outcome(int i) {
        return switch (i) {
            case 0 -> alternatives -> 0;
            case 1 -> alternatives -> alternatives - 1;
            default -> Chooser.skewed(random);
        };
    }

    private void crashInEveryCallOfTheRecovery(SimDirectory left, CrashProfile profile, int i) {
        SimDirectory whole = left.copy();
        open(whole);
        for (long k = 1; k <= whole.operations(); k++) {
            SimDirectory half = left.copy().crashAfter(k);
            try {
                openAndCheck(half);
            } catch (SimCrash e) {
                assertTrue(half.crashed());
            }
            again++;
            openAndCheck(half.crash(outcome(i), profile));
        }
    }

    private Store openAndCheck(SimDirectory folder) {
        Store store = open(folder);
        long txid = store.stats().txid();
        assertTrue(txid >= acknowledged, () -> acknowledged + " was acknowledged, found " + txid);
        try (Transaction transaction = store.beginRead()) {
            committed.get((int) txid).assertSeenBy(transaction);
        }
        assertEquals(List.of(), store.check());
        return store;
    }
}
