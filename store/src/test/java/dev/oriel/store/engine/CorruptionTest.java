package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.UsageException;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.model.Model;
import dev.oriel.store.page.Page;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Single damages of a database: a later reader gets the same content, or an error.
///
/// The one exception is the end of the log: a damaged last record looks like a torn one after a crash of the
/// machine. So of a database that was not closed, the last commit (no other) may be missing.
final class CorruptionTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);

    /// Distance of the damaged bytes; with 1 every byte, and every length is tried.
    private static final int STRIDE = Integer.getInteger("stride", 61);

    /// Sets of several damages.
    private static final int MANY = STRIDE == 1 ? 50_000 : 400;

    private final SplittableRandom random = Seed.of("CorruptionTest", 41);
    private final List<Model> models = new ArrayList<>(List.of(new Model()));
    private int same;
    private int told;

    /// Number of commits; fewer if every byte is damaged.
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
        assertEquals(models.size() - 1, store.core().state().txid());
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

    /// Up to forty bits, stretches of zeros or noise, sectors and pages in another one's place, in any of the files
    /// at once. The newest records of a log may vanish so without a trace, all together; a closed database may lose
    /// nothing.
    @Test
    void severalDamagesOfAClosedDatabaseAreNoticed() throws NoSuchFileException {
        damageAtRandom(database(true), models.size() - 1);
    }

    @Test
    void severalDamagesOfADatabaseWithALogLeaveAPrefixOrAreNoticed() throws NoSuchFileException {
        damageAtRandom(database(false), 0);
    }

    private void damageAtRandom(SimDirectory database, int least) throws NoSuchFileException {
        for (int i = 0; i < MANY; i++) {
            SimDirectory damaged = database.copy();
            List<String> done = new ArrayList<>();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                done.add(damageOnce(damaged));
            }
            examine(damaged, least, done.toString());
        }
        assertOutcomes();
    }

    private String damageOnce(SimDirectory damaged) throws NoSuchFileException {
        List<String> names =
                damaged.list().stream().filter(name -> lengthOf(damaged, name) > 0).toList();
        String name = names.get(random.nextInt(names.size()));
        byte[] bytes = damaged.bytes(name);
        int unit = random.nextBoolean() ? 512 : Page.BYTES;
        int at = random.nextInt(bytes.length);
        int length = Math.min(1 + random.nextInt(unit), bytes.length - at);
        String what;
        switch (random.nextInt(4)) {
            case 0 -> {
                int bits = 2 + random.nextInt(39);
                for (int i = 0; i < bits; i++) {
                    damaged.flipBit(name, random.nextLong(bytes.length * 8L));
                }
                return bits + " bits of " + name;
            }
            case 1 -> {
                what = "zeros";
                Arrays.fill(bytes, at, at + length, (byte) 0);
            }
            case 2 -> {
                what = "noise";
                for (int i = at; i < at + length; i++) {
                    bytes[i] = (byte) random.nextInt();
                }
            }
            default -> {
                what = "misplaced bytes";
                length = Math.min(unit, bytes.length);
                int from = random.nextInt(bytes.length / length) * length;
                at = random.nextInt(bytes.length / length) * length;
                System.arraycopy(bytes, from, bytes, at, length);
            }
        }
        damaged.put(name, bytes);
        return "%s at %d, %d bytes, of %s".formatted(what, at, length, name);
    }

    private static int lengthOf(SimDirectory directory, String name) {
        try {
            return directory.bytes(name).length;
        } catch (NoSuchFileException e) {
            throw new AssertionError(e);
        }
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
            // A log file without a byte looks like one that a crash left so: lost, not cut.
            int smallest = name.startsWith(LogFiles.PREFIX) ? 512 : 0;
            int length = database.bytes(name).length;
            int step = STRIDE == 1 ? 1 : 512;
            for (int size = smallest; size < length; size += step) {
                SimDirectory damaged = database.copy();
                damaged.truncate(name, size);
                examine(damaged, least, name + " cut at " + size);
            }
        }
        System.out.println("cuts without effect: " + same + ", noticed: " + told);
        assertTrue(told > 50, () -> "only " + told + " cuts were noticed");
    }

    private void assertOutcomes() {
        System.out.println("damages without effect: " + same + ", noticed: " + told);
        assertTrue(same > 100 && told > 50);
    }

    private void examine(SimDirectory damaged, int least, String damage) {
        try {
            boolean whole =
                    assertTimeoutPreemptively(Duration.ofMinutes(2), () -> isRead(damaged, least));
            if (whole) {
                same++;
            } else {
                told++;
            }
        } catch (Throwable e) {
            throw new AssertionError(damage, e);
        }
    }

    /// Whether all entries can be read and are right; false if the store has refused. Entries that it still reads
    /// must be right too, and each refusal must name the place of the damage.
    private boolean isRead(SimDirectory damaged, int least) {
        try (Store store = Store.open(damaged, OPTIONS)) {
            int txid = (int) store.core().state().txid();
            assertTrue(txid >= least, () -> "commit " + txid + " is not the last one");
            Model model = models.get(txid);
            try (Transaction transaction = store.beginRead()) {
                model.assertSeenBy(transaction);
            } catch (CorruptionException e) {
                assertTells(e);
                assertEachIsRightOrTold(store, model);
                assertTrue(!store.check().isEmpty(), "the check has not found it: " + e);
                return false;
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
        } catch (CorruptionException e) {
            assertTells(e);
            return false;
        } catch (UsageException e) {
            String message = String.valueOf(e.getMessage());
            boolean log = message.contains("log file") && e.context().contains("version=");
            assertTrue(log || message.contains("data file"), e::toString);
            return false;
        }
    }

    /// The file or page, or the folder if a file is missing.
    private static void assertTells(CorruptionException e) {
        String context = e.context();
        assertTrue(
                context.contains("page=")
                        || context.contains("file=")
                        || context.contains("slot=")
                        || context.contains("path="),
                e::toString);
    }

    private static void assertEachIsRightOrTold(Store store, Model model) {
        Slice value = new Slice();
        try (Transaction transaction = store.beginRead()) {
            for (Map.Entry<String, NavigableMap<String, String>> tree : model.trees.entrySet()) {
                for (Map.Entry<String, String> entry : tree.getValue().entrySet()) {
                    try {
                        Tree found = transaction.tree(tree.getKey());
                        assertTrue(found != null, "the tree is missing");
                        assertTrue(
                                transaction.get(found, Model.slice(entry.getKey()), value),
                                "an entry is missing");
                        assertEquals(entry.getValue(), Model.text(value));
                    } catch (CorruptionException e) {
                        assertTells(e);
                    }
                }
            }
        }
    }
}
