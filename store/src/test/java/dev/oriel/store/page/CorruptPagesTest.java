package dev.oriel.store.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.Pages;
import dev.oriel.store.engine.Store;
import dev.oriel.store.transaction.ReadTransaction;
import dev.oriel.store.tree.TreePath;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimDirectory;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// One page is damaged that the log still changes: the database opens, and serves the rest.
final class CorruptPagesTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
    private static final int ENTRIES = 2_000;

    private long damagedPage;

    private static Slice key(int i) {
        return Slice.of("key %06d".formatted(i));
    }

    private static Tree tree(Transaction transaction, String name) {
        return Objects.requireNonNull(transaction.tree(name));
    }

    private static void fill(Store store, String name) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree(name);
            for (int i = 0; i < ENTRIES; i++) {
                transaction.put(tree, key(i), Slice.of("value " + i));
            }
            transaction.commit();
        }
    }

    private static void change(Store store, String name, int i) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = tree(transaction, name);
            transaction.put(tree, key(i), Slice.of("changed"));
            transaction.commit();
        }
    }

    /// Two trees in the data file; then a change of one leaf in each, which only the log has. The leaf of the first
    /// is damaged in the data file.
    private SimDirectory database() throws NoSuchFileException {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        fill(store, "first");
        fill(store, "second");
        store.close();
        store = Store.open(directory, OPTIONS);
        try (Transaction transaction = store.beginRead()) {
            TreePath path = new TreePath(false);
            Pages pages = ((ReadTransaction) transaction).pages();
            path.descend(pages, tree(transaction, "first").root(), key(1_000));
            damagedPage = path.leaf();
        }
        change(store, "first", 1_000);
        change(store, "second", 1_000);
        SimDirectory left = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
        left.flipBit("data", (damagedPage * Page.BYTES + 5_000) * 8);
        return left;
    }

    @Test
    void theRestIsReadAndTheDamageNamed() throws NoSuchFileException {
        SimDirectory directory = database();
        long calls = directory.operations();
        Slice value = new Slice();
        try (Store store = Store.open(directory, OPTIONS)) {
            try (Transaction transaction = store.beginRead()) {
                Tree second = tree(transaction, "second");
                assertEquals(ENTRIES, transaction.count(second, new Slice(), null));
                assertTrue(transaction.get(second, key(1_000), value));
                assertEquals("changed", value.toText());
                Tree first = tree(transaction, "first");
                assertTrue(transaction.get(first, key(0), value));
                assertTrue(transaction.get(first, key(ENTRIES - 1), value));
                CorruptionException damage =
                        assertThrows(
                                CorruptionException.class,
                                () -> transaction.get(first, key(1_000), new Slice()));
                assertTrue(damage.context().contains("page=" + damagedPage), damage::getMessage);
            }
            CorruptionException refusal =
                    assertThrows(CorruptionException.class, store::beginWrite);
            assertTrue(refusal.context().contains("page=" + damagedPage), refusal::getMessage);
            assertThrows(CorruptionException.class, store::checkpoint);
            List<String> wrong = store.check();
            assertTrue(
                    wrong.getFirst().contains("Page " + damagedPage + " of tree first"),
                    wrong::toString);
            assertTrue(wrong.stream().noneMatch(one -> one.contains("second")), wrong::toString);
            SimDirectory target = new SimDirectory();
            assertThrows(CorruptionException.class, () -> store.backup(target, Progress.NONE));
            assertEquals(List.of(), target.list());
        }
        assertEquals(calls, directory.operations(), "nothing was written");
    }

    /// Its page in the data file is whole again: nothing was lost by opening it before.
    @Test
    void openingItChangesNothing() throws NoSuchFileException {
        SimDirectory directory = database();
        Store.open(directory, OPTIONS).close();
        directory.flipBit("data", (damagedPage * Page.BYTES + 5_000) * 8);
        try (Store store = Store.open(directory, OPTIONS)) {
            change(store, "first", 1);
            assertEquals(List.of(), store.check());
        }
    }
}
