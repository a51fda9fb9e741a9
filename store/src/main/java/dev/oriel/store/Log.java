package dev.oriel.store;

import dev.oriel.io.Directory;
import dev.oriel.io.StorageFile;
import dev.oriel.profiler.Probe;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The write-ahead log: an endless sequence of records, one a commit, in a ring of segment files.
/// A position in it is an LSN: bytes since the creation of the database.
///
/// `append` belongs to the holder of the write role. Records that need not be written at once stay in a
/// buffer until it is full, somebody wants a later one written, or [LogWriter] comes by; they reach the file
/// in their order. `sync` may be called by any thread: one thread syncs for all that have written before it
/// began, so committers that wait together share a sync.
///
/// Records lie side by side. What a sync makes durable shares no sector with what is written later: a
/// sector that is being written may turn to noise, with all that was in it.
///
/// Lock order: the write role, then `syncLock`, then the monitor of `segments`, which guards what is written
/// where.
final class Log {
    private static final Probe APPEND = Probe.of(Log.class, "append");
    private static final Probe SYNC = Probe.of(Log.class, "sync");
    static final String PREFIX = "log-";
    static final long SMALLEST_BYTES = 64 << 10;
    private static final long LARGEST_BYTES = 16 << 20;
    private static final long RESERVE_BYTES_MAX = 1 << 20;
    private static final int SYNCS_BESIDE = 64;

    private final Directory directory;
    private final UUID database;
    private final RandomGenerator random;
    private final LongSupplier clock;
    private final Object syncLock = new Object();

    /// Guarded by `syncLock`.
    private final SyncChoice choice = new SyncChoice();

    /// Segments with records that the data file may lack, oldest first; the last one is written to.
    private final Deque<LogSegment> segments = new ArrayDeque<>();

    /// Files to be used again.
    private final Deque<LogSegment> spare = new ArrayDeque<>();

    /// A file that only what takes away more than it adds may begin: so deletes find room for their records
    /// when the disk is full. Changed under the monitor of `segments`.
    private volatile @Nullable LogSegment reserve;

    /// Segments written to since the last sync.
    private final List<LogSegment> dirty = new ArrayList<>();

    /// What is not written yet; guarded by `segments`.
    private final LogBuffer buffer = new LogBuffer();

    /// For so many syncs there may be others who commit meanwhile, without one; about.
    private volatile int unsynced;

    private volatile boolean syncing;

    private volatile long appendedLsn;
    private volatile long writtenLsn;
    private volatile long durableLsn;

    /// The first failed write or sync. What it left unwritten, no later sync covers.
    private volatile @Nullable IOException failure;

    private int filesMade;

    /// What the next new file should hold: twice the last one that was filled here. Those that
    /// recovery found may be empty, and say nothing.
    private long nextBytes = SMALLEST_BYTES;

    private long lives;
    private long bytesWritten;
    private long syncs;

    /// A log that goes on at `lsn`; all records before that are durable.
    Log(Directory directory, UUID database, RandomGenerator random, LongSupplier clock, long lsn) {
        this.clock = clock;
        this.directory = directory;
        this.database = database;
        this.random = random;
        this.appendedLsn = lsn;
        this.writtenLsn = lsn;
        this.durableLsn = lsn;
    }

    /// Takes over a segment found by recovery, oldest first: still needed, or spare.
    void adopt(LogSegment segment, boolean needed) {
        synchronized (segments) {
            (needed ? segments : spare).add(segment);
            filesMade = Math.max(filesMade, number(segment.name));
            lives = Math.max(lives, segment.life);
            segment.durable = true;
        }
    }

    private static int number(String name) {
        return Integer.parseInt(name.substring(PREFIX.length()));
    }

    /// Those of `files` that are the names of log files.
    static List<String> names(List<String> files) {
        List<String> names = new ArrayList<>();
        for (String file : files) {
            if (FileNames.isNumbered(file, PREFIX, 9)) {
                names.add(file);
            }
        }
        return names;
    }

    /// End of the last record.
    long appendedLsn() {
        return appendedLsn;
    }

    /// What all records up to `lsn` would survive.
    Durability reached(long lsn) {
        if (durableLsn >= lsn) {
            return Durability.SYNC;
        }
        return writtenLsn >= lsn ? Durability.WRITTEN : Durability.ASYNC;
    }

    /// A file with records that count, and where in the log the last of those ends that have been written to it.
    record Written(LogSegment segment, long endLsn) {}

    /// The files with records, oldest first. They stay as they are as long as no checkpoint runs.
    List<Written> written() {
        synchronized (segments) {
            List<Written> files = new ArrayList<>();
            LogSegment before = null;
            for (LogSegment segment : segments) {
                if (before != null) {
                    files.add(new Written(before, segment.firstLsn));
                }
                before = segment;
            }
            if (before != null) {
                files.add(new Written(before, writtenLsn));
            }
            return files;
        }
    }

    /// Makes sure that a record of `bytes` can be appended, creating a file where none has room.
    ///
    /// @param grows whether it adds more than it takes away: then the reserve is not for it, and is made where
    ///     there is none
    /// @param room whether so much of the disk may be used
    /// @throws LimitException if there is no space for it; nothing is lost then
    /// @throws IOException if a write or sync failed
    void reserve(int bytes, boolean grows, Room room) throws IOException {
        LogSegment current = current();
        if (current == null || !current.hasRoomFor(bytes)) {
            beginNext(bytes, grows, room);
        }
        if (grows && isHalfFull()) {
            keepReserve(room);
        }
    }

    /// Until then the file itself is reserve enough, and a new database makes one file less.
    private boolean isHalfFull() {
        LogSegment current = current();
        return current != null && current.position > current.capacity / 2;
    }

    boolean hasReserve() {
        return reserve != null;
    }

    /// How many files have been made, with those that were found.
    int filesMade() {
        return filesMade;
    }

    private void beginNext(int bytes, boolean grows, Room room) throws IOException {
        write(appendedLsn);
        long wanted = LogSegment.HEADER_BYTES + LogRecord.nextSector(bytes);
        LogSegment next = takeSpare(wanted);
        if (next == null) {
            next = createOrTakeReserve(wanted, grows, room);
        }
        synchronized (segments) {
            segments.add(next); // first of all: whoever closes the log closes its file then
            dirty.add(next);
        }
        next.begin(database, ++lives, random.nextLong(), appendedLsn);
        nextBytes = next.capacity * 2;
    }

    /// Whether there is room for a file.
    @FunctionalInterface
    interface Room {
        /// For whoever takes what there is.
        Room ALL = (bytes, kept) -> true;

        /// Whether so many bytes may be used.
        ///
        /// @param kept whether what deletes may need has to be left
        boolean allows(long bytes, boolean kept);
    }

    /// Where there is no room for a file of the usual size, one of half of it will do, and so on.
    private LogSegment createOrTakeReserve(long wanted, boolean grows, Room room)
            throws IOException {
        long least = SMALLEST_BYTES;
        while (least < wanted) {
            least *= 2;
        }
        for (long capacity = Math.clamp(nextBytes, least, Math.max(least, LARGEST_BYTES));
                capacity >= least;
                capacity /= 2) {
            if (room.allows(capacity, true)) {
                return create(capacity);
            }
        }
        LogSegment kept = grows ? null : takeReserve(wanted);
        if (kept != null) {
            return kept;
        }
        if (grows || !room.allows(least, false)) {
            throw noRoom(PREFIX + (filesMade + 1), least, kept());
        }
        return create(least);
    }

    private @Nullable LogSegment takeReserve(long wanted) {
        synchronized (segments) {
            LogSegment kept = reserve;
            if (kept == null || kept.capacity < wanted) {
                return null;
            }
            reserve = null;
            return kept;
        }
    }

    /// Has a file in reserve: the more is written, the larger, up to a megabyte.
    private void keepReserve(Room room) throws IOException {
        long wanted = Math.clamp(nextBytes / 2, SMALLEST_BYTES, RESERVE_BYTES_MAX);
        synchronized (segments) {
            if (reserve != null && reserve.capacity >= wanted) {
                return;
            }
        }
        LogSegment made = takeSpare(wanted);
        boolean fresh = false;
        if (made == null && room.allows(wanted, true)) {
            made = create(wanted);
            fresh = true;
        } else if (made == null) {
            synchronized (segments) {
                if (reserve != null) {
                    return; // a smaller one is better than none
                }
            }
            made = takeSpare(SMALLEST_BYTES);
        }
        if (made == null) {
            throw noRoom(PREFIX + (filesMade + 1), wanted, kept());
        }
        synchronized (segments) {
            if (reserve != null) {
                spare.add(reserve);
            }
            reserve = made; // first of all: whoever closes the log closes its file then
        }
        if (fresh) {
            made.keep(database);
        }
    }

    private LogSegment create(long capacity) throws IOException {
        String name = PREFIX + ++filesMade;
        StorageFile file = grown(name, capacity);
        boolean created = false;
        try {
            LogSegment segment = LogSegment.create(name, file, capacity);
            directory.sync();
            created = true;
            return segment;
        } finally {
            if (!created) {
                file.close();
            }
        }
    }

    /// A new file of `capacity` bytes; where there is no room for it, none.
    private StorageFile grown(String name, long capacity) {
        StorageFile file = null;
        try {
            file = directory.open(name);
            file.resize(capacity);
            return file;
        } catch (IOException e) {
            try {
                if (file != null) {
                    file.close();
                }
                directory.delete(name);
            } catch (IOException second) {
                e.addSuppressed(
                        second); // what is left of it is used or deleted at the next opening
            }
            throw noRoom(name, capacity, e);
        }
    }

    private static IOException kept() {
        return new IOException("what is left of the disk is kept for deletes");
    }

    private static LimitException noRoom(String name, long bytes, IOException cause) {
        return new LimitException(
                "There is no room for the log; free space on the disk and try again",
                "file=" + name + " bytes=" + bytes,
                cause);
    }

    private @Nullable LogSegment current() {
        synchronized (segments) {
            return segments.peekLast();
        }
    }

    private @Nullable LogSegment takeSpare(long bytes) {
        synchronized (segments) {
            for (LogSegment segment : spare) {
                if (segment.capacity >= bytes) {
                    spare.remove(segment);
                    return segment;
                }
            }
            return null;
        }
    }

    /// Appends the record of commit `txid`, for which room was reserved, and returns its end. Unless it is
    /// wanted `now`, it is written soon.
    long append(LogRecord record, long txid, long pageCount, boolean now) throws IOException {
        long entered = APPEND.enter();
        try {
            synchronized (segments) {
                checkFailure();
                return appendHolding(record, txid, pageCount, now);
            }
        } catch (IOException e) {
            failure = e;
            throw e;
        } finally {
            APPEND.exit(entered);
        }
    }

    private long appendHolding(LogRecord record, long txid, long pageCount, boolean now)
            throws IOException {
        LogSegment current = Objects.requireNonNull(current(), "append without reserve");
        long position = current.position;
        long lsn = current.lsnAt(position);
        assert lsn >= appendedLsn : "the log runs backwards";
        MemorySegment bytes = record.seal(current.salt, lsn, txid, durableLsn, pageCount);
        int length = record.alignedBytes();
        if (!buffer.hasRoomFor(length)) {
            writeBuffer();
        }
        boolean alone = buffer.isEmpty() && (now || !buffer.hasRoomFor(length));
        if (alone) {
            touch(current);
            current.write(position, bytes, length);
        } else {
            buffer.add(position, bytes.asSlice(0, length));
            if (now) {
                touch(current);
                buffer.writeTo(current);
            }
        }
        current.position = position + length;
        bytesWritten += lsn + length - appendedLsn;
        appendedLsn = lsn + length;
        if (buffer.isEmpty()) {
            writtenLsn = appendedLsn;
        }
        return appendedLsn;
    }

    /// Notes that there will be something to sync.
    private void touch(LogSegment segment) {
        if (!dirty.contains(segment)) {
            dirty.add(segment);
        }
    }

    private void checkFailure() throws IOException {
        IOException first = failure;
        if (first != null) {
            throw new IOException("an earlier write or sync of the log failed", first);
        }
    }

    /// Whether records wait to be written.
    boolean hasUnwritten() {
        return writtenLsn < appendedLsn;
    }

    /// Writes all records up to `lsn`.
    void write(long lsn) throws IOException {
        if (writtenLsn >= lsn) {
            return;
        }
        synchronized (segments) {
            writeBuffer();
        }
    }

    private void writeBuffer() throws IOException {
        checkFailure();
        LogSegment current = current();
        if (current == null || buffer.isEmpty()) {
            return;
        }
        touch(current);
        try {
            buffer.writeTo(current);
        } catch (IOException e) {
            failure = e;
            throw e;
        }
        writtenLsn = appendedLsn;
    }

    /// Makes all records up to `lsn` durable.
    void sync(long lsn) throws IOException {
        if (durableLsn >= lsn) {
            return;
        }
        long entered = SYNC.enter();
        try {
            synchronized (syncLock) {
                if (durableLsn >= lsn) {
                    return;
                }
                syncDirty();
            }
        } finally {
            SYNC.exit(entered);
        }
    }

    /// Syncs whatever was written to the files, records or not.
    void syncFiles() throws IOException {
        synchronized (syncLock) {
            syncDirty();
        }
    }

    /// A record is about to be appended whose committer waits for no sync. A durable write keeps such ones
    /// waiting, so where they meet a sync there is none for a while: those wait for what they asked for.
    void passSyncs() {
        if (syncing) {
            unsynced = SYNCS_BESIDE;
        }
    }

    private void syncDirty() throws IOException {
        checkFailure();
        unsynced = Math.max(0, unsynced - 1);
        syncing = true;
        try {
            syncEitherWay();
        } finally {
            syncing = false;
        }
    }

    private void syncEitherWay() throws IOException {
        boolean comparable = canWriteDirectly();
        long begun = clock.getAsLong();
        boolean direct = comparable && choice.isDirect() && writeDirectly();
        if (!direct) {
            syncWritten();
        }
        if (comparable) {
            choice.took(direct, clock.getAsLong() - begun);
        }
        syncs++;
    }

    /// Whether all that is not durable is in the buffer, and begins with a sector.
    private boolean canWriteDirectly() {
        synchronized (segments) {
            return unsynced == 0
                    && dirty.isEmpty()
                    && !buffer.isEmpty()
                    && buffer.beginsWithSector();
        }
    }

    /// Makes durable what is in the buffer with one durable write; false where somebody has written it
    /// meanwhile.
    private boolean writeDirectly() throws IOException {
        synchronized (segments) {
            LogSegment current = current();
            if (current == null || !canWriteDirectly()) {
                return false;
            }
            try {
                buffer.writeDurablyTo(current);
            } catch (IOException e) {
                failure = e;
                throw e;
            }
            current.endSector();
            writtenLsn = appendedLsn;
            durableLsn = appendedLsn;
            return true;
        }
    }

    private void syncWritten() throws IOException {
        List<LogSegment> files;
        long reached;
        synchronized (segments) {
            writeBuffer();
            LogSegment current = current();
            if (current != null) {
                current.endSector();
            }
            files = List.copyOf(dirty);
            dirty.clear();
            reached = writtenLsn;
        }
        boolean synced = false;
        try {
            for (LogSegment segment : files) {
                segment.file.sync();
                segment.durable = true;
            }
            synced = true;
        } catch (IOException e) {
            failure = e;
            throw e;
        } finally {
            if (!synced) { // also where memory has run out: the next sync must not pass them over
                synchronized (segments) {
                    files.forEach(this::touch);
                }
            }
        }
        durableLsn = reached;
    }

    /// Lets the files be used again whose records all end at `lsn` or before. One whose successor's
    /// header could still be lost is kept until the next time: something must hold `lsn`.
    void release(long lsn) {
        synchronized (segments) {
            while (segments.size() > 1) {
                LogSegment oldest = segments.removeFirst();
                LogSegment next = segments.getFirst();
                if (next.firstLsn > lsn || !next.durable) {
                    segments.addFirst(oldest);
                    return;
                }
                dirty.remove(oldest);
                spare.add(oldest);
            }
        }
    }

    /// Deletes files until those that stay have at most `bytesMax` together, the larger ones first of
    /// all that fit; none of them counts any more, and nothing is appended after this. A deletion
    /// becomes durable before the next life of a file begins: one that came back later could be of a
    /// later life than those that were kept, and end them too early. Those that stay of earlier lives than a
    /// deleted one are emptied first, for nothing would say where they end: what a crash had left in them of a
    /// commit that came to nothing could lie just where the log ends now.
    void trim(long bytesMax) throws IOException {
        List<LogSegment> kept = new ArrayList<>();
        List<LogSegment> deleted = new ArrayList<>();
        synchronized (segments) {
            spare.addAll(segments);
            segments.clear();
            dirty.clear();
            if (reserve != null) {
                spare.add(reserve);
                reserve = null;
            }
            List<LogSegment> files = new ArrayList<>(spare);
            files.sort(Comparator.comparingLong(segment -> -segment.capacity));
            long bytes = 0;
            for (LogSegment segment : files) {
                if (bytes + segment.capacity <= bytesMax) {
                    bytes += segment.capacity;
                    kept.add(segment);
                } else {
                    deleted.add(segment);
                }
            }
            spare.removeAll(deleted);
        }
        long last = deleted.stream().mapToLong(segment -> segment.life).max().orElse(0);
        for (LogSegment segment : kept) {
            if (segment.life < last && !segment.isReserved()) {
                segment.keep(database);
            }
        }
        for (LogSegment segment : deleted) {
            segment.file.close();
            directory.delete(segment.name);
        }
    }

    /// Bytes of all files.
    long bytes() {
        synchronized (segments) {
            return bytes(segments) + bytes(spare) + (reserve == null ? 0 : reserve.capacity);
        }
    }

    private static long bytes(Collection<LogSegment> files) {
        long bytes = 0;
        for (LogSegment segment : files) {
            bytes += segment.capacity;
        }
        return bytes;
    }

    /// Bytes written and syncs done since the store was opened.
    long bytesWritten() {
        return bytesWritten;
    }

    long syncs() {
        return syncs;
    }

    void close() throws IOException {
        synchronized (segments) {
            for (LogSegment segment : segments) {
                segment.file.close();
            }
            for (LogSegment segment : spare) {
                segment.file.close();
            }
            if (reserve != null) {
                reserve.file.close();
            }
        }
    }
}
