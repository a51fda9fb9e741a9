package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Chooser;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.SimCrash;
import dev.oriel.testkit.SimDirectory;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
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
