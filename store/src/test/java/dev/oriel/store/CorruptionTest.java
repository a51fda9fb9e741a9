package dev.oriel.store;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Single damages of a database: whoever reads it afterwards gets the same content, or is told.
///
/// The one thing that cannot be told is the end of the log: a damaged last record looks like one
/// that the death of the machine cut off. So of a database that was not closed, the last commit
/// (no other) may be missing.
final class CorruptionTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    /// One of so many bytes is damaged; with 1 every byte, and every length is tried.
    private static final int STRIDE = Integer.getInteger("stride", 61);

    private final SplittableRandom random = Seed.of("CorruptionTest", 41);
    private final List<Model> models = new ArrayList<>(List.of(new Model()));
    private int same;
    private int told;

    /// Fewer commits, where all bytes take their turn.
    private static final int CHANGES = STRIDE == 1 ? 12 : 40;

    /// A few commits over pages that a checkpoint has written before; long values and split pages.
    private SimDirectory database(boolean closed) {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        RandomHistory history = new RandomHistory(new Gen(random.split()), 60, 300);
        for (int i = 0; i < 6; i++) {
            Model model = models.getLast().copy();
            try (Transaction transaction = store.beginWrite()) {
                history.change(transaction, model, CHANGES);
                transaction.commit();
            }
            models.add(model);
            if (i == 2) {
                store.checkpoint();
            }
        }
        assertEquals(models.size() - 1, store.state().txid());
        if (closed) {
            store.close();
            return directory;
        }
        return directory.crash(random, CrashProfile.PROCESS_KILL);
    }

    @Test
    void flippedBitsOfAClosedDatabaseAreNoticed() throws NoSuchFileException {
        flipEverywhere(database(true), models.size() - 1);
    }

    @Test
    void flippedBitsOfADatabaseWithALogAreNoticed() throws NoSuchFileException {
        flipEverywhere(database(false), models.size() - 2);
    }

    @Test
    void filesOfAClosedDatabaseThatWereCutShortAreNoticed() throws NoSuchFileException {
        cutEverywhere(database(true), models.size() - 1);
    }

    @Test
    void filesOfADatabaseWithALogThatWereCutShortAreNoticed() throws NoSuchFileException {
        cutEverywhere(database(false), models.size() - 2);
    }

    private void flipEverywhere(SimDirectory database, int least) throws NoSuchFileException {
        for (String name : database.list()) {
            byte[] bytes = database.bytes(name);
            for (int at = random.nextInt(STRIDE); at < bytes.length; at += STRIDE) {
                if (STRIDE > 1 && bytes[at] == 0 && at % 512 > 64) {
                    continue; // most of the files are blank
                }
                SimDirectory damaged = database.copy();
                int bit = random.nextInt(8);
                damaged.flipBit(name, at * 8L + bit);
                examine(damaged, least, "bit " + bit + " of byte " + at + " of " + name);
            }
        }
        assertOutcomes();
    }

    private void cutEverywhere(SimDirectory database, int least) throws NoSuchFileException {
        for (String name : database.list()) {
            // A log file without a byte is not told from one that a crash left so: lost, not cut.
            int smallest = name.startsWith(Log.PREFIX) ? 512 : 0;
            int length = database.bytes(name).length;
            int step = STRIDE == 1 ? 1 : 512;
            for (int size = smallest; size < length; size += step) {
                SimDirectory damaged = database.copy();
                damaged.truncate(name, size);
                examine(damaged, least, name + " cut at " + size);
            }
        }
        assertTrue(told > 50, () -> "only " + told + " cuts were noticed");
    }

    private void assertOutcomes() {
        System.out.println("damages without effect: " + same + ", noticed: " + told);
        assertTrue(same > 100 && told > 50);
    }

    private void examine(SimDirectory damaged, int least, String damage) {
        try {
            boolean whole =
                    assertTimeoutPreemptively(Duration.ofSeconds(20), () -> isRead(damaged, least));
            if (whole) {
                same++;
            } else {
                told++;
            }
        } catch (Throwable e) {
            throw new AssertionError(damage, e);
        }
    }

    /// Whether everything can be read and is right; false where the store has refused.
    private boolean isRead(SimDirectory damaged, int least) {
        try (Store store = Store.open(damaged, OPTIONS)) {
            int txid = (int) store.state().txid();
            assertTrue(txid >= least, () -> "commit " + txid + " is not the last one");
            try (Transaction transaction = store.beginRead()) {
                models.get(txid).assertSeenBy(transaction);
            }
            List<String> wrong = store.check();
            if (!wrong.isEmpty()) {
                return false;
            }
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = transaction.createTree("new");
                transaction.put(tree, Slice.of("key"), Slice.of("value"));
                transaction.commit();
            }
            assertEquals(List.of(), store.check());
            return true;
        } catch (CorruptionException | UsageException e) {
            return false;
        }
    }
}
