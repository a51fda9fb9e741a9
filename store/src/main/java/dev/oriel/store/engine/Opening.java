package dev.oriel.store.engine;

import dev.oriel.io.Directory;
import dev.oriel.io.FolderLock;
import dev.oriel.io.LockedException;
import dev.oriel.io.StorageFile;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.RecoveryFigures;
import dev.oriel.store.StorageException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.UsageException;
import dev.oriel.store.checkpoint.Recovery;
import dev.oriel.store.checkpoint.SpaceReserve;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.DoubleWriteBuffer;
import dev.oriel.store.data.FileHeader;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.StoreFiles;
import dev.oriel.store.delta.DeltaLayers;
import dev.oriel.store.file.CheckpointThrottle;
import dev.oriel.store.file.Fence;
import dev.oriel.store.file.FencedDirectory;
import dev.oriel.store.file.StoreThreads;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.log.Log;
import dev.oriel.store.log.LogFiles;
import dev.oriel.store.maintenance.Backup;
import dev.oriel.store.page.CorruptPages;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.store.version.Eviction;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageSet;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.State;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ThreadFactory;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Opens a store: locks the directory, reads the newest header or creates the files, and has [Recovery] replay the
/// log. Then, unless it is read-only, it secures the recovered state without overwriting any of its sources. Pages
/// go to free slots of the shadow file, and the header that names them to the place of the older one. So a crash
/// during an opening is like a crash before it.
final class Opening {
    /// Name of the marker file in a folder while a database is created there; files found beside it are recreated.
    static final String UNFINISHED = ".oriel-unfinished";

    /// Time left to an invisible holder to finish its writes once its token is replaced.
    static final long GRACE_NANOS = 1_000_000_000;

    private static final MemorySegment BLANK =
            MemorySegment.ofArray(new byte[Page.BYTES]).asReadOnly();

    private final Directory directory;
    private final Fence fence;
    private final StoreOptions options;
    private final RandomGenerator random;
    private final LongSupplier clock;

    /// Waits the given nanoseconds for an invisible holder.
    private LongConsumer pause = nanos -> TakeOver.pause(nanos, System::nanoTime);

    private StoreThreads threads = StoreThreads.PLAIN;

    /// Whether the database is being created, or its last creation was cut off.
    private boolean unfinished;

    /// Whether one of the header pages holds bytes that are no whole header.
    private boolean headerCutOff;

    /// A store that takes its salts from `random` and the time, in nanoseconds, from `clock`.
    Opening(Directory directory, StoreOptions options, RandomGenerator random, LongSupplier clock) {
        this.clock = clock;
        this.options = options;
        this.random = random;
        this.fence = new Fence(random.nextLong() | 1, clock, directory.toString());
        this.directory = new FencedDirectory(directory, fence);
    }

    /// Replaces the pause of a doubtful opening, for tests.
    Opening withPause(LongConsumer other) {
        pause = other;
        return this;
    }

    /// Makes the store write the records of ASYNC commits only on request (`Committer.writeLog`): so its behavior
    /// is a function of its calls.
    Opening withoutThreads() {
        threads = new StoreThreads(threads.factory(), false);
        return this;
    }

    /// Makes the store get its threads from `factory`.
    Opening withThreads(ThreadFactory factory) {
        threads = new StoreThreads(factory, threads.attending());
        return this;
    }

    Store open() {
        checkFolder(); // before a lock file is made in it
        FolderLock lock = lock();
        boolean opened = false;
        try {
            Store store = openLocked(lock);
            opened = true;
            return store;
        } catch (IOException e) {
            throw new StorageException("The database cannot be opened", "path=" + directory, e);
        } finally {
            if (!opened) {
                FencedDirectory.release(lock);
            }
        }
    }

    /// Throws if an opening would find no database, and might create one.
    static void checkThere(Directory directory) {
        try {
            if (directory.list().contains(DataFile.NAME)) {
                return;
            }
        } catch (IOException e) {
            throw new StorageException("The folder cannot be read", "path=" + directory, e);
        }
        throw new UsageException("There is no Oriel database here", "path=" + directory);
    }

    private FolderLock lock() {
        try {
            return directory.lock();
        } catch (LockedException e) {
            throw inUse(e);
        } catch (IOException e) {
            if (options.readOnly()) {
                return lockToRead(e);
            }
            throw new StorageException(
                    "The database's folder cannot be locked; is it writable?",
                    "path=" + directory,
                    e);
        }
    }

    /// Locks the folder for reading: other processes may write here even if this one may not.
    private FolderLock lockToRead(IOException notToWrite) {
        try {
            return directory.lockToRead();
        } catch (LockedException e) {
            throw inUse(e);
        } catch (IOException e) {
            e.addSuppressed(notToWrite);
            throw new StorageException(
                    "The folder cannot be locked against others who may write there; put an empty"
                            + " file named lock into it that this process may read",
                    "path=" + directory,
                    e);
        }
    }

    private LimitException inUse(LockedException e) {
        return new LimitException(
                "The database is in use; close it there first",
                "path=" + directory + " holder=" + e.getMessage(),
                e);
    }

    private void checkFolder() {
        try {
            check(directory.list());
        } catch (IOException e) {
            throw new StorageException("The folder cannot be read", "path=" + directory, e);
        }
    }

    /// Throws unless the folder, with files of these `names`, is a database or one may be created in it.
    private void check(List<String> names) {
        if (names.contains(Backup.UNFINISHED)) {
            throw new UsageException(
                    "The folder holds a copy of a database that was cut off; delete it and make"
                            + " another",
                    "path=" + directory);
        }
        if (names.contains(DataFile.NAME)) {
            return;
        }
        if (!LogFiles.names(names).isEmpty()) {
            throw new CorruptionException(
                    "The folder holds a log but no data file; restore it from a backup",
                    "path=" + directory);
        }
        checkCreatable(names);
    }

    private Store openLocked(FolderLock lock) throws IOException {
        List<String> names = directory.list();
        check(names);
        boolean hasData = names.contains(DataFile.NAME);
        boolean hasLog = !LogFiles.names(names).isEmpty();
        unfinished = !hasData || (names.contains(UNFINISHED) && !hasLog);
        if (unfinished && !options.readOnly()) {
            directory.open(UNFINISHED).close();
            directory.sync(); // also if it exists: a killed process may not have synced it
        }
        StorageFile file =
                options.readOnly()
                        ? directory.openReadOnly(DataFile.NAME)
                        : directory.open(DataFile.NAME);
        boolean opened = false;
        try {
            FileHeader header = newestHeader(file);
            if (header == null) {
                header = create(file, hasLog);
            }
            checkLength(file, header);
            if (!options.readOnly()) {
                boolean mapped =
                        !file.isHeldByMaps() && !options.pageReads().isPositional(file.size());
                fence.arm(file, mapped);
                TakeOver takeOver = new TakeOver(lock, fence, pause, this::newestHeader);
                header = takeOver.run(file, header, headerCutOff);
                checkLength(file, header);
                names = directory.list(); // another holder may have begun a log file until just now
                TemporaryFiles.deleteLeftOver(directory, names);
            }
            Store store = recover(lock, file, header, names);
            opened = true;
            return store;
        } finally {
            if (!opened) {
                file.close();
            }
        }
    }

    /// A database is created only in a folder without other files.
    private void checkCreatable(List<String> names) {
        boolean empty =
                names.stream().allMatch(name -> name.equals("lock") || name.startsWith("."));
        if (options.readOnly() || !empty) {
            throw new UsageException(
                    options.readOnly()
                            ? "There is no Oriel database to read here"
                            : "The folder holds other files and no Oriel database; choose an"
                                    + " empty or a new one",
                    "path=" + directory);
        }
    }

    private @Nullable FileHeader newestHeader(StorageFile file) throws IOException {
        FileHeader newest = null;
        headerCutOff = false;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            long pages = Math.min(2, file.size() >>> Page.SHIFT);
            for (long number = 0; number < pages; number++) {
                file.read(number << Page.SHIFT, page);
                FileHeader header = FileHeader.decode(page, number);
                headerCutOff |= header == null && page.mismatch(BLANK) >= 0;
                if (header != null && (newest == null || header.sequence() > newest.sequence())) {
                    newest = header;
                }
            }
        }
        return newest;
    }

    /// Makes the files of a new store, also if an earlier attempt was cut off.
    private FileHeader create(StorageFile file, boolean hasLog) throws IOException {
        if (!unfinished) {
            throw hasLog || headerWasThere(file)
                    ? new CorruptionException(
                            "Both headers of the data file are damaged; restore it from a backup",
                            "path=" + directory)
                    : new UsageException(
                            "The folder's data file is not one of an Oriel database",
                            "path=" + directory);
        }
        if (options.readOnly()) {
            throw new UsageException(
                    "There is no Oriel database to read here", "path=" + directory);
        }
        try {
            file.resize(DataFile.FIRST_BYTES);
        } catch (IOException e) {
            throw new LimitException(
                    "There is no room for a new database; free space on the disk",
                    "path=" + directory + " bytes=" + DataFile.FIRST_BYTES,
                    e);
        }
        DataFile data = new DataFile(file, 0, options.pageReads());
        FramePool framePool = new FramePool();
        PageTable table = new PageTable(framePool);
        State nothing = new State(-1, 0, 0, 0, 0, table.view(), framePool.chunks());
        PageWriter writer = new PageWriter(data, table, framePool, nothing);
        writer.begin(nothing);
        writer.create();
        long pageCount = writer.pageCount();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            for (long number = Page.CATALOG_ROOT; number < pageCount; number++) {
                writer.pages.locate(number);
                MemorySegment.copy(writer.pages.segment, writer.pages.at, page, 0, Page.BYTES);
                PageChecksum.complete(page, 0);
                data.write(number, page);
            }
            data.sync();
            UUID database = new UUID(random.nextLong(), random.nextLong());
            FileHeader header = FileHeader.first(database, pageCount);
            data.writeHeader(header);
            directory.sync();
            return header;
        }
    }

    private static boolean headerWasThere(StorageFile file) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            for (long number = 0; number < Math.min(2, file.size() >>> Page.SHIFT); number++) {
                file.read(number << Page.SHIFT, page);
                if (FileHeader.isOurs(page)) {
                    return true;
                }
            }
            return false;
        }
    }

    private void checkLength(StorageFile file, FileHeader header) throws IOException {
        if (file.size() < header.pageCount() << Page.SHIFT) {
            throw new CorruptionException(
                    "The data file was cut short; restore it from a backup",
                    "path=%s bytes=%d expected=%d"
                            .formatted(directory, file.size(), header.pageCount() << Page.SHIFT));
        }
    }

    private Store recover(FolderLock lock, StorageFile file, FileHeader header, List<String> names)
            throws IOException {
        long begun = clock.getAsLong();
        FramePool framePool = new FramePool();
        PageTable table = new PageTable(framePool);
        DataFile data = new DataFile(file, header.pageCount(), options.pageReads());
        DoubleWriteBuffer doubleWrite = new DoubleWriteBuffer(directory);
        boolean opened = false;
        CorruptPages corruptPages = new CorruptPages();
        TemporaryFiles temporary = new TemporaryFiles(directory);
        Eviction eviction =
                new Eviction(options.readOnly() ? null : temporary, table, framePool, options);
        try (Recovery recovery =
                new Recovery(
                        directory,
                        options,
                        header,
                        data,
                        table,
                        framePool,
                        corruptPages,
                        eviction)) {
            if (header.shadowPages() > 0) {
                checkShadow(names, header);
                doubleWrite.load(
                        header, options.readOnly(), data, table, framePool, corruptPages, eviction);
            }
            recovery.readSegments(LogFiles.names(names));
            State state = recovery.replay();
            Log log = log(header, state);
            FileHeader newest = header;
            if (!options.readOnly() && corruptPages.isEmpty()) {
                data.sync();
                wipeHeaderCutOff(data, header);
                newest =
                        secure(
                                data,
                                doubleWrite,
                                state,
                                header.ownedBy(fence.owner()),
                                recovery.logCounts());
                data.probe(newest);
                deleteLeftOver(names);
                recovery.handOver(log, newest); // last of all: from here on the files are the log's
            }
            StoreFiles files =
                    new StoreFiles(
                            directory,
                            data,
                            doubleWrite,
                            log,
                            temporary,
                            lock,
                            newest,
                            fence,
                            threads);
            Store store = store(files, state, table, framePool, corruptPages, recovery.deltas());
            store.recovery(figures(header, state, clock.getAsLong() - begun));
            opened = true;
            return store;
        } finally {
            if (!opened) {
                temporary.close();
                doubleWrite.close();
            }
        }
    }

    private Store store(
            StoreFiles files,
            State state,
            PageTable table,
            FramePool framePool,
            CorruptPages corruptPages,
            DeltaLayers deltaLayers) {
        StoreOptions allowed = corruptPages.isEmpty() ? options : options.withReadOnly(true);
        Store store = new Store(allowed, files, state, table, framePool, clock, deltaLayers);
        if (!corruptPages.isEmpty()) {
            store.refuseWrites(corruptPages);
        }
        return store;
    }

    private Log log(FileHeader header, State state) {
        LogFiles logFiles =
                new LogFiles(directory, header.database(), options.durability() == Durability.SYNC);
        return new Log(logFiles, header.database(), random, clock, state.lsn());
    }

    private void deleteLeftOver(List<String> names) throws IOException {
        for (String name : names) {
            if (SpaceReserve.isTemporary(name)) {
                directory.delete(name); // a crash interrupted its use
            }
        }
        if (unfinished) {
            directory.delete(UNFINISHED); // not before a header is on the disk
        }
    }

    private void checkShadow(List<String> names, FileHeader header) {
        if (!names.contains(DoubleWriteBuffer.NAME)) {
            throw new CorruptionException(
                    "The shadow file that belongs to the data file is missing; restore both from a"
                            + " backup",
                    "path=" + directory + " pages=" + header.shadowPages());
        }
    }

    /// Wipes a header with damaged sectors. Otherwise a crash during the next write to this page could make it whole
    /// again, if just these sectors were written. By then the slots it names are overwritten. So it is wiped now, while
    /// the slots are still intact.
    private void wipeHeaderCutOff(DataFile data, FileHeader header) throws IOException {
        if (headerCutOff) {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment zeros = arena.allocate(Page.BYTES);
                fence.replace(1 - header.page(), 0, () -> data.write(1 - header.page(), zeros));
            }
            data.sync();
        }
    }

    /// Writes the recovered state to pages that count without the log, and a header that says so, both to places
    /// that `header` does not name. If there is no room, or entries lie above the pages, the log goes on counting.
    ///
    /// Another header is written in any case. The one that was read may exist only in the system's memory. After a
    /// kill the sync before this has brought it to the disk; after a failed sync nothing does. Files that the
    /// previous header needs must not be reused before this one is on the disk.
    private FileHeader secure(
            DataFile data,
            DoubleWriteBuffer doubleWrite,
            State state,
            FileHeader header,
            boolean logCounts)
            throws IOException {
        FileHeader next = header.again(header.clean() && !logCounts);
        if (logCounts && state.deltas().isEmpty()) {
            try {
                PageSet pages = new PageSet();
                state.versions().collect(state.txid(), pages);
                pages.splitAt(state.pageCount());
                data.makeRoom(state.pageCount(), false);
                next =
                        doubleWrite.write(
                                pages,
                                state.frames(),
                                header.covering(state, true),
                                CheckpointThrottle.NONE);
            } catch (LimitException e) {
                // A full disk must not prevent an opening.
                assert e.getCause() instanceof IOException : e;
            }
        }
        FileHeader written = next;
        fence.replace(written.page(), written.owner(), () -> data.writeHeader(written));
        doubleWrite.named();
        return next;
    }

    /// Figures of a recovery from `header` to `state`.
    private static RecoveryFigures figures(FileHeader header, State state, long nanos) {
        return new RecoveryFigures(
                header.clean(),
                state.lsn() - header.lsn(),
                state.txid() - header.txid(),
                header.shadowPages(),
                nanos);
    }
}
