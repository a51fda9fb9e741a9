package dev.oriel.table.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.engine.Store;
import dev.oriel.table.TableTransaction;
import dev.oriel.table.definition.Sequence;
import dev.oriel.table.transaction.SequenceCounter;
import dev.oriel.testkit.AfterEachCheck;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/// Numbers of sequences are given once: to many threads at once, across rollbacks, a close and crashes.
final class SequenceTest {
    @RegisterExtension final AfterEachCheck check = new AfterEachCheck();

    private static final Sequence UP = new Sequence(0, "s", 1, 1, 1, Long.MAX_VALUE, false, 0);

    private static void create(Tables tables) {
        try (TableTransaction transaction = tables.beginWrite()) {
            transaction.create(UP);
            transaction.commit();
        }
    }

    private static long next(TableTransaction transaction) {
        Sequence sequence = transaction.catalog().sequence("S");
        assertNotNull(sequence);
        return transaction.nextValue(sequence);
    }

    @Test
    void closingGivesTheRestOfTheRangeBack(@TempDir Path folder) throws IOException {
        for (int round = 0; round < 3; round++) {
            DiskDirectory directory = DiskDirectory.open(folder);
            try (Tables tables = Tables.open(Store.open(directory, StoreOptions.defaults()))) {
                if (round == 0) {
                    create(tables);
                }
                try (TableTransaction reading = tables.beginRead()) {
                    assertEquals(round * 2 + 1, next(reading));
                    assertEquals(round * 2 + 2, next(reading));
                }
                assertEquals(List.of(), tables.check());
            }
        }
    }

    @Test
    void whatWasDrawnAndUndoneStaysDrawnAcrossAClose(@TempDir Path folder) throws IOException {
        for (int round = 0; round < 3; round++) {
            DiskDirectory directory = DiskDirectory.open(folder);
            try (Tables tables = Tables.open(Store.open(directory, StoreOptions.defaults()))) {
                if (round == 0) {
                    create(tables);
                }
                try (TableTransaction undone = tables.beginExclusive()) {
                    assertEquals(round + 1, next(undone));
                }
                assertEquals(List.of(), tables.check());
            }
        }
    }

    @Test
    void aSequenceThatIsGoneLeavesNoNumber(@TempDir Path folder) throws IOException {
        DiskDirectory directory = DiskDirectory.open(folder);
        try (Tables tables = Tables.open(Store.open(directory, StoreOptions.defaults()))) {
            try (TableTransaction undone = tables.beginExclusive()) {
                undone.create(UP);
                assertEquals(1, next(undone));
            }
            create(tables);
            try (TableTransaction reading = tables.beginRead()) {
                assertEquals(1, next(reading));
            }
            try (TableTransaction dropping = tables.beginExclusive()) {
                dropping.drop(Objects.requireNonNull(dropping.catalog().sequence("S")));
                dropping.commit();
            }
        }
        directory = DiskDirectory.open(folder);
        try (Store store = Store.open(directory, StoreOptions.defaults());
                Transaction reading = store.beginRead()) {
            Tree numbers = reading.tree(SequenceCounter.TREE);
            assertNotNull(numbers);
            assertFalse(reading.cursor(numbers).first());
        }
    }

    @Test
    void rollbacksReuseNothing() {
        Tables tables = check.closing(Tables.open(Store.inMemory(StoreOptions.defaults())));
        create(tables);
        long last = 0;
        for (int i = 0; i < 200; i++) {
            try (TableTransaction transaction =
                    i % 3 == 0 ? tables.beginExclusive() : tables.beginWrite()) {
                long value = next(transaction);
                assertTrue(value > last, value + " after " + last);
                last = value;
                if (i % 2 == 0) {
                    transaction.commit();
                }
            }
        }
    }

    @Test
    void manyThreadsGetDifferentNumbers() throws Exception {
        Tables tables = check.closing(Tables.open(Store.inMemory(StoreOptions.defaults())));
        create(tables);
        Set<Long> all = new HashSet<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<List<Long>>> drawn = new ArrayList<>();
            for (int t = 0; t < 4; t++) {
                int thread = t;
                drawn.add(threads.submit(() -> draw(tables, thread)));
            }
            for (Future<List<Long>> values : drawn) {
                for (long value : values.get()) {
                    assertTrue(all.add(value), "given twice: " + value);
                }
            }
        }
        assertEquals(4 * 500, all.size());
    }

    private static List<Long> draw(Tables tables, int thread) {
        List<Long> values = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            try (TableTransaction transaction =
                    thread == 0 && i % 10 == 0
                            ? tables.beginExclusive()
                            : thread == 1 ? tables.beginRead() : tables.beginWrite()) {
                values.add(next(transaction));
                if (i % 3 == 0 && transaction.writable()) {
                    transaction.commit();
                }
            }
        }
        return values;
    }

    @Test
    void anOlderDefinitionEndsTheRangeToo() {
        SimDirectory disk = new SimDirectory();
        Tables tables = Tables.open(Store.open(disk, StoreOptions.defaults()));
        create(tables);
        long last = 0;
        try (TableTransaction reading = tables.beginRead()) {
            Sequence one = reading.catalog().sequence("S");
            assertNotNull(one);
            Sequence ten = new Sequence(one.id(), "s", 1, 10, 1, Long.MAX_VALUE, false, 0);
            reading.nextValue(one); // reserves a range
            reading.nextValue(one);
            for (int i = 0; i < 40; i++) {
                last = reading.nextValue(ten);
            }
        }
        disk = disk.crash(Seed.of("SequenceTest", 10), CrashProfile.ATOMIC_SECTOR);
        Tables after = Tables.open(Store.open(disk, StoreOptions.defaults()));
        try (TableTransaction reading = after.beginRead()) {
            long value = next(reading);
            assertTrue(value > last, value + " after " + last);
        }
    }

    @Test
    void crashesReuseNothing() {
        SplittableRandom random = Seed.of("SequenceTest", 9);
        long last = 0;
        SimDirectory disk = new SimDirectory();
        for (int life = 0; life < 20; life++) {
            Tables tables = Tables.open(Store.open(disk, StoreOptions.defaults()));
            if (life == 0) {
                create(tables);
            }
            try (TableTransaction reading = tables.beginRead()) {
                for (int i = 0; i <= life * 3; i++) {
                    long value = next(reading);
                    assertTrue(value > last, value + " after " + last);
                    last = value;
                }
            }
            disk = disk.crash(random, CrashProfile.ATOMIC_SECTOR);
        }
    }
}
