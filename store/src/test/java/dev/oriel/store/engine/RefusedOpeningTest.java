package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.DiskDirectory;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.checkpoint.SpaceReserve;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.model.StepDirectory;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A failed opening leaves no file open: some systems could not delete it then.
final class RefusedOpeningTest {
    private static final StoreOptions OPTIONS = StoreOptions.defaults();

    private final SimDirectory killed = killed();

    /// Returns a store left by a kill, with work in its log and a useless file.
    private static SimDirectory killed() {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        for (int i = 0; i < 200; i++) {
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = i == 0 ? transaction.createTree("t") : transaction.tree("t");
                assertTrue(tree != null);
                transaction.put(tree, Slice.of("key " + i), Slice.of("v".repeat(900)));
                transaction.commit();
            }
        }
        SimDirectory left = directory.crash(new SplittableRandom(1), CrashProfile.PROCESS_KILL);
        left.put(SpaceReserve.TEMPORARY + "room", new byte[100]);
        store.close();
        return left;
    }

    @Test
    void aDamagedFileIsClosedAgain() throws IOException {
        for (String name : killed.list()) {
            for (int at : new int[] {8, 12, 20, 60, 5_000}) {
                SimDirectory damaged = killed.copy();
                if (damaged.bytes(name).length > at) {
                    damaged.flipBit(name, at * 8L);
                    assertClosed(damaged, name + " with a bit of byte " + at);
                }
            }
            SimDirectory cut = killed.copy();
            cut.truncate(name, cut.bytes(name).length / 2);
            assertClosed(cut, name + " cut");
        }
        SimDirectory later = killed.copy();
        String log = LogFiles.names(later.list()).getLast();
        later.flipBit(log, 8 * 8L); // a bit of the version
        assertThrows(UsageException.class, () -> Store.open(later, OPTIONS).close());
    }

    @Test
    void aFolderThatIsNoDatabaseStaysAsItIs(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve("letter.txt"), "dear");
        StoreOptions reading = OPTIONS.withReadOnly(true);
        for (StoreOptions options : List.of(OPTIONS, reading)) {
            assertThrows(
                    UsageException.class, () -> Store.open(DiskDirectory.open(folder), options));
        }
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(folder.resolve("letter.txt")), files.toList());
        }
    }

    @Test
    void filesAreClosedWhicheverCallFails() {
        boolean reached = true;
        for (int call = 1; reached; call++) {
            SimDirectory failing = killed.copy().failAt(call, Fault.IO_ERROR_ONCE);
            long least = call;
            assertClosed(failing, "call " + call + " fails");
            reached = failing.operations() >= least;
        }
    }

    private static void assertClosed(SimDirectory folder, String how) {
        StepDirectory directory = new StepDirectory(folder);
        try (Store store = Store.open(directory, OPTIONS)) {
            assertTrue(directory.openFiles() > 0, how);
            store.checkpoint();
        } catch (DatabaseException e) {
            assertTrue(e.getMessage() != null);
        }
        assertEquals(0, directory.openFiles(), how);
    }
}
