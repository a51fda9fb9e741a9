package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.store.Cursor;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.Progress;
import dev.oriel.store.Slice;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.model.Model;
import dev.oriel.testkit.CrashProfile;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.SimDirectory;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

/// Disks of many sizes that the database alone fills. Whatever it holds, and even after a close or a crash, all of
/// it can be deleted again, and about as much inserted anew.
///
/// `-Dfillings=` is their number, from 1,000 on with disks of up to 30 MB; `-Dfilling=` replays one that failed.
final class FullDiskFillingsTest {
    private static final int GATHERED_BYTES = 1 << 20;
    private static final int FILLINGS = Integer.getInteger("fillings", 12);

    /// Additional bytes that the log may take the second time.
    private static final int LOG_BYTES = 128 << 10;

    private static final ThreadFactory NO_THREAD =
            work -> {
                throw new OutOfMemoryError("unable to create native thread");
            };

    @Test
    void whatFilledTheDiskCanBeTakenAwayAgain() {
        long seed = Seed.of("FullDiskFillingsTest", 1).nextLong();
        long only = Long.getLong("filling", 0);
        for (int i = 0; i < FILLINGS; i++) {
            long one = only != 0 ? only : seed + i;
            try {
                new Filling(new SplittableRandom(one), one % 2 == 0 ? GATHERED_BYTES : 0).run();
            } catch (RuntimeException | Error e) {
                throw new AssertionError("-Dfillings=1 -Dfilling=" + one, e);
            }
        }
    }

    /// Many short commits have let the log grow; a checkpoint frees its files, but not the disk.
    @Test
    void theLogGivesBackWhatItHasGrownTo() {
        new Filling(new SplittableRandom(-7632854183532349521L), 0).run();
    }

    /// A checkpoint has emptied the shadow, and nothing else is there to be given back.
    @Test
    void aDeleteHasTheRoomOfTheShadow() {
        new Filling(new SplittableRandom(-5508814968955188244L), 0).run();
    }

    /// One disk, and its history.
    private static final class Filling {
        private final Gen gen;
        private final long space;
        private final int trees;
        private final int style;
        private final int order;
        private final StoreOptions options;
        private SimDirectory directory = new SimDirectory();
        private Store store;
        private List<Entry> entries = new ArrayList<>();
        private final StringBuilder story = new StringBuilder();
        private int next;
        private int commits;

        private record Entry(String tree, String key) {}

        Filling(SplittableRandom random, long gatheredBytes) {
            this.gen = new Gen(random);
            this.space = space();
            this.trees = 1 + gen.below(4);
            this.style = gen.below(5);
            this.order = gen.below(2);
            this.options =
                    StoreOptions.defaults()
                            .withDurability(gen.pick(List.of(Durability.values())))
                            .withCheckpointBytes(
                                    gen.pick(List.of(64L << 10, 256L << 10, 4L << 20, 64L << 20)))
                            .withExclusiveIdleMillisMax(0)
                            .withGatheredBytesMax(gatheredBytes);
            this.store = open();
            say(
                    "space=%d trees=%d style=%d order=%d %s"
                            .formatted(space, trees, style, order, options));
        }

        private long space() {
            int kind = gen.below(200);
            long most = kind == 0 && FILLINGS >= 1000 ? 30 << 20 : kind < 10 ? 3 << 20 : 1_300_000;
            return gen.between(800_000, most);
        }

        private void say(String what) {
            story.append(' ').append(what).append(';');
        }

        private Store open() {
            return new Opening(directory, options, gen.random().split(), System::nanoTime)
                    .withThreads(NO_THREAD)
                    .open();
        }

        void run() {
            try {
                createTrees();
                directory.spaceBytesMax(space);
                long first = fill();
                say("filled " + first);
                again();
                takeAllAway();
                createTrees();
                again();
                long second = fill();
                say("filled again " + second);
                assertTrue(second >= first * 0.9 - LOG_BYTES, () -> second + " after " + first);
                assertEquals(List.of(), store.check());
            } catch (RuntimeException | Error e) {
                e.addSuppressed(new IllegalStateException(story + files()));
                throw e;
            } finally {
                store.close();
            }
        }

        private String files() {
            return " free=" + directory.freeBytes() + " " + directory.sizes();
        }

        private void createTrees() {
            try (Transaction transaction = store.beginExclusive()) {
                for (int i = 0; i < trees; i++) {
                    if (transaction.tree("t" + i) == null) {
                        transaction.createTree("t" + i);
                    }
                }
                transaction.commit();
            }
        }

        /// Closed and opened, or crashed and opened, or neither.
        private void again() {
            switch (gen.below(3)) {
                case 0 -> {
                    store.close();
                    store = open();
                    say("reopened");
                }
                case 1 -> {
                    SimDirectory left = directory.crash(gen.random(), CrashProfile.PROCESS_KILL);
                    store.close();
                    directory = left;
                    store = open();
                    readEntries();
                    say("crashed and opened");
                }
                default -> {}
            }
        }

        private void readEntries() {
            entries = new ArrayList<>();
            try (Transaction transaction = store.beginRead()) {
                for (int i = 0; i < trees; i++) {
                    Tree tree = transaction.tree("t" + i);
                    if (tree == null) {
                        continue;
                    }
                    Cursor cursor = transaction.cursor(tree);
                    Slice key = new Slice();
                    for (boolean there = cursor.first(); there; there = cursor.next()) {
                        cursor.key(key);
                        entries.add(new Entry("t" + i, Model.text(key)));
                    }
                }
            }
        }

        /// Inserts until no entry fits any more, however short; returns their bytes.
        private long fill() {
            readEntries();
            long bytes = 0;
            int refused = 0;
            int rows = gen.chance(30) ? 2 + gen.below(250) : 1;
            while (refused < 3) {
                try {
                    bytes += insert(rows, refused > 0);
                } catch (LimitException e) {
                    refused += rows == 1 ? 1 : 0;
                    rows = Math.max(1, rows / 2);
                }
            }
            return bytes;
        }

        /// Inserts `rows` rows in one commit: an entry in each tree, like a row with its indexes.
        private long insert(int rows, boolean small) {
            long bytes = 0;
            List<Entry> added = new ArrayList<>();
            try (Transaction transaction = store.beginWrite()) {
                for (int n = 0; n < rows * trees; n++) {
                    int i = n % trees;
                    Entry entry = new Entry("t" + i, key());
                    Tree tree = Objects.requireNonNull(transaction.tree(entry.tree));
                    int most = i > 0 ? gen.below(20) : small ? 1 : valueBytes();
                    String value = "v".repeat(most);
                    bytes += entry.key.length() + value.length();
                    transaction.put(tree, Model.slice(entry.key), Model.slice(value));
                    added.add(entry);
                }
                transaction.commit();
            }
            entries.addAll(added);
            forgetDeletedFiles();
            return bytes;
        }

        /// The simulation remembers the files that a crash of the machine could bring back. Here only the process
        /// crashes.
        private void forgetDeletedFiles() {
            if (++commits % 100 == 0) {
                try {
                    directory.sync();
                } catch (IOException e) {
                    throw new AssertionError(e);
                }
            }
        }

        private String key() {
            return order == 0
                    ? "%09d".formatted(next++)
                    : Integer.toString(gen.below(1_000_000_000), 36) + "-" + next++;
        }

        private int valueBytes() {
            return switch (style) {
                case 0 -> 1;
                case 1 -> gen.below(100);
                case 2 -> gen.below(1500);
                case 3 -> gen.below(gen.chance(10) ? 20_000 : 300);
                default -> gen.below(gen.chance(2) ? 100_000 : 3_000);
            };
        }

        private void takeAllAway() {
            int way = gen.below(5);
            say("way " + way);
            if (way == 0) {
                dropTrees();
            } else if (way == 1) {
                compact();
                scattered(1);
            } else if (way == 2) {
                ranges();
            } else {
                scattered(way == 3 ? 1 : 5);
            }
            compact();
            readEntries();
            while (!entries.isEmpty()) {
                delete(1);
            }
        }

        private void compact() {
            store.compact(Progress.NONE);
            say("compacted");
        }

        private void dropTrees() {
            for (int i = 0; i < trees; i++) {
                try (Transaction transaction = store.beginExclusive()) {
                    transaction.dropTree(Objects.requireNonNull(transaction.tree("t" + i)));
                    transaction.commit();
                }
                say("dropped");
            }
            entries.clear();
        }

        private void ranges() {
            for (int i = 0; i < trees; i++) {
                for (String from = "9";
                        from != null;
                        from = from.equals("9") ? "4" : from.equals("4") ? "0" : null) {
                    try (Transaction transaction = store.beginWrite()) {
                        Tree tree = Objects.requireNonNull(transaction.tree("t" + i));
                        transaction.deleteRange(tree, Model.slice(from), null);
                        transaction.commit();
                    }
                }
                say("ranges gone");
            }
            readEntries();
        }

        private void scattered(int most) {
            gen.shuffle(entries);
            int deleted = 0;
            int reopening = gen.below(entries.size() + 1);
            try {
                while (!entries.isEmpty()) {
                    if (deleted++ == reopening) {
                        again();
                        gen.shuffle(entries);
                    }
                    if (!entries.isEmpty()) {
                        delete(1 + gen.below(most));
                    }
                }
            } finally {
                say("deleted " + deleted + " leaving " + entries.size());
            }
        }

        private void delete(int count) {
            List<Entry> gone = entries.subList(Math.max(0, entries.size() - count), entries.size());
            try (Transaction transaction = store.beginWrite()) {
                for (Entry entry : gone) {
                    Tree tree = Objects.requireNonNull(transaction.tree(entry.tree));
                    assertTrue(transaction.delete(tree, Model.slice(entry.key)));
                }
                transaction.commit();
            }
            gone.clear();
            forgetDeletedFiles();
        }
    }
}
