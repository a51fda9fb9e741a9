package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.LimitException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.model.Model;
import dev.oriel.store.records.Records;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Fault;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

/// Operations on a full disk: deletes, reads, and inserts in the room that deletes make.
final class FullDiskTest {
    private static final StoreOptions OPTIONS =
            StoreOptions.defaults().withCheckpointBytes(256 << 10);

    /// With `-Dlong=true` more sizes of disks, and more calls.
    private static final boolean LONG = Boolean.getBoolean("long");

    private static final long STEP = LONG ? 113_000 : 950_000;

    private static final ThreadFactory NO_THREAD =
            work -> {
                throw new OutOfMemoryError("unable to create native thread");
            };

    /// A store and its expected content.
    private static final class World {
        final SimDirectory directory = new SimDirectory();
        final Gen gen;
        final NavigableMap<String, String> entries = new TreeMap<>();
        Store store;

        private final StoreOptions options;
        private final ThreadFactory threads;

        /// A checkpoint comes before one of `checkpointsOneOf` commits; 0 for none but the store's own.
        private int checkpointsOneOf;

        World(SplittableRandom random) {
            this(random, OPTIONS);
        }

        World(SplittableRandom random, StoreOptions options) {
            this(random, options, Thread::new);
        }

        World(SplittableRandom random, StoreOptions options, ThreadFactory threads) {
            this.gen = new Gen(random);
            this.options = options;
            this.threads = threads;
            this.store = open();
            try (Transaction transaction = store.beginExclusive()) {
                transaction.createTree("t");
                transaction.commit();
            }
        }

        private Store open() {
            return new Opening(directory, options, gen.random().split(), System::nanoTime)
                    .withThreads(threads)
                    .open();
        }

        void reopen() {
            store.close();
            store = open();
        }

        private void checkpointPerhaps() {
            if (checkpointsOneOf > 0 && gen.below(checkpointsOneOf) == 0) {
                try {
                    store.checkpoint();
                } catch (LimitException e) {
                    assertTrue(String.valueOf(e.getMessage()).contains("room"), () -> "" + e);
                }
            }
        }

        void put(String key, String value) {
            checkpointPerhaps();
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = Objects.requireNonNull(transaction.tree("t"));
                transaction.put(tree, Model.slice(key), Model.slice(value));
                transaction.commit();
            }
            entries.put(key, value);
        }

        void delete(String key) {
            checkpointPerhaps();
            try (Transaction transaction = store.beginWrite()) {
                Tree tree = Objects.requireNonNull(transaction.tree("t"));
                assertTrue(transaction.delete(tree, Model.slice(key)));
                transaction.commit();
            }
            entries.remove(key);
        }

        String anyValue() {
            return "v".repeat(gen.below(gen.chance(2) ? 20_000 : 300));
        }

        /// Inserts until that is refused; returns how many went in.
        int fill() {
            for (int count = 0; ; count++) {
                try {
                    put(Integer.toString(gen.below(1_000_000_000), 36), anyValue());
                } catch (LimitException e) {
                    assertTrue(String.valueOf(e.getMessage()).contains("free space"), () -> "" + e);
                    return count;
                }
            }
        }

        void putMore(int count) {
            for (int i = 0; i < count; i++) {
                put("more " + i, anyValue());
            }
        }

        /// Short entries, many at a time, then fewer, until not even one goes in.
        void fillInLargeCommits() {
            for (int count = 2_000; count > 0; ) {
                NavigableMap<String, String> added = new TreeMap<>();
                try (Transaction transaction = store.beginWrite()) {
                    Tree tree = Objects.requireNonNull(transaction.tree("t"));
                    for (int i = 0; i < count; i++) {
                        String key = Integer.toString(gen.below(1_000_000_000), 36);
                        transaction.put(tree, Model.slice(key), Model.slice("v"));
                        added.put(key, "v");
                    }
                    transaction.commit();
                    entries.putAll(added);
                } catch (LimitException e) {
                    count /= 4;
                }
            }
        }

        /// Deletes one of `oneOf` entries, each by a commit of its own.
        void thin(int oneOf) {
            for (String key : List.copyOf(entries.keySet())) {
                if (oneOf == 1 || gen.below(oneOf) == 0) {
                    delete(key);
                }
            }
        }

        void assertHolds() {
            Model model = new Model();
            model.trees.put("t", entries);
            try (Transaction transaction = store.beginRead()) {
                model.assertSeenBy(transaction);
            }
            assertEquals(List.of(), store.check());
        }

        long bytesOfLog() {
            return directory.usedBytes(LogFiles.PREFIX);
        }

        String files() {
            return ", " + store.stats() + " " + directory.sizes();
        }
    }

    /// A log that has grown while there was room is no reason to refuse entries: it becomes small again.
    @Test
    void theLogGivesBackWhatEntriesNeed() {
        SplittableRandom random = Seed.of("FullDiskTest", 5);
        World world = new World(random.split(), OPTIONS.withCheckpointBytes(64 << 20));
        for (int i = 0; i < 12; i++) {
            world.put("large", "v".repeat(200_000 + i)); // each in a record of its own
        }
        world.store.checkpoint();
        long before = world.bytesOfLog();
        assertTrue(before > 2_000_000, () -> before + " bytes");
        long space = world.directory.usedBytes() + 500_000;
        world.directory.spaceBytesMax(space);
        world.fill();
        long log = world.bytesOfLog();
        assertTrue(log < space / 4, () -> log + " bytes of log on a disk of " + space);
        world.assertHolds();
        world.thin(2);
        assertTrue(world.fill() > 20);
        world.reopen();
        world.assertHolds();
        world.store.close();
    }

    /// On disks of many sizes: until nothing goes in any more; then everything can be deleted.
    @Test
    void everythingCanBeDeletedFromAFullDisk() {
        SplittableRandom random = Seed.of("FullDiskTest", 1);
        for (long space = 1_300_000; space < 2_500_000; space += STEP) {
            World world = new World(random.split());
            world.directory.spaceBytesMax(space);
            assertTrue(world.fill() > 20, "nothing fits into " + space);
            world.assertHolds();
            world.thin(1);
            world.assertHolds();
            assertTrue(world.entries.isEmpty());
            assertTrue(world.fill() > 20, "nothing fits any more into " + space);
            world.assertHolds();
            world.store.close();
        }
    }

    /// No thread makes checkpoints. They run as late as they can, in a committing thread, and at any moment.
    /// However large the last one was, all of the disk is for entries, except for the room that deletes need.
    @Test
    void checkpointsMayComeAtAnyTime() {
        SplittableRandom random = Seed.of("FullDiskTest", 6);
        for (int oneOf : new int[] {5, 50, 500, 50_000}) {
            for (long space = 1_300_000; space < 2_500_000; space += STEP) {
                World world =
                        new World(random.split(), OPTIONS.withExclusiveIdleMillisMax(0), NO_THREAD);
                world.checkpointsOneOf = oneOf;
                world.directory.spaceBytesMax(space);
                int first = world.fill();
                assertLargest(world, space);
                world.thin(1);
                int again = world.fill();
                assertTrue(again > first / 2, () -> again + " after " + first + world.files());
                assertLargest(world, space);
                world.assertHolds();
                world.store.close();
            }
        }
    }

    private static void assertLargest(World world, long space) {
        long other = space - world.directory.usedBytes(DataFile.NAME);
        assertTrue(other < 650_000, () -> other + " bytes for other things" + world.files());
    }

    /// Fills and thins again and again, closes and opens, with the disk as it is.
    @Test
    void roomThatDeletesMakeIsUsedAgain() {
        SplittableRandom random = Seed.of("FullDiskTest", 2);
        for (long space = 2_100_000; space < 3_000_000; space += STEP) {
            World world = new World(random.split());
            world.directory.spaceBytesMax(space);
            int first = world.fill();
            for (int round = 0; round < 4; round++) {
                world.thin(2);
                int again = world.fill();
                assertTrue(again > first / 8, () -> again + " after " + first + world.files());
                world.assertHolds();
                if (round % 2 == 1) {
                    world.reopen();
                    world.assertHolds();
                }
            }
            world.store.close();
        }
    }

    /// Another process takes the last byte of the disk, at any moment: the log's reserve exists.
    @Test
    void deletesFindRoomWhenOthersHaveTakenAllOfTheDisk() {
        SplittableRandom random = Seed.of("FullDiskTest", 3);
        for (int entries = 50; entries < 2_000; entries += 490) {
            World world = new World(random.split());
            for (int i = 0; i < entries; i++) {
                world.put(Integer.toString(world.gen.below(1_000_000_000), 36), world.anyValue());
            }
            world.directory.spaceBytesMax(world.directory.usedBytes());
            for (int i = 0; i < 12; i++) {
                world.delete(world.entries.firstKey());
                world.delete(world.entries.lastKey());
            }
            world.assertHolds();
            world.directory.spaceBytesMax(Long.MAX_VALUE);
            world.put("more", "later");
            world.reopen();
            world.assertHolds();
            world.store.close();
        }
    }

    /// The disk is full from the n-th call on, for each n of a history. Whatever is refused, nothing is poisoned, a
    /// delete goes through, and a crash at the end loses nothing.
    @Test
    void fullDiskAtAnyCallPoisonsNothingAndDeletesGoOn() {
        long seed = Seed.of("FullDiskTest", 4).nextLong();
        boolean reached = true;
        for (int call = 1; reached; call += 1 + call / (LONG ? 40 : 6)) {
            SplittableRandom random = new SplittableRandom(seed);
            World world = new World(random);
            for (int i = 0; i < 30; i++) {
                world.put("first " + i, world.anyValue());
            }
            long begun = world.directory.operations();
            world.directory.failAt(begun + call, Fault.DISK_FULL);
            List<String> refused = new ArrayList<>();
            for (int i = 0; i < 120; i++) {
                try {
                    world.put("then " + i, world.anyValue());
                    if (i % 40 == 39) {
                        world.store.checkpoint();
                    }
                } catch (LimitException e) {
                    refused.add("then " + i);
                }
            }
            reached = world.directory.operations() - begun >= call;
            for (int i = 0; i < 10; i++) {
                world.delete("first " + i);
            }
            world.assertHolds();
            assertFalse(reached && refused.isEmpty() && call < 20, "nothing was refused");
            SimDirectory left = world.directory.crash(random, CrashProfile.GARBAGE_SECTOR);
            world.store.close();
            try (Store again = Store.open(left, OPTIONS)) {
                Model model = new Model();
                model.trees.put("t", world.entries);
                try (Transaction transaction = again.beginRead()) {
                    model.assertSeenBy(transaction);
                }
                assertEquals(List.of(), again.check());
            }
        }
    }

    /// The record of a delete has some bytes for each page that becomes free, and room for that is kept.
    @Test
    void oneTransactionDeletesAllOfAFullDisk() {
        SplittableRandom random = Seed.of("FullDiskTest", 7);
        World world = new World(random.split());
        world.directory.spaceBytesMax(LONG ? 40_000_000 : 9_000_000);
        world.fillInLargeCommits();
        world.reopen();
        try (Transaction transaction = world.store.beginWrite()) {
            Tree tree = Objects.requireNonNull(transaction.tree("t"));
            for (String key : world.entries.keySet()) {
                assertTrue(transaction.delete(tree, Model.slice(key)));
            }
            transaction.commit();
        }
        world.entries.clear();
        world.assertHolds();
        assertTrue(world.fill() > 20, "nothing fits any more");
        world.reopen();
        world.assertHolds();
        world.store.close();
    }

    /// The disk reports room, but the data file may not grow: a limit of the process, or a quota. The effect is
    /// that of a full disk, and the log does not grow instead.
    @Test
    void aFileThatMayGrowNoFurtherIsAFullDisk() {
        SplittableRandom random = Seed.of("FullDiskTest", 8);
        World world = new World(random.split());
        world.directory.fileBytesMax(1_300_000);
        assertTrue(world.fill() > 20);
        assertTrue(world.bytesOfLog() < 8 << 20, () -> world.bytesOfLog() + " bytes of log");
        world.assertHolds();
        world.reopen();
        world.thin(1);
        world.assertHolds();
        world.directory.fileBytesMax(Long.MAX_VALUE);
        world.putMore(100);
        world.reopen();
        world.assertHolds();
        world.store.close();
    }

    /// Records leave a word about the ids that are free.
    @Test
    void recordsCanBeDeletedFromAFullDisk() {
        SimDirectory directory = new SimDirectory();
        try (Store store = Store.open(directory, OPTIONS)) {
            Records records = Records.open(store, "r");
            directory.spaceBytesMax(1_500_000);
            List<Long> ids = new ArrayList<>();
            assertThrows(
                    LimitException.class,
                    () -> {
                        while (true) {
                            try (Transaction transaction = store.beginWrite()) {
                                long id = records.insert(transaction, new byte[ids.size() % 90]);
                                transaction.commit();
                                ids.add(id);
                            }
                        }
                    });
            assertTrue(ids.size() > 100);
            for (long id : ids) {
                try (Transaction transaction = store.beginWrite()) {
                    records.delete(transaction, id);
                    transaction.commit();
                }
            }
            assertEquals(List.of(), store.check());
            try (Transaction transaction = store.beginRead()) {
                assertEquals(List.of(), records.check(transaction));
            }
        }
    }
}
