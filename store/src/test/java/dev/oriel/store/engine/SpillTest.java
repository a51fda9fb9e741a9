package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Node;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/// Transactions whose writes exceed the memory limit: their view, other transactions' view, and their files.
final class SpillTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults()
                    .withDurability(Durability.WRITTEN)
                    .withWriteSetBytesMax(4L * Page.BYTES);

    private final SimDirectory directory = new SimDirectory();

    private static Tree tree(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree("a");
            transaction.commit();
            return tree;
        }
    }

    private static Slice key(int number) {
        return Slice.of("key %07d".formatted(number));
    }

    private static void fill(Transaction transaction, Tree tree, int from, int to, String value) {
        for (int i = from; i < to; i++) {
            transaction.put(tree, key(i), Slice.of(value + i));
        }
    }

    private static void assertEntries(Transaction transaction, Tree tree, int count, String value) {
        Slice slice = new Slice();
        Cursor cursor = transaction.cursor(tree);
        boolean more = cursor.first();
        for (int i = 0; i < count; i++) {
            assertTrue(more);
            assertEquals(0, cursor.compareKeyTo(key(i)));
            cursor.value(slice);
            assertEquals(value + i, slice.toText());
            more = cursor.next();
        }
        assertFalse(more);
    }

    private long spilled() {
        return directory.list().stream().filter(TemporaryFiles::isName).count();
    }

    /// Runs transactions of all sizes on a store.
    private void run(long seed, int keyBytesMax, int valueBytesMax) {
        Gen gen = new Gen(Seed.of("SpillTest", seed));
        RandomHistory history = new RandomHistory(gen, keyBytesMax, valueBytesMax);
        Model model = new Model();
        long seen = 0;
        for (int round = 0; round < 5; round++) {
            Store store = Store.open(directory, OPTIONS.withCheckpointBytes(400_000));
            for (int i = 0; i < 12; i++) {
                Model next = model.copy();
                try (Transaction transaction = store.beginWrite()) {
                    history.change(transaction, next, gen.below(gen.chance(50) ? 1200 : 40));
                    seen += spilled();
                    next.assertLookup(transaction, history.anyTree(), history.anyKey());
                    next.assertSeenBy(transaction);
                    if (gen.chance(70)) {
                        transaction.commit();
                        model = next;
                    }
                }
                try (Transaction transaction = store.beginRead()) {
                    model.assertSeenBy(transaction);
                }
            }
            assertEquals(List.of(), store.check());
            store.close();
            assertEquals(0, spilled());
        }
        assertTrue(seen > 20, "little was spilled: " + seen);
    }

    @Test
    void shortKeysAreWhatTheModelHas() {
        run(1, 8, 40);
    }

    @Test
    void longKeysAndValuesAreWhatTheModelHas() {
        run(2, Node.KEY_BYTES_MAX, 2500);
    }

    @Test
    void whatWasSpilledIsOverwrittenAndDeletedLater() {
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree tree = tree(store);
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 5000, "first ");
                assertTrue(spilled() > 0);
                fill(transaction, tree, 0, 3000, "then ");
                for (int i = 3000; i < 5000; i++) {
                    assertTrue(transaction.delete(tree, key(i)));
                }
                assertFalse(transaction.delete(tree, key(4000)));
                assertFalse(transaction.insert(tree, key(10), Slice.of("no")));
                assertEntries(transaction, tree, 3000, "then ");
                assertEquals(3000, transaction.count(tree, new Slice(), null));
                transaction.commit();
            }
            assertEquals(0, store.lockWaits().size());
            try (Transaction transaction = store.beginRead()) {
                assertEntries(transaction, tree, 3000, "then ");
            }
        }
    }

    @Test
    void savepointsReachBackOverWhatWasSpilled() {
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree tree = tree(store);
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 2000, "kept ");
                Transaction.Savepoint outer = transaction.savepoint();
                fill(transaction, tree, 500, 4000, "lost ");
                Transaction.Savepoint inner = transaction.savepoint();
                transaction.deleteRange(tree, key(0), null);
                assertEntries(transaction, tree, 0, "");
                transaction.rollbackTo(inner);
                assertEquals(4000, transaction.count(tree, new Slice(), null));
                transaction.rollbackTo(outer);
                assertEntries(transaction, tree, 2000, "kept ");
                transaction.release(outer);
                transaction.commit();
            }
            try (Transaction transaction = store.beginRead()) {
                assertEntries(transaction, tree, 2000, "kept ");
            }
        }
    }

    /// A cursor moves over its transaction's own writes, each of which may spill.
    @Test
    void cursorKeepsItsPlaceWhileItsTransactionSpills() {
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree tree = tree(store);
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 3000, "old ");
                Cursor cursor = transaction.cursor(tree);
                Slice key = new Slice();
                Slice value = new Slice();
                int count = 0;
                for (boolean more = cursor.first(); more; more = cursor.next()) {
                    cursor.key(key);
                    cursor.value(value);
                    assertEquals("old " + count, value.toText());
                    // Both lie in the write set, and the write may move all of it.
                    transaction.put(tree, key, value);
                    count++;
                }
                assertEquals(3000, count);
                assertEntries(transaction, tree, 3000, "old ");
            }
        }
        assertEquals(0, spilled());
    }

    @Test
    void exclusiveTransactionsTakeOverWhatWasSpilledAndCommitInParts() {
        SimDirectory left;
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree tree = tree(store);
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 3000, "a ");
                transaction.exclusive();
                fill(transaction, tree, 2000, 6000, "a ");
                Transaction.Savepoint savepoint = transaction.savepoint();
                fill(transaction, tree, 0, 7000, "b ");
                transaction.rollbackTo(savepoint);
                assertEntries(transaction, tree, 6000, "a ");
                transaction.commit();
            }
            left = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
            assertEquals(List.of(), store.check());
        }
        try (Store store = Store.open(left, OPTIONS);
                Transaction transaction = store.beginRead()) {
            Tree tree = Objects.requireNonNull(transaction.tree("a"));
            assertEntries(transaction, tree, 6000, "a ");
        }
    }

    /// Parts of an abandoned commit stay in the log, before the parts of a complete one.
    @Test
    void commitThatWasGivenUpHalfWayIsPassedOver() {
        int givenUp = 0;
        for (long room = 0; room < 900_000; room += 60_000) {
            givenUp += givenUp(room) ? 1 : 0;
        }
        assertTrue(givenUp > 5, "few commits were given up: " + givenUp);
    }

    /// Whether the commit found too little room.
    private static boolean givenUp(long room) {
        SimDirectory folder = new SimDirectory();
        try (Store store = Store.open(folder, OPTIONS)) {
            Tree tree = tree(store);
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 300, "a ");
                transaction.commit();
            }
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 4000, "lost ");
                folder.spaceBytesMax(folder.usedBytes() + room);
                try {
                    transaction.commit();
                    return false;
                } catch (LimitException e) {
                    folder.spaceBytesMax(Long.MAX_VALUE);
                }
            }
            try (Transaction transaction = store.beginRead()) {
                assertEntries(transaction, tree, 300, "a ");
            }
            SimDirectory before = folder.crash(new SplittableRandom(2), CrashProfile.PROCESS_KILL);
            assertOpens(before, 300, "a ");
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 400, "b ");
                transaction.commit();
            }
            SimDirectory then = folder.crash(new SplittableRandom(2), CrashProfile.PROCESS_KILL);
            assertOpens(then, 400, "b ");
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 4000, "c ");
                transaction.commit();
            }
            SimDirectory last = folder.crash(new SplittableRandom(2), CrashProfile.PROCESS_KILL);
            assertOpens(last, 4000, "c ");
            assertEquals(List.of(), store.check());
        }
        return true;
    }

    private static void assertOpens(SimDirectory folder, int count, String value) {
        try (Store store = Store.open(folder, OPTIONS);
                Transaction transaction = store.beginRead()) {
            Tree tree = Objects.requireNonNull(transaction.tree("a"));
            assertEntries(transaction, tree, count, value);
            assertEquals(List.of(), store.check());
        }
        assertTrue(folder.list().stream().noneMatch(TemporaryFiles::isName));
    }

    @Test
    void fullDiskRefusesTheWriteAndLeavesTheTransactionAsItWas() {
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree tree = tree(store);
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 1000, "a ");
                directory.spaceBytesMax(directory.usedBytes());
                int reached = 1000;
                try {
                    while (reached < 100_000) {
                        transaction.put(tree, key(reached), Slice.of("a " + reached));
                        reached++;
                    }
                } catch (LimitException e) {
                    assertTrue(String.valueOf(e.getMessage()).contains("free space"), e::toString);
                }
                assertTrue(reached < 100_000);
                assertEntries(transaction, tree, reached, "a ");
                directory.spaceBytesMax(Long.MAX_VALUE);
                transaction.put(tree, key(reached), Slice.of("a " + reached));
                transaction.commit();
                try (Transaction reader = store.beginRead()) {
                    assertEntries(reader, tree, reached + 1, "a ");
                }
            }
        }
    }

    @Test
    void memoryDatabaseRefusesWhatMemoryMayNotHold() {
        try (Store store = Store.inMemory(OPTIONS)) {
            Tree tree = tree(store);
            try (Transaction transaction = store.beginWrite()) {
                LimitException e =
                        assertThrows(
                                LimitException.class,
                                () -> fill(transaction, tree, 0, 100_000, "a "));
                assertTrue(String.valueOf(e.getMessage()).contains("in memory"), e::toString);
            }
        }
    }

    @Test
    void filesThatACrashHasLeftAreDeletedAtTheNextOpening() {
        SimDirectory left;
        try (Store store = Store.open(directory, OPTIONS)) {
            Tree tree = tree(store);
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, tree, 0, 3000, "lost ");
                left = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
            }
        }
        assertTrue(left.list().stream().anyMatch(TemporaryFiles::isName));
        assertOpens(left, 0, "");
    }

    /// Readers see a large commit as a whole or not at all, and others can write meanwhile.
    @Test
    void readersSeeAllOfALargeCommitOrNothing() throws InterruptedException {
        StoreOptions options = OPTIONS.withCheckpointBytes(1 << 20);
        try (Store store = Store.open(directory, options)) {
            Tree tree = tree(store);
            AtomicBoolean done = new AtomicBoolean();
            AtomicLong reads = new AtomicLong();
            List<Throwable> failures = new ArrayList<>();
            Thread reader =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    do {
                                        readAll(store, tree);
                                        reads.incrementAndGet();
                                    } while (!done.get());
                                } catch (Throwable e) {
                                    failures.add(e);
                                }
                            });
            for (int round = 0; round < 8; round++) {
                try (Transaction transaction = store.beginWrite()) {
                    fill(transaction, tree, 0, 3000, "round " + round + " ");
                    transaction.commit();
                }
            }
            done.set(true);
            reader.join();
            assertEquals(List.of(), failures);
            assertTrue(reads.get() > 0);
            assertEquals(List.of(), store.check());
        }
    }

    private static void readAll(Store store, Tree tree) {
        try (Transaction transaction = store.beginRead()) {
            Cursor cursor = transaction.cursor(tree);
            Slice slice = new Slice();
            String round = "";
            int count = 0;
            for (boolean more = cursor.first(); more; more = cursor.next()) {
                cursor.value(slice);
                String text = slice.toText();
                String its = text.substring(0, 8);
                assertTrue(count == 0 || round.equals(its), text);
                round = its;
                count++;
            }
            assertTrue(count == 0 || count == 3000, "" + count);
        }
    }
}
