package dev.oriel.store;

import dev.oriel.io.Directory;
import dev.oriel.io.LockedException;
import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Opens a store: locks the directory, reads the newest header or creates the files, and has
/// [Recovery] replay the log. What of an existing store is written then, if it is not opened for
/// reading only, is what it held: to be sure that it is on the disk.
final class Opening {
    private final Directory directory;
    private final StoreOptions options;
    private final RandomGenerator random;

    Opening(Directory directory, StoreOptions options, RandomGenerator random) {
        this.directory = directory;
        this.options = options;
        this.random = random;
    }

    Store open() {
        AutoCloseable lock = lock();
        boolean opened = false;
        try {
            Store store = openLocked(lock);
            opened = true;
            return store;
        } catch (IOException e) {
            throw new StorageException("The database cannot be opened", "path=" + directory, e);
        } finally {
            if (!opened) {
                release(lock);
            }
        }
    }

    private AutoCloseable lock() {
        try {
            return directory.lock();
        } catch (LockedException e) {
            throw new LimitException(
                    "The database is in use; close it there first",
                    "path=" + directory + " holder=" + e.getMessage(),
                    e);
        } catch (IOException e) {
            if (options.readOnly()) {
                return () -> {}; // a folder that cannot be written to: nobody else writes there
            }
            throw new StorageException(
                    "The database's folder cannot be locked; is it writable?",
                    "path=" + directory,
                    e);
        }
    }

    private static void release(AutoCloseable lock) {
        try {
            lock.close();
        } catch (Exception e) {
            throw new StorageException("The lock of the database cannot be released", "", e);
        }
    }

    private Store openLocked(AutoCloseable lock) throws IOException {
        List<String> names = directory.list();
        boolean hasData = names.contains(DataFile.NAME);
        boolean hasLog = names.stream().anyMatch(Log::isName);
        if (!hasData && hasLog) {
            throw new CorruptionException(
                    "The folder holds a log but no data file; restore it from a backup",
                    "path=" + directory);
        }
        boolean empty =
                names.stream().allMatch(name -> name.equals("lock") || name.startsWith("."));
        if (!hasData && (options.readOnly() || !empty)) {
            throw new UsageException(
                    options.readOnly()
                            ? "There is no Oriel database to read here"
                            : "The folder holds other files and no Oriel database; choose an"
                                    + " empty or a new one",
                    "path=" + directory);
        }
        StorageFile file =
                options.readOnly()
                        ? directory.openReadOnly(DataFile.NAME)
                        : directory.open(DataFile.NAME);
        boolean opened = false;
        try {
            FileHeader header = hasData ? newestHeader(file) : null;
            if (header == null) {
                header = create(file, hasLog);
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

    private @Nullable FileHeader newestHeader(StorageFile file) throws IOException {
        FileHeader newest = null;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            long pages = Math.min(2, file.size() >>> Page.SHIFT);
            for (long number = 0; number < pages; number++) {
                file.read(number << Page.SHIFT, page);
                FileHeader header = FileHeader.decode(page, number);
                if (header != null && (newest == null || header.sequence() > newest.sequence())) {
                    newest = header;
                }
            }
        }
        return newest;
    }

    /// Makes the files of a new store; also where an earlier attempt was cut off.
    private FileHeader create(StorageFile file, boolean hasLog) throws IOException {
        if (hasLog || !isCutOff(file)) {
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
        DataFile data = new DataFile(file, 0);
        Scratch scratch = new Scratch();
        PageTable table = new PageTable(scratch);
        State nothing = new State(-1, 0, 0, 0, 0, table.view(), scratch.chunks());
        PageWriter writer = new PageWriter(data, table, scratch, nothing);
        writer.begin(nothing);
        writer.create();
        long pageCount = writer.pageCount();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            for (long number = Page.CATALOG_ROOT; number < pageCount; number++) {
                writer.pages.locate(number);
                MemorySegment.copy(writer.pages.segment, writer.pages.at, page, 0, Page.BYTES);
                data.write(number, page);
            }
            data.sync();
            UUID database = new UUID(random.nextLong(), random.nextLong());
            FileHeader header = new FileHeader(0, database, 0, 0, pageCount, true);
            data.writeHeader(header);
            directory.sync();
            return header;
        }
    }

    /// Whether the file, in which no header is whole, is what is left of a creation that was cut off
    /// and of nothing else. First come the pages of an empty store, then its header: so the header
    /// pages are still blank, or a part of the first header stands before pages that are whole.
    private static boolean isCutOff(StorageFile file) throws IOException {
        long size = file.size();
        if (size > DataFile.FIRST_BYTES) {
            return false;
        }
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(DataFile.FIRST_BYTES);
            file.read(0, bytes.asSlice(0, size));
            long pages = Page.CATALOG_ROOT << Page.SHIFT;
            boolean begun = !isZero(bytes, 0, FileHeader.BYTES);
            return isZero(bytes, FileHeader.BYTES, pages)
                    && isZero(bytes, (Page.FIRST_SPACE + 1) << Page.SHIFT, DataFile.FIRST_BYTES)
                    && (!begun
                            || (isWhole(bytes, Page.CATALOG_ROOT, Page.LEAF)
                                    && isWhole(bytes, Page.FIRST_SPACE, Page.SPACE)));
        }
    }

    private static boolean isWhole(MemorySegment bytes, long number, byte kind) {
        MemorySegment page = bytes.asSlice(number << Page.SHIFT, Page.BYTES);
        return Page.kind(page, 0) == kind
                && Page.count(page, 0) == 0
                && DataFile.wrong(page, number).isEmpty();
    }

    private static boolean isZero(MemorySegment bytes, long from, long to) {
        for (long at = from; at < to; at++) {
            if (bytes.get(Page.BYTE, at) != 0) {
                return false;
            }
        }
        return true;
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

    private Store recover(
            AutoCloseable lock, StorageFile file, FileHeader header, List<String> names)
            throws IOException {
        if (file.size() < header.pageCount() << Page.SHIFT) {
            throw new CorruptionException(
                    "The data file was cut short; restore it from a backup",
                    "path=%s bytes=%d expected=%d"
                            .formatted(directory, file.size(), header.pageCount() << Page.SHIFT));
        }
        Scratch scratch = new Scratch();
        PageTable table = new PageTable(scratch);
        DataFile data = new DataFile(file, header.pageCount());
        Log log;
        State state;
        try (Recovery recovery = new Recovery(directory, options, header, data, table, scratch)) {
            recovery.readSegments(names.stream().filter(Log::isName).toList());
            state = recovery.replay();
            log = new Log(directory, header.database(), random, state.lsn());
            if (!options.readOnly()) {
                recovery.handOver(log);
                data.writeHeader(header);
            }
        }
        return new Store(options, new Store.Files(data, log, lock, header), state, table, scratch);
    }
}
