package dev.oriel.store.engine;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.io.Directory;
import dev.oriel.io.DiskDirectory;
import dev.oriel.io.FolderLock;
import dev.oriel.io.StorageFile;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.PageReads;
import dev.oriel.store.Slice;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.Transaction;
import dev.oriel.store.Tree;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.log.LogFiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Two stores over the files of one folder, whose lock keeps no process out.
class FenceTest {
    private static final String TAKEN = "Another process has taken over the folder";

    @TempDir Path folder;

    private final AtomicLong nanos = new AtomicLong();
    private final AtomicLong paused = new AtomicLong();

    /// Runs while a doubtful opening waits.
    private Runnable meanwhile = () -> {};

    /// Runs when an opening has listed the folder and opens the data file.
    private Runnable listed = () -> {};

    enum Reads {
        MAPPED,
        POSITIONAL
    }

    private StoreOptions options(Reads reads) {
        StoreOptions options = StoreOptions.defaults();
        return reads == Reads.MAPPED
                ? options
                : options.withPageReads(new PageReads(PageReads.Way.POSITIONAL, 1 << 20));
    }

    /// Opens the folder as another process would; `doubtful` says whether its lock is.
    private Store open(StoreOptions options, boolean doubtful) throws IOException {
        Directory unlocked = new Unlocked(DiskDirectory.open(folder), doubtful, () -> listed.run());
        return new Opening(
                        unlocked,
                        options,
                        new SplittableRandom(nanos.get() + 1),
                        () -> nanos.addAndGet(2_000_000))
                .withPause(grace -> {
                    paused.addAndGet(grace);
                    meanwhile.run();
                })
                .open();
    }

    @ParameterizedTest
    @EnumSource(Reads.class)
    void aStoreThatWasTakenOverWritesAndReadsNothingMore(Reads reads) throws IOException {
        StoreOptions options = options(reads);
        Store first = open(options, false);
        put(first, "one");
        Store second = open(options, false);
        assertTaken(() -> put(first, "lost"));
        assertTaken(() -> first.beginRead().close());
        assertTaken(first::checkpoint);
        put(second, "two");
        first.close();
        put(second, "three");
        second.close();
        assertThere("one", "two", "three");
    }

    @ParameterizedTest
    @EnumSource(Reads.class)
    void aStoreWhoseSuccessorHasClosedWritesNothingMore(Reads reads) throws IOException {
        StoreOptions options = options(reads);
        Store first = open(options, false);
        put(first, "one");
        try (Store second = open(options, false)) {
            put(second, "two");
        }
        assertTaken(() -> put(first, "lost"));
        first.close();
        assertThere("one", "two");
    }

    @Test
    void commitsThatWaitInMemoryAreNotWrittenAfterTheTakeover() throws IOException {
        StoreOptions options = options(Reads.MAPPED).withDurability(Durability.ASYNC);
        Store first =
                new Opening(
                                new Unlocked(DiskDirectory.open(folder), false, () -> {}),
                                options,
                                new SplittableRandom(7),
                                System::nanoTime)
                        .withoutThreads()
                        .open();
        put(first, "lost");
        Store second = open(options(Reads.MAPPED), false);
        put(second, "two");
        assertTaken(() -> first.transactions().committer().writeLog());
        first.close();
        second.close();
        assertThere("two");
    }

    @Test
    void aTransactionThatBeganBeforeTheTakeoverCannotCommit() throws IOException {
        Store first = open(options(Reads.MAPPED), false);
        put(first, "one");
        Transaction transaction = first.beginWrite();
        Tree tree = transaction.tree("t");
        assertNotNull(tree);
        transaction.put(tree, Slice.of("lost"), Slice.of("lost"));
        Store second = open(options(Reads.MAPPED), false);
        assertTaken(transaction::commit);
        transaction.close();
        first.close();
        second.close();
        assertThere("one");
    }

    @Test
    void aDoubtfulOpeningWaitsAndTakesTheFolderOver() throws IOException {
        Store first = open(options(Reads.MAPPED), false);
        put(first, "one");
        meanwhile = () -> assertTaken(() -> put(first, "lost"));
        Store second = open(options(Reads.MAPPED), true);
        assertEquals(Opening.GRACE_NANOS, paused.get());
        assertTaken(() -> put(first, "lost"));
        first.close();
        second.close();
        assertThere("one");
    }

    @Test
    void aDoubtfulOpeningOfAClosedFolderDoesNotWait() throws IOException {
        open(options(Reads.MAPPED), false).close();
        open(options(Reads.MAPPED), true).close();
        assertEquals(0, paused.get());
    }

    @Test
    void aDoubtfulOpeningReadsLogFilesThatCameAfterItsFirstLook() throws IOException {
        Store first = open(options(Reads.MAPPED), false);
        put(first, "one");
        long before = logFiles();
        String[] keys = new String[1000];
        Arrays.setAll(keys, i -> "k".repeat(200) + i);
        listed =
                () -> {
                    listed = () -> {};
                    Arrays.stream(keys).forEach(key -> put(first, key));
                };
        Store second = open(options(Reads.MAPPED), true);
        assertTrue(logFiles() > before, "log files");
        assertTaken(() -> put(first, "lost"));
        first.close();
        second.close();
        assertThere(keys);
    }

    private long logFiles() throws IOException {
        return LogFiles.names(DiskDirectory.open(folder).list()).size();
    }

    @Test
    void ofTwoDoubtfulOpeningsOneIsRefused() throws IOException {
        Store first = open(options(Reads.MAPPED), false);
        put(first, "one");
        Store[] third = new Store[1];
        meanwhile =
                () -> {
                    meanwhile = () -> {};
                    third[0] = assertDoesNotThrow(() -> open(options(Reads.MAPPED), true));
                };
        LimitException e =
                assertThrows(LimitException.class, () -> open(options(Reads.MAPPED), true));
        assertTrue(String.valueOf(e.getMessage()).contains("in use"), e.getMessage());
        put(third[0], "three");
        first.close();
        third[0].close();
        assertThere("one", "three");
    }

    private static void assertTaken(org.junit.jupiter.api.function.Executable call) {
        StorageException e = assertThrows(StorageException.class, call);
        assertTrue(String.valueOf(e.getMessage()).contains(TAKEN), e.getMessage());
    }

    private static void put(Store store, String key) {
        try (Transaction transaction = store.beginWrite()) {
            Tree there = transaction.tree("t");
            Tree tree = there == null ? transaction.createTree("t") : there;
            transaction.put(tree, Slice.of(key), Slice.of(key));
            transaction.commit();
        }
    }

    private void assertThere(String... keys) throws IOException {
        try (Store store = open(StoreOptions.defaults(), false);
                Transaction transaction = store.beginRead()) {
            assertEquals(List.of(), store.check());
            Tree tree = transaction.tree("t");
            assertNotNull(tree);
            for (String key : keys) {
                assertTrue(transaction.get(tree, Slice.of(key), new Slice()), key);
            }
            assertFalse(transaction.get(tree, Slice.of("lost"), new Slice()));
        }
    }

    private record Unlocked(Directory directory, boolean doubtful, Runnable listed)
            implements Directory {
        @Override
        public List<String> list() throws IOException {
            return directory.list();
        }

        @Override
        public StorageFile open(String name) throws IOException {
            if (name.equals(DataFile.NAME)) {
                listed.run();
            }
            return directory.open(name);
        }

        @Override
        public StorageFile openReadOnly(String name) throws IOException {
            return directory.openReadOnly(name);
        }

        @Override
        public void delete(String name) throws IOException {
            directory.delete(name);
        }

        @Override
        public long freeBytes() throws IOException {
            return directory.freeBytes();
        }

        @Override
        public void sync() throws IOException {
            directory.sync();
        }

        @Override
        public FolderLock lock() {
            return new FolderLock() {
                @Override
                public boolean isDoubtful() {
                    return doubtful;
                }

                @Override
                public void settle() {}

                @Override
                public void close() {}
            };
        }

        @Override
        public String toString() {
            return directory.toString();
        }
    }
}
