package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.Cursor;
import dev.oriel.store.DatabaseException;
import dev.oriel.store.PageReads;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.records.Records;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// Files changed by an attacker, with right checksums. A reader or writer of such a store gets an answer in order,
/// or a [DatabaseException] that names the place of the damage; the check reports. No other exception is thrown,
/// and no call runs for ever.
final class CraftedPagesTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(Long.MAX_VALUE / 8);
    private static final int CASES = Integer.getInteger("cases", 120);
    private static final int FAILURES_MAX = 12;
    private static final int STEPS_MAX = 1_000_000;
    private static final List<String> TREES = List.of("short", "long", "values", "few");

    private final SplittableRandom random = Seed.of("CraftedPagesTest", 88);
    private int told;

    @Test
    void craftedFilesOfAClosedStoreAreNamed() throws Exception {
        attack(database(true));
    }

    @Test
    void craftedFilesOfAKilledStoreAreNamed() throws Exception {
        attack(database(false));
    }

    private void attack(SimDirectory files) throws NoSuchFileException {
        List<String> failures = new ArrayList<>();
        for (int i = 0; i < CASES && failures.size() < FAILURES_MAX; i++) {
            SplittableRandom one = random.split();
            SimDirectory crafted = files.copy();
            String change = "";
            for (int n = one.nextInt(4) == 0 ? 3 : 1; n > 0; n--) {
                change += new CraftedFiles(one).craft(crafted) + "; ";
            }
            int before = told;
            told = 0;
            try {
                assertTimeoutPreemptively(Duration.ofMinutes(2), () -> use(crafted, one));
            } catch (Throwable e) {
                failures.add("case " + i + ", " + change + " -> " + trace(e));
                System.out.println(failures.getLast());
            }
            told = before + (told > 0 ? 1 : 0);
        }
        System.out.println("crafted: " + CASES + ", told: " + told);
        assertTrue(failures.isEmpty(), () -> failures.size() + " of " + CASES + " broke something");
        assertTrue(told > CASES / 4, () -> "only " + told + " were told");
    }

    private static String trace(Throwable e) {
        Throwable cause = e;
        while (cause.getCause() != null) {
            cause = cause.getCause();
        }
        StringBuilder lines = new StringBuilder(cause.toString());
        for (int i = 0; i < Math.min(9, cause.getStackTrace().length); i++) {
            lines.append("\n      ").append(cause.getStackTrace()[i]);
        }
        return lines.toString();
    }

    /// Trees with several levels, long keys, values on overflow pages, records, free pages; and a log and a
    /// shadow if it was killed.
    private SimDirectory database(boolean closed) {
        SimDirectory directory = new SimDirectory();
        Store store = Store.open(directory, OPTIONS);
        Records records = Records.open(store, "records");
        for (int commit = 0; commit < 4; commit++) {
            try (Transaction transaction = store.beginWrite()) {
                fill(transaction, commit);
                for (int i = 0; i < 20; i++) {
                    records.insert(transaction, new byte[i == 0 ? 80_000 : random.nextInt(500)]);
                }
                transaction.commit();
            }
            if (commit == 2 || (commit == 1 && !closed)) {
                store.checkpoint();
            }
        }
        if (closed) {
            store.close();
            return directory;
        }
        Transaction reader =
                store.beginRead(); // its pages stay in their places, the rest in the shadow
        try (Transaction transaction = store.beginWrite()) {
            fill(transaction, 4);
            transaction.commit();
        }
        store.checkpoint();
        try (Transaction transaction = store.beginWrite()) {
            fill(transaction, 5);
            transaction.commit();
        }
        SimDirectory killed = directory.crash(random, CrashProfile.PROCESS_KILL);
        reader.close();
        store.close();
        return killed;
    }

    private void fill(Transaction transaction, int commit) {
        for (String name : TREES) {
            Tree tree = transaction.tree(name);
            tree = tree == null ? transaction.createTree(name) : tree;
            int count = name.equals("few") ? 3 : name.equals("short") ? 500 : 60;
            for (int i = 0; i < count; i++) {
                transaction.put(tree, key(name), value(name));
            }
            if (commit == 2) {
                transaction.deleteRange(tree, Slice.of("3"), Slice.of("6"));
            }
        }
    }

    private Slice key(String name) {
        String number = Integer.toString(random.nextInt(1_000_000));
        boolean lengthy = name.equals("long") && random.nextInt(3) > 0;
        return Slice.of(lengthy ? number + "x".repeat(200 + random.nextInt(700)) : number);
    }

    private Slice value(String name) {
        boolean overflows = name.equals("values") && random.nextInt(4) == 0;
        return Slice.copyOf(
                new byte[overflows ? 1500 + random.nextInt(30_000) : random.nextInt(40)]);
    }

    private void use(SimDirectory crafted, SplittableRandom one) {
        if (one.nextInt(4) == 0) {
            attempt(() -> useOnce(crafted, OPTIONS.withReadOnly(true), one));
        }
        StoreOptions options =
                one.nextInt(5) == 0
                        ? OPTIONS.withPageReads(new PageReads(PageReads.Way.POSITIONAL, 1 << 20))
                        : OPTIONS;
        attempt(() -> useOnce(crafted, options, one));
        attempt(() -> useOnce(crafted, options, one)); // on the files that the first use has left
    }

    private void useOnce(SimDirectory crafted, StoreOptions options, SplittableRandom one) {
        Store store = Store.open(crafted, options);
        try {
            if (one.nextBoolean() && !store.check().isEmpty()) {
                told++;
            }
            attempt(() -> read(store));
            if (!options.readOnly()) {
                write(store, one);
            }
            attempt(store::check);
        } finally {
            attempt(store::close);
        }
    }

    private void read(Store store) {
        try (Transaction transaction = store.beginRead()) {
            List<Tree> trees = new ArrayList<>();
            attempt(() -> trees.addAll(transaction.trees()));
            for (String name : TREES) {
                attempt(() -> trees.add(transaction.tree(name)));
            }
            trees.removeIf(Objects::isNull);
            for (Tree tree : trees) {
                attempt(() -> forwards(transaction, tree));
                attempt(() -> backwards(transaction, tree));
                attempt(() -> gets(transaction, tree));
                attempt(() -> transaction.count(tree, Slice.of(""), null));
                attempt(() -> transaction.count(tree, Slice.of("2"), Slice.of("7")));
                attempt(() -> transaction.estimate(tree, Slice.of(""), Slice.of("8")));
                attempt(() -> transaction.estimate(tree, Slice.of("1"), null));
                attempt(() -> transaction.splitPoints(tree, 6));
            }
            attempt(() -> {
                Records records = Records.open(store, "records");
                records.check(transaction);
                for (long id = 1; id < 90; id++) {
                    long at = id;
                    attempt(() -> records.fetch(transaction, at));
                    attempt(() ->
                            records.open(transaction, at)
                                    .skipNBytes(records.length(transaction, at)));
                }
            });
        }
    }

    private static void forwards(Transaction transaction, Tree tree) {
        Cursor cursor = transaction.cursor(tree);
        walk(cursor, cursor.first(), true);
    }

    private static void backwards(Transaction transaction, Tree tree) {
        Cursor cursor = transaction.cursor(tree);
        walk(cursor, cursor.last(), false);
    }

    private static void walk(Cursor cursor, boolean there, boolean forwards) {
        Slice key = new Slice();
        Slice value = new Slice();
        Slice before = null;
        boolean more = there;
        for (int steps = 0; more; steps++) {
            assertTrue(steps < STEPS_MAX, "the cursor does not come to an end");
            cursor.key(key);
            cursor.value(value);
            int order = before == null ? 0 : Slice.compare(before, key);
            assertTrue(
                    before == null || (forwards ? order < 0 : order > 0), "keys are out of order");
            before = Slice.copyOf(key.toBytes());
            more = forwards ? cursor.next() : cursor.previous();
        }
    }

    private void gets(Transaction transaction, Tree tree) {
        Slice value = new Slice();
        for (int i = 0; i < 60; i++) {
            int digits = i * 17_000;
            attempt(() -> transaction.get(tree, Slice.of("" + digits), value));
        }
        attempt(() -> transaction.get(tree, Slice.of(""), value));
    }

    private void write(Store store, SplittableRandom one) {
        for (int commit = 0; commit < 4; commit++) {
            int kind = commit;
            attempt(() -> {
                try (Transaction transaction = store.beginWrite()) {
                    for (String name : TREES) {
                        attempt(() -> change(transaction, name, kind, one));
                    }
                    transaction.commit();
                }
            });
            if (commit == 1) {
                attempt(store::checkpoint);
            }
        }
        if (one.nextInt(4) == 0) {
            attempt(() -> store.backup(new SimDirectory(), Progress.NONE));
        }
        if (one.nextInt(3) == 0) {
            attempt(() -> store.compact(Progress.NONE));
        }
    }

    private void change(Transaction transaction, String name, int kind, SplittableRandom one) {
        Tree tree = transaction.tree(name);
        if (tree == null) {
            return;
        }
        if (kind == 3) {
            transaction.deleteRange(tree, Slice.of("1"), Slice.of("8"));
            transaction.createTree("new" + one.nextInt(1000) + name);
            return;
        }
        for (int i = 0; i < 60; i++) {
            Slice key = Slice.of("" + one.nextInt(1_000_000));
            attempt(() -> transaction.put(tree, key, Slice.copyOf(new byte[one.nextInt(1200)])));
        }
        Cursor cursor = transaction.cursor(tree);
        Slice key = new Slice();
        for (int i = 0; i < 30; i++) {
            if (cursor.seek(Slice.of("" + one.nextInt(1_000_000)))) {
                cursor.key(key);
                Slice copy = Slice.copyOf(key.toBytes());
                attempt(() -> transaction.delete(tree, copy));
            }
        }
    }

    private interface Step {
        void run() throws Exception;
    }

    /// A [DatabaseException] is an answer; one about damage names its place.
    private void attempt(Step step) {
        try {
            step.run();
        } catch (CorruptionException e) {
            told++;
            assertTrue(!e.context().isEmpty(), () -> "says not where: " + e);
        } catch (DatabaseException e) {
            assertTrue(e.getMessage() != null);
        } catch (java.io.IOException e) {
            assertTrue(
                    e.getCause() instanceof DatabaseException || e instanceof java.io.EOFException,
                    e::toString);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
