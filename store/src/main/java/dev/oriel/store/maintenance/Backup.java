package dev.oriel.store.maintenance;

import dev.oriel.io.Directory;
import dev.oriel.io.LockedException;
import dev.oriel.io.StorageFile;
import dev.oriel.store.ClosedException;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.LimitException;
import dev.oriel.store.Progress;
import dev.oriel.store.StorageException;
import dev.oriel.store.UsageException;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.FileHeader;
import dev.oriel.store.data.FreeMap;
import dev.oriel.store.file.FencedDirectory;
import dev.oriel.store.file.PageRun;
import dev.oriel.store.page.CorruptPages;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.store.transaction.ReadTransaction;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;

/// Copies a snapshot into an empty folder, page by page, each to its own place. The copy is a database that was
/// closed cleanly, without log and shadow, under a number of its own.
///
/// 1. The marker [#UNFINISHED] and the file are made, and the folder synced.
/// 2. All pages are written after two empty header pages, and synced. Each is verified first. A free page becomes
///    an empty one, whatever its old content.
/// 3. The header is written and synced; then the marker is deleted.
///
/// If the machine stops before the end of step 3, the marker stays, and no process opens the folder. On an earlier
/// failure the files are deleted.
///
/// The snapshot belongs to an open reader, so no checkpoint overwrites its pages. They are read from the file by
/// positional reads, concurrently with all other work.
public final class Backup {
    public static final String UNFINISHED = ".oriel-backup";
    private static final int PAGES_A_REPORT = 256;

    private final ReadTransaction snapshot;
    private final Directory target;
    private final RandomGenerator random;
    private final Progress progress;

    /// A copy of the state that `snapshot` sees.
    public Backup(
            ReadTransaction snapshot, Directory target, RandomGenerator random, Progress progress) {
        this.snapshot = snapshot;
        this.target = target;
        this.random = random;
        this.progress = progress;
    }

    public void run() {
        AutoCloseable lock = lock();
        try {
            checkEmpty(target);
            copy();
        } catch (IOException e) {
            throw new StorageException(
                    "The copy cannot be written; is there room for it, and may the folder be written"
                            + " to?",
                    "path=" + target + " bytes=" + (snapshot.state().pageCount() << Page.SHIFT),
                    e);
        } finally {
            FencedDirectory.release(lock);
        }
    }

    private AutoCloseable lock() {
        try {
            return target.lock();
        } catch (LockedException e) {
            throw new LimitException(
                    "The folder for the copy is in use; name another one",
                    "path=" + target + " holder=" + e.getMessage(),
                    e);
        } catch (IOException e) {
            throw new StorageException(
                    "The folder for the copy cannot be locked; is it writable?",
                    "path=" + target,
                    e);
        }
    }

    /// Throws unless a database can be put into the folder.
    public static void checkEmpty(Directory target) {
        List<String> names;
        try {
            names = target.list();
        } catch (IOException e) {
            throw new StorageException("The folder cannot be read", "path=" + target, e);
        }
        for (String name : names) {
            if (!name.startsWith(".") || name.equals(UNFINISHED)) {
                throw new UsageException(
                        "The folder is not empty; name an empty or a new one, or delete its files",
                        "path=" + target + " holds=" + name);
            }
        }
    }

    private void copy() throws IOException {
        try {
            target.open(UNFINISHED).close();
            try (StorageFile file = target.open(DataFile.NAME)) {
                target.sync();
                copyPages(file);
                writeHeader(file);
            }
            target.delete(UNFINISHED);
            target.sync();
        } catch (IOException | RuntimeException e) {
            deleteAll(e);
            throw e;
        }
    }

    /// If that fails too, the marker stays.
    private void deleteAll(Exception reason) {
        try {
            target.delete(DataFile.NAME);
            target.sync();
            target.delete(UNFINISHED);
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    private void copyPages(StorageFile file) throws IOException {
        long pageCount = snapshot.state().pageCount();
        PageRun run = new PageRun(new Copy(file));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment pages = arena.allocate((long) PAGES_A_REPORT << Page.SHIFT, Page.BYTES);
            for (long page = 0; page < pageCount; page++) {
                long at = (page % PAGES_A_REPORT) << Page.SHIFT;
                MemorySegment copy = pages.asSlice(at, Page.BYTES);
                fill(copy, page);
                run.add(page, copy);
                if ((page + 1) % PAGES_A_REPORT == 0) {
                    run.flush(); // before the memory is used again
                    progress.at(page + 1, pageCount);
                }
            }
            run.flush();
        }
        file.sync();
        progress.at(pageCount, pageCount);
    }

    private void fill(MemorySegment copy, long page) throws IOException {
        if (page <= Page.SECOND_HEADER) {
            copy.fill((byte) 0);
            return;
        }
        if ((FreeMap.word(snapshot.pages(), page & -64L) & 1L << page) == 0) {
            Page.format(copy, 0, (byte) 0, page);
            PageChecksum.complete(copy, 0);
            return;
        }
        boolean fromFile = read(page, copy);
        if (!fromFile) {
            PageChecksum.complete(copy, 0); // a version in memory has no current checksum
        }
        String wrong =
                Page.kind(copy, 0) == CorruptPages.KIND
                        ? "it was damaged when the database was opened"
                        : PageChecksum.damage(copy, page);
        if (!wrong.isEmpty()) {
            throw new CorruptionException(
                    "A page of the data file is damaged, and no copy was made; the database's check"
                            + " says more",
                    "page=" + page + " " + wrong);
        }
    }

    /// Returns whether the page was in the file.
    private boolean read(long page, MemorySegment copy) {
        try {
            return snapshot.pages().read(page, copy);
        } catch (ClosedChannelException e) {
            throw new ClosedException("The database has been closed", "page=" + page, e);
        } catch (IOException e) {
            throw new StorageException("The data file cannot be read", "page=" + page, e);
        }
    }

    private void writeHeader(StorageFile file) throws IOException {
        UUID database = new UUID(random.nextLong(), random.nextLong());
        FileHeader header =
                FileHeader.first(database, 0).covering(snapshot.state(), true).again(true);
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            header.encode(page);
            PageChecksum.complete(page, 0);
            file.write(header.page() << Page.SHIFT, page);
            file.sync();
        }
    }

    /// The file as a target of runs.
    private record Copy(StorageFile file) implements PageRun.Target {
        @Override
        public void write(long first, MemorySegment run) throws IOException {
            file.write(first << Page.SHIFT, run);
        }

        @Override
        public void sync() throws IOException {
            file.sync();
        }
    }
}
