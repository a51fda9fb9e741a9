package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.oriel.store.Durability;
import dev.oriel.store.PageReads;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Node;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/// Random histories against a [Model], with readers that stay open over many commits.
class StoreModelTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final long GATHERED_BYTES = 4_000;

    private record Reader(Transaction transaction, Model model) {}

    @Test
    void shortKeysMeetOftenInMemory() {
        inMemory(1, 8, 40);
    }

    @Test
    void longKeysAndValuesSplitPagesInMemory() {
        inMemory(2, Node.KEY_BYTES_MAX, 2500);
    }

    @Test
    void entriesAreGatheredInMemory() {
        inMemory(5, 8, 40, GATHERED_BYTES);
    }

    @Test
    void longEntriesAreGatheredInMemory() {
        inMemory(6, Node.KEY_BYTES_MAX, 2500, 40 * GATHERED_BYTES);
    }

    private void inMemory(long seed, int keyBytesMax, int valueBytesMax) {
        inMemory(seed, keyBytesMax, valueBytesMax, 0);
    }

    private void inMemory(long seed, int keyBytesMax, int valueBytesMax, long gatheredBytes) {
        Gen gen = new Gen(Seed.of("StoreModelTest", seed));
        Store store = Store.inMemory(StoreOptions.defaults().withGatheredBytesMax(gatheredBytes));
        check.also("store", store::check);
        run(gen, new RandomHistory(gen, keyBytesMax, valueBytesMax), store, new Model(), 150);
        store.close();
        check.forget("store");
    }

    @Test
    void shortKeysMeetOftenOnDiskWithCheckpointsAndReopening() {
        onDisk(3, 8, 40);
    }

    @Test
    void longKeysAndValuesSplitPagesOnDiskWithCheckpointsAndReopening() {
        onDisk(4, Node.KEY_BYTES_MAX, 2500);
    }

    @Test
    void entriesAreGatheredOnDiskWithCheckpointsAndReopening() {
        onDisk(7, 8, 40, GATHERED_BYTES);
    }

    @Test
    void longEntriesAreGatheredOnDiskWithCheckpointsAndReopening() {
        onDisk(8, Node.KEY_BYTES_MAX, 2500, 40 * GATHERED_BYTES);
    }

    private void onDisk(long seed, int keyBytesMax, int valueBytesMax) {
        onDisk(seed, keyBytesMax, valueBytesMax, 0);
    }

    private void onDisk(long seed, int keyBytesMax, int valueBytesMax, long gatheredBytes) {
        Gen gen = new Gen(Seed.of("StoreModelTest", seed));
        SimDirectory directory = new SimDirectory();
        StoreOptions options =
                StoreOptions.defaults()
                        .withDurability(Durability.WRITTEN)
                        .withCheckpointBytes(200_000)
                        .withGatheredBytesMax(gatheredBytes);
        Model model = new Model();
        RandomHistory history = new RandomHistory(gen, keyBytesMax, valueBytesMax);
        for (int round = 0; round < 6; round++) {
            PageReads reads =
                    round % 2 == 0
                            ? options.pageReads()
                            : new PageReads(PageReads.Way.POSITIONAL, 1 << 20);
            Store store = Store.open(directory, options.withPageReads(reads));
            try (Transaction transaction = store.beginRead()) {
                model.assertSeenBy(transaction);
            }
            run(gen, history, store, model, 40);
            assertEquals(List.of(), store.check());
            store.close();
        }
    }

    private static void run(
            Gen gen, RandomHistory history, Store store, Model model, int transactions) {
        List<Reader> readers = new ArrayList<>();
        for (int i = 0; i < transactions; i++) {
            Model next = model.copy();
            try (Transaction transaction = store.beginWrite()) {
                history.change(transaction, next, gen.below(gen.chance(10) ? 400 : 40));
                next.assertLookup(transaction, history.anyTree(), history.anyKey());
                if (gen.chance(10)) {
                    next.assertSeenBy(transaction);
                }
                if (gen.chance(80)) {
                    transaction.commit();
                    model.trees.clear();
                    model.trees.putAll(next.trees);
                }
            }
            if (gen.chance(30)) {
                readers.add(new Reader(store.beginRead(), model.copy()));
            }
            if (gen.chance(10)) {
                store.checkpoint();
            }
            if (!readers.isEmpty() && gen.chance(30)) {
                Reader reader = readers.remove(gen.below(readers.size()));
                reader.model.assertSeenBy(reader.transaction);
                reader.transaction.close();
            }
            if (gen.chance(5)) {
                assertEquals(List.of(), store.check());
            }
        }
        for (Reader reader : readers) {
            reader.model.assertSeenBy(reader.transaction);
            reader.transaction.close();
        }
    }
}
