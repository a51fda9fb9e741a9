package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.Chooser;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class OpeningTest {
    private static final StoreOptions OPTIONS = StoreOptions.defaults();

    private static void work(Store store) {
        try (Transaction transaction = store.beginWrite()) {
            Tree tree = transaction.createTree("t");
            transaction.put(tree, Slice.of("a"), Slice.of("1"));
            transaction.commit();
        }
        assertEquals(List.of(), store.check());
        store.close();
    }

    /// A kill may cut the write that it interrupts at any byte.
    @Test
    void creationThatWasKilledAtAnyByteIsDoneAgain() {
        SimDirectory whole = new SimDirectory();
        Store.open(whole, OPTIONS).close();
        int outcomes = 0;
        for (long k = 1; k <= whole.operations(); k++) {
            SimDirectory directory = new SimDirectory().crashAfter(k);
            assertThrows(SimCrash.class, () -> Store.open(directory, OPTIONS).close());
            for (int at = 0; at < 120; at++) {
                int cut = at < 90 ? at : at * 70;
                Chooser chooser = alternatives -> Math.min(cut, alternatives - 1);
                work(Store.open(directory.crash(chooser, CrashProfile.PROCESS_KILL), OPTIONS));
                outcomes++;
            }
        }
        assertTrue(outcomes > 1000);
    }

    /// A read-only opening recovers a crashed store in memory alone, and shows the same as an opening that writes.
    @Test
    void readerRecoversInMemoryWithoutACallThatChangesAnything() {
        SplittableRandom random = Seed.of("OpeningTest", 35);
        RandomHistory history = new RandomHistory(new Gen(random), 100, 600);
        SimDirectory directory = new SimDirectory();
        Model model = new Model();
        int[] seen = {0};
        Store store = Store.open(directory, OPTIONS);
        directory.inEachCall(() -> {
            CrashProfile[] profiles = CrashProfile.values();
            SimDirectory left = directory.crash(random, profiles[seen[0]++ % profiles.length]);
            long txid;
            try (Store reader = Store.open(left, OPTIONS.withReadOnly(true))) {
                assertEquals(List.of(), reader.check());
                txid = reader.stats().txid();
                assertThrows(UsageException.class, reader::beginWrite);
                assertThrows(UsageException.class, reader::checkpoint);
                assertThrows(UsageException.class, () -> reader.compact(Progress.NONE));
            }
            assertEquals(0, left.operations());
            try (Store writer = Store.open(left, OPTIONS)) {
                assertEquals(txid, writer.stats().txid());
            }
        });
        for (int i = 0; i < 12; i++) {
            try (Transaction transaction = store.beginWrite()) {
                history.change(transaction, model, 20);
                transaction.commit();
            }
            if (i % 3 == 2) {
                store.checkpoint();
            }
        }
        store.close();
        assertTrue(seen[0] > 60, () -> "crashes: " + seen[0]);
    }

    @Test
    void foreignFileNamedLikeOursIsLeftAlone() throws NoSuchFileException {
        for (int size : new int[] {1, 511, 512, 4096, 8192, 20_000, 65_536, 100_000}) {
            SimDirectory directory = new SimDirectory();
            byte[] bytes = new byte[size];
            Arrays.fill(bytes, size / 2, size, (byte) 7);
            directory.put(DataFile.NAME, bytes);
            assertThrows(
                    UsageException.class, () -> Store.open(directory, OPTIONS), "size " + size);
            assertArrayEquals(bytes, directory.bytes(DataFile.NAME));
        }
    }
}
