package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Progress;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Exhaustive;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/// All small histories of one kind. A tree's leaves and overflow pages lie in some order between the ones of
/// another tree, which is dropped. Then it is compacted and the file cut, with or without a reader that keeps it,
/// and closed. The machine crashes in each call from the compaction on.
class CompactionCrashTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
    private static final int ENTRIES = 24;
    private static final List<CrashProfile> PROFILES = List.of(CrashProfile.values());

    private final SplittableRandom random = Seed.of("CompactionCrashTest", 81);
    private int crashes;
    private int cuts;

    @Test
    void crashesAtEveryCallOfACompactionLoseNothing() {
        Exhaustive all = new Exhaustive();
        do {
            boolean longFirst = all.flag();
            boolean longLast = all.flag();
            boolean alternating = all.flag();
            boolean checkpointed = all.flag();
            boolean reader = all.flag();
            boolean roots = all.flag();
            if (!reader || !roots) {
                new History(longFirst, longLast, alternating, checkpointed, reader, roots).run();
            }
        } while (all.next());
        System.out.println(all.cases() + " histories, cuts " + cuts + ", crashes " + crashes);
        assertTrue(crashes > 1000 && cuts == 48, () -> cuts + " cuts, " + crashes + " crashes");
    }

    private final class History {
        private final boolean longFirst;
        private final boolean longLast;
        private final boolean alternating;
        private final boolean checkpointed;
        private final boolean reader;
        private final boolean roots;
        private final SimDirectory directory = new SimDirectory();
        private final Model model = new Model();

        History(
                boolean longFirst,
                boolean longLast,
                boolean alternating,
                boolean checkpointed,
                boolean reader,
                boolean roots) {
            this.longFirst = longFirst;
            this.longLast = longLast;
            this.alternating = alternating;
            this.checkpointed = checkpointed;
            this.reader = reader;
            this.roots = roots;
        }

        void run() {
            Store store = Store.open(directory, OPTIONS);
            prepare(store);
            long before = store.stats().dataBytes();
            directory.inEachCall(this::crashHere);
            if (roots) {
                store.close();
                store = Store.open(directory, OPTIONS);
                store.compact(true, Progress.NONE);
            } else {
                Transaction old = store.beginRead();
                if (!reader) {
                    old.close();
                }
                store.compact(Progress.NONE);
                if (reader) {
                    model.assertSeenBy(old);
                }
                old.close();
                store.checkpoint();
            }
            assertEquals(List.of(), store.check());
            cuts += store.stats().dataBytes() < before ? 1 : 0;
            store.close();
            crashHere();
        }

        private void prepare(Store store) {
            NavigableMap<String, String> entries = new TreeMap<>();
            model.trees.put("kept", entries);
            try (Transaction transaction = store.beginWrite()) {
                Tree gone = transaction.createTree("gone");
                Tree kept = transaction.createTree("kept");
                for (int i = 0; i < ENTRIES; i++) {
                    int n = alternating && i % 2 == 1 ? ENTRIES - i : i;
                    for (int j = 0; j < 8; j++) {
                        put(transaction, gone, n * 8 + j, 1900);
                    }
                    boolean big = i == 0 ? longFirst : i == ENTRIES - 1 && longLast;
                    entries.put(key(n), put(transaction, kept, n, big ? 30_000 : 1900));
                }
                transaction.commit();
            }
            if (checkpointed) {
                store.checkpoint();
            }
            try (Transaction transaction = store.beginWrite()) {
                Tree gone = transaction.tree("gone");
                if (gone == null) {
                    throw new AssertionError("the tree is missing");
                }
                transaction.dropTree(gone);
                transaction.commit();
            }
            store.checkpoint();
        }

        private void crashHere() {
            CrashProfile profile = PROFILES.get(crashes % PROFILES.size());
            crashes++;
            try {
                recover(directory.crash(random, profile));
            } catch (Throwable e) {
                throw new AssertionError(
                        "%s; in the last call of %s".formatted(profile, directory.history()), e);
            }
        }

        private void recover(SimDirectory left) {
            try (Store store = Store.open(left, OPTIONS)) {
                try (Transaction transaction = store.beginRead()) {
                    model.assertSeenBy(transaction);
                }
                assertEquals(List.of(), store.check());
                store.compact(Progress.NONE);
                assertEquals(List.of(), store.check());
            }
            try (Store store = Store.open(left, OPTIONS);
                    Transaction transaction = store.beginRead()) {
                model.assertSeenBy(transaction);
                assertEquals(List.of(), store.check());
            }
        }
    }

    private static String put(Transaction transaction, Tree tree, int n, int length) {
        String value = Character.toString('a' + n % 26).repeat(length);
        transaction.put(tree, Model.slice(key(n)), Model.slice(value));
        return value;
    }

    private static String key(int n) {
        return "key %03d".formatted(n);
    }
}
