package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Exhaustive;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// All small histories of one kind, cut off at every call from the deletion on. One commit deletes some entries of
/// three full leaves, so that leaves are merged, evened out or left alone.
final class MergeCrashTest {
    private static final StoreOptions OPTIONS = StoreOptions.defaults();
    private static final int ENTRIES = 12;

    /// First of the entries that are deleted all or none, as a range.
    private static final int LAST_LEAF = 8;

    /// Entries that may be deleted: of the first leaf and the second, but for one of each.
    private static final int[] CANDIDATES = {1, 2, 3, 5, 6, 7};

    private final SplittableRandom random = Seed.of("MergeCrashTest", 71);
    private int merged;
    private int crashes;

    @Test
    void crashesAtEveryCallOfCommitsThatMergeLeaveTheStateBeforeOrAfter() {
        Exhaustive all = new Exhaustive();
        do {
            boolean[] deleted = new boolean[ENTRIES];
            for (int candidate : CANDIDATES) {
                deleted[candidate] = all.flag();
            }
            boolean lastLeaf = all.flag();
            for (int i = LAST_LEAF; lastLeaf && i < ENTRIES; i++) {
                deleted[i] = true;
            }
            crashEverywhere(deleted);
        } while (all.next());
        System.out.println(all.cases() + " histories, " + merged + " merges, crashes " + crashes);
        assertTrue(merged > 60 && crashes > 1000);
    }

    private void crashEverywhere(boolean[] deleted) {
        SimDirectory whole = new SimDirectory();
        long from = run(whole, deleted);
        for (long k = from + 1; k <= whole.operations(); k++) {
            SimDirectory directory = new SimDirectory();
            directory.crashAfter(k);
            try {
                run(directory, deleted);
            } catch (SimCrash e) {
                assertTrue(directory.crashed());
            }
            recover(directory.crash(random, CrashProfile.ATOMIC_SECTOR), deleted, 1);
            recover(directory.crash(random, CrashProfile.PROCESS_KILL), deleted, 1);
            crashes += 2;
        }
        boolean none = entries(deleted).size() == ENTRIES;
        recover(whole.crash(random, CrashProfile.ATOMIC_SECTOR), deleted, none ? 1 : 2);
    }

    /// Returns the number of calls before the commit that deletes.
    private long run(SimDirectory directory, boolean[] deleted) {
        Store store = Store.open(directory, OPTIONS);
        try (Transaction transaction = store.beginExclusive()) {
            Tree tree = transaction.createTree("t");
            entries(new boolean[ENTRIES])
                    .forEach((k, v) -> transaction.put(tree, Model.slice(k), Model.slice(v)));
            transaction.commit();
        }
        long before = directory.operations();
        try (Transaction transaction = store.beginExclusive()) {
            Tree tree = tree(transaction);
            int leaves = TreeShape.of(transaction, tree).leaves;
            assertEquals(3, leaves);
            for (int i = 0; i < LAST_LEAF; i++) {
                if (deleted[i]) {
                    assertTrue(transaction.delete(tree, Model.slice(key(i))));
                }
            }
            if (deleted[LAST_LEAF]) {
                assertEquals(
                        ENTRIES - LAST_LEAF,
                        transaction.deleteRange(tree, Model.slice(key(LAST_LEAF)), null));
            }
            merged += leaves - TreeShape.of(transaction, tree).leaves;
            transaction.commit();
        }
        store.checkpoint();
        return before;
    }

    private static Tree tree(Transaction transaction) {
        Tree tree = transaction.tree("t");
        if (tree == null) {
            throw new AssertionError("the tree is missing");
        }
        return tree;
    }

    private void recover(SimDirectory left, boolean[] deleted, long least) {
        try (Store store = Store.open(left, OPTIONS)) {
            long txid = store.stats().txid();
            assertTrue(txid >= least, () -> "acknowledged: " + least + ", found: " + txid);
            Model expected = txid == 1 ? model(new boolean[ENTRIES]) : model(deleted);
            try (Transaction reader = store.beginRead()) {
                expected.assertSeenBy(reader);
            }
            assertEquals(List.of(), store.check());
            try (Transaction transaction = store.beginExclusive()) {
                Tree tree = tree(transaction);
                for (int i = 0; i < ENTRIES; i++) {
                    transaction.delete(tree, Model.slice(key(i)));
                }
                assertEquals(1, TreeShape.of(transaction, tree).leaves);
                transaction.commit();
            }
            assertEquals(List.of(), store.check());
        }
    }

    private static String key(int i) {
        return "key %02d".formatted(i);
    }

    private static Model model(boolean[] deleted) {
        Model model = new Model();
        model.trees.put("t", entries(deleted));
        return model;
    }

    private static NavigableMap<String, String> entries(boolean[] deleted) {
        NavigableMap<String, String> entries = new TreeMap<>();
        for (int i = 0; i < ENTRIES; i++) {
            if (!deleted[i]) {
                entries.put(key(i), Character.toString('a' + i).repeat(1900));
            }
        }
        return entries;
    }
}
