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
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The write-ahead log: an endless sequence of records, one a commit, in a ring of segment files.
/// A position in it is an LSN: bytes since the creation of the database.
///
/// `append` belongs to the holder of the write role. `sync` may be called by any thread: one thread
/// syncs for all that have written before it began, so committers that wait together share a sync.
///
/// Lock order: the write role, then `syncLock`, then the monitor of `segments`.
final class Log {
    private static final Probe APPEND = Probe.of(Log.class, "append");
    private static final Probe SYNC = Probe.of(Log.class, "sync");
    static final String PREFIX = "log-";
    private static final long SMALLEST_BYTES = 64 << 10;
    private static final long LARGEST_BYTES = 16 << 20;

    private final Directory directory;
    private final UUID database;
    private final RandomGenerator random;
    private final Object syncLock = new Object();

    /// Segments with records that the data file may lack, oldest first; the last one is written to.
    private final Deque<LogSegment> segments = new ArrayDeque<>();

    /// Files to be used again.
    private final Deque<LogSegment> spare = new ArrayDeque<>();

    /// Segments written to since the last sync.
    private final List<LogSegment> dirty = new ArrayList<>();

    private volatile long writtenLsn;
    private volatile long durableLsn;

    /// The first failed sync; guarded by `syncLock`. What it left unwritten, no later sync covers.
    private @Nullable IOException failure;

    private int filesMade;

    /// What the next new file should hold: twice the last one that was filled here. Those that
    /// recovery found may be empty, and say nothing.
    private long nextBytes = SMALLEST_BYTES;

    private long lives;
    private long bytesWritten;
    private long syncs;

    /// A log that goes on at `lsn`; all records before that are durable.
    Log(Directory directory, UUID database, RandomGenerator random, long lsn) {
        this.directory = directory;
        this.database = database;
        this.random = random;
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

    /// Whether `name` is the name of a log file.
    static boolean isName(String name) {
        return name.matches(PREFIX + "[0-9]{1,9}");
    }

    /// End of the last record.
    long writtenLsn() {
        return writtenLsn;
    }

    /// Makes sure that a record of `bytes` can be appended, creating a file where none has room.
    ///
    /// @throws LimitException if there is no space for it; nothing is lost then
    /// @throws IOException if a write or sync failed
    void reserve(int bytes) throws IOException {
        LogSegment current = current();
        if (current != null && current.room() >= bytes) {
            return;
        }
        long wanted = LogSegment.HEADER_BYTES + (long) bytes;
        LogSegment next = takeSpare(wanted);
        if (next == null) {
            long capacity = Math.min(nextBytes, LARGEST_BYTES);
            while (capacity < wanted) {
                capacity *= 2;
            }
            next = create(capacity);
        }
        synchronized (segments) {
            segments.add(next); // first of all: whoever closes the log closes its file then
            dirty.add(next);
        }
        next.begin(database, ++lives, random.nextLong(), writtenLsn);
        nextBytes = next.capacity * 2;
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
            throw new LimitException(
                    "There is no room for the log; free space on the disk and try again",
                    "file=" + name + " bytes=" + capacity,
                    e);
        }
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

    /// Writes the record of commit `txid`, for which room was reserved, and returns its end.
    long append(LogRecord record, long txid, long pageCount) throws IOException {
        long entered = APPEND.enter();
        try {
            LogSegment current = Objects.requireNonNull(current(), "append without reserve");
            long lsn = writtenLsn;
            assert current.lsnAt(current.position) == lsn : "the log has a gap";
            MemorySegment bytes = record.seal(current.salt, lsn, txid, durableLsn, pageCount);
            current.file.write(current.position, bytes);
            current.position += bytes.byteSize();
            bytesWritten += bytes.byteSize();
            synchronized (segments) {
                if (!dirty.contains(current)) {
                    dirty.add(current);
                }
            }
            writtenLsn = lsn + bytes.byteSize();
            return writtenLsn;
        } finally {
            APPEND.exit(entered);
        }
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

    private void syncDirty() throws IOException {
        if (failure != null) {
            throw new IOException("an earlier sync of the log failed", failure);
        }
        List<LogSegment> files;
        long reached;
        synchronized (segments) {
            files = List.copyOf(dirty);
            dirty.clear();
            reached = writtenLsn;
        }
        try {
            for (LogSegment segment : files) {
                segment.file.sync();
                segment.durable = true;
            }
        } catch (IOException e) {
            failure = e;
            throw e;
        }
        syncs++;
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
    /// later life than those that were kept, and end them too early.
    void trim(long bytesMax) throws IOException {
        List<LogSegment> deleted = new ArrayList<>();
        synchronized (segments) {
            spare.addAll(segments);
            segments.clear();
            dirty.clear();
            List<LogSegment> files = new ArrayList<>(spare);
            files.sort(Comparator.comparingLong(segment -> -segment.capacity));
            long kept = 0;
            for (LogSegment segment : files) {
                if (kept + segment.capacity <= bytesMax) {
                    kept += segment.capacity;
                } else {
                    spare.remove(segment);
                    deleted.add(segment);
                }
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
            return bytes(segments) + bytes(spare);
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
        }
    }
}
