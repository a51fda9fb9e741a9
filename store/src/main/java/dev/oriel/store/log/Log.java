package dev.oriel.store.log;

import dev.oriel.profiler.Probe;
import dev.oriel.store.Durability;
import dev.oriel.store.LimitException;
import dev.oriel.store.file.EventLog;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
/// `append` belongs to the holder of the write role. Records that need not be written at once stay in a buffer
/// until it is full, a later record must be written, or `LogWriter` comes by. They reach the file in their order.
/// `sync` may be called by any thread: one thread syncs all records written before it began, so committers that
/// wait together share a sync.
///
/// Records lie side by side. Bytes made durable by a sync share no sector with later writes: a crash while a sector
/// is written may turn all of it to noise.
///
/// Lock order: the write role, then `syncLock`, then the monitor of `segments`, which guards all positions in the
/// files, then that of [LogFiles].
public final class Log {
    private static final Probe APPEND = Probe.of(Log.class, "append");
    private static final Probe SYNC = Probe.of(Log.class, "sync");
    private static final int SYNCS_BESIDE = 64;

    private final LogFiles files;
    private final UUID database;
    private final RandomGenerator random;
    private final LongSupplier clock;
    private final Object syncLock = new Object();

    /// Guarded by `syncLock`.
    private final SyncChoice choice = new SyncChoice();

    /// Segments with records that the data file may lack, oldest first; the last one is written to.
    private final Deque<LogSegment> segments = new ArrayDeque<>();

    /// Segments written to since the last sync.
    private final List<LogSegment> dirty = new ArrayList<>();

    /// Records not yet written; guarded by `segments`.
    private final LogBuffer buffer = new LogBuffer();

    /// Approximate number of syncs to come before durable writes are used again ([#passSyncs]).
    private volatile int unsynced;

    private volatile boolean syncing;

    private volatile long appendedLsn;
    private volatile long writtenLsn;
    private volatile long durableLsn;

    /// End of the last commit. After it there are at most parts of a commit that is under way or was given up.
    /// Guarded by `segments` for changes.
    private volatile long committedLsn;

    /// End of the last durable commit, as stored in records. Parts that were given up may be durable too, but no
    /// recovery gets to their end.
    private volatile long durableCommitLsn;

    /// LSN up to which files were last released; guarded by `segments`.
    private long releasedLsn;

    /// The first failed write or sync; the bytes it left unwritten are covered by no later sync.
    private volatile @Nullable IOException failure;

    private long bytesWritten;
    private long syncs;

    /// A log that continues at `lsn`; all records before that are durable.
    public Log(
            LogFiles files, UUID database, RandomGenerator random, LongSupplier clock, long lsn) {
        this.clock = clock;
        this.files = files;
        this.database = database;
        this.random = random;
        this.appendedLsn = lsn;
        this.writtenLsn = lsn;
        this.durableLsn = lsn;
        this.committedLsn = lsn;
        this.durableCommitLsn = lsn;
        this.releasedLsn = lsn;
    }

    /// Takes over a segment found by recovery, oldest first: still needed, or spare.
    public void adopt(LogSegment segment, boolean needed) {
        synchronized (segments) {
            segment.wasFound();
            if (needed) {
                segments.add(segment);
            }
            files.found(segment, needed);
        }
    }

    /// Notes the name of a file of the log, so that no new file gets it.
    public void noteName(String name) {
        files.noteName(name);
    }

    /// See [LogFiles#copyOf].
    public @Nullable LogSegment copyOf(LogSegment segment, long from, long to, MemorySegment buffer)
            throws IOException {
        return files.copyOf(segment, from, to, buffer);
    }

    /// Numbers all later lives after the header `sequence`.
    public void beginBehind(long sequence) {
        files.numberLives(sequence);
    }

    /// End of the last record.
    public long appendedLsn() {
        return appendedLsn;
    }

    /// End of the last commit.
    public long committedLsn() {
        return committedLsn;
    }

    /// The durability that all records up to `lsn` have reached.
    public Durability reached(long lsn) {
        if (durableLsn >= lsn) {
            return Durability.SYNC;
        }
        return writtenLsn >= lsn ? Durability.WRITTEN : Durability.ASYNC;
    }

    /// A file with live records, and the LSN at the end of its last written record.
    public record Written(LogSegment segment, long endLsn) {}

    /// The files with records, oldest first. They do not change until a checkpoint runs.
    public List<Written> written() {
        synchronized (segments) {
            List<Written> all = new ArrayList<>();
            LogSegment before = null;
            for (LogSegment segment : segments) {
                if (before != null) {
                    all.add(new Written(before, segment.firstLsn));
                }
                before = segment;
            }
            if (before != null) {
                all.add(new Written(before, writtenLsn));
            }
            return all;
        }
    }

    /// Makes sure that a record of `bytes` can be appended, creating a file if none has room.
    ///
    /// @param grows whether it adds more than it takes away: then the reserve is not for it, and is made if there
    ///     is none
    /// @param room whether the disk space may be used
    /// @throws LimitException if there is no space for it; nothing is lost then
    /// @throws IOException if a write or sync failed
    public void reserve(int bytes, boolean grows, LogFiles.Room room) throws IOException {
        LogSegment current = current();
        if (current == null || !current.hasRoomFor(bytes)) {
            beginNext(bytes, grows, room);
        }
        if (grows && isHalfFull()) {
            files.keepReserve(room);
        }
    }

    /// Until then the file itself is reserve enough, and a new database makes one file less.
    private boolean isHalfFull() {
        LogSegment current = current();
        return current != null && current.position > current.capacity / 2;
    }

    public boolean hasReserve() {
        return files.hasReserve();
    }

    public int filesMade() {
        return files.filesMade();
    }

    /// The header is written under the monitor: a concurrent sync must either cover it, or find the file unwritten.
    private void beginNext(int bytes, boolean grows, LogFiles.Room room) throws IOException {
        write(appendedLsn);
        LogSegment next = takeFile(bytes, grows, room);
        synchronized (segments) {
            boolean begun = false;
            try {
                next.begin(database, files.nextLife(), random.nextLong(), appendedLsn);
                touch(next);
                segments.add(next);
                begun = true;
            } finally {
                if (!begun) {
                    dirty.remove(next);
                    files.add(next); // closing the log closes its file
                }
            }
        }
    }

    private LogSegment takeFile(int bytes, boolean grows, LogFiles.Room room) throws IOException {
        long wanted = LogSegment.HEADER_BYTES + LogRecord.nextSector(bytes);
        try {
            return files.take(wanted, grows, room);
        } catch (LimitException e) {
            if (!delete(files.takeBeyond(0))) { // all spare files are too small for it
                throw e;
            }
            return files.take(wanted, grows, room);
        }
    }

    private @Nullable LogSegment current() {
        synchronized (segments) {
            return segments.peekLast();
        }
    }

    /// Appends the record of commit `txid`, for which room was reserved, and returns its end. It is written at once
    /// if `now`, else soon.
    public long append(LogRecord record, long txid, long pageCount, boolean now)
            throws IOException {
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
        MemorySegment bytes = record.seal(current.salt, lsn, txid, durableCommitLsn, pageCount);
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
        }
        current.position = position + length;
        bytesWritten += lsn + length - appendedLsn;
        appendedLsn = lsn + length;
        if (record.endsCommit()) {
            committedLsn = appendedLsn;
        }
        if (alone) {
            writtenLsn = appendedLsn;
        } else if (now) {
            writeBuffer();
        }
        return appendedLsn;
    }

    /// Marks the segment for the next sync.
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
    public boolean hasUnwritten() {
        return writtenLsn < appendedLsn;
    }

    /// Writes all records up to `lsn`.
    public void write(long lsn) throws IOException {
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
    public void sync(long lsn) throws IOException {
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

    /// Syncs all bytes written to the files, records or not.
    public void syncFiles() throws IOException {
        synchronized (syncLock) {
            syncDirty();
        }
    }

    /// A record is about to be appended whose committer waits for no sync. A durable write would make such
    /// committers wait. So if such a commit meets a sync, there are no durable writes for a while.
    public void passSyncs() {
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

    /// Whether all non-durable bytes are in the buffer, and begin at a sector.
    private boolean canWriteDirectly() {
        synchronized (segments) {
            return unsynced == 0
                    && dirty.isEmpty()
                    && !buffer.isEmpty()
                    && buffer.beginsWithSector();
        }
    }

    /// Makes the buffer durable with one durable write; false if another thread has written it meanwhile.
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
            durableCommitLsn = committedLsn;
            return true;
        }
    }

    /// A file being synced, and its life when the sync began.
    private record Syncing(LogSegment segment, long life) {}

    private void syncWritten() throws IOException {
        List<Syncing> covered = new ArrayList<>(1);
        long reached;
        long committed;
        synchronized (segments) {
            writeBuffer();
            LogSegment current = current();
            if (current != null) {
                current.endSector();
            }
            for (int i = 0; i < dirty.size(); i++) { // no iterator for each sync
                covered.add(new Syncing(dirty.get(i), dirty.get(i).life));
            }
            dirty.clear();
            reached = writtenLsn;
            committed = committedLsn;
        }
        boolean synced = false;
        try {
            syncFiles(covered);
            synced = true;
        } catch (IOException e) {
            failure = e;
            throw e;
        } finally {
            if (!synced) { // also if memory has run out: the next sync must not skip them
                synchronized (segments) {
                    covered.forEach(this::touchAgain);
                }
            }
        }
        durableLsn = reached;
        durableCommitLsn = committed;
    }

    /// A file that is spare by now needs no sync.
    private void touchAgain(Syncing one) {
        if (segments.contains(one.segment)) {
            touch(one.segment);
        }
    }

    /// If a file was not synced when it was made, its name is synced too.
    private void syncFiles(List<Syncing> covered) throws IOException {
        boolean placed = true;
        for (int i = 0; i < covered.size(); i++) {
            LogSegment segment = covered.get(i).segment;
            placed &= segment.isPlaced();
            segment.file.sync();
        }
        if (!placed) {
            files.syncNames();
        }
        synchronized (segments) {
            for (int i = 0; i < covered.size(); i++) {
                Syncing one = covered.get(i);
                one.segment.wasSynced(one.life);
            }
        }
    }

    /// Releases the files whose records all end at `lsn` or before, and gives idle files back to the disk. A file
    /// whose successor's header could still be lost is kept until the next time: some file must hold `lsn`. So
    /// after a crash the kept file marks the end of the spare files, whatever becomes of them.
    public void release(long lsn) {
        long used;
        synchronized (segments) {
            used = appendedLsn - releasedLsn;
            releasedLsn = lsn;
            releaseUpTo(lsn);
        }
        delete(files.takeIdle(used));
    }

    private void releaseUpTo(long lsn) {
        while (segments.size() > 1) {
            LogSegment oldest = segments.removeFirst();
            LogSegment next = segments.getFirst();
            if (next.firstLsn > lsn || !next.isDurable()) {
                segments.addFirst(oldest);
                return;
            }
            dirty.remove(oldest);
            files.add(oldest);
        }
    }

    /// Gives files without records that count back to the full disk, except for a small one to go on with. Returns
    /// whether there were any.
    public boolean giveBack() {
        files.beginSmall();
        return delete(files.takeBeyond(LogFiles.SMALLEST_BYTES));
    }

    /// Gives back all files without records that count, the reserve too. Returns whether there were any.
    public boolean giveReserveBack() {
        files.dropReserve();
        return delete(files.takeBeyond(0));
    }

    /// Makes the reserve small. If the header on the disk covers the whole log (up to `covered`), goes on in a
    /// small file with room for a record of `bytes`. So a large file can be given back too, and a full one be the
    /// next reserve. Called by the holder of the write role.
    ///
    /// @throws LimitException if there is no room even for that
    public void goOnSmall(long covered, int bytes) throws IOException {
        files.beginSmall();
        files.cutReserve();
        LogSegment current = current();
        if (current == null
                || appendedLsn != covered
                || (current.capacity <= LogFiles.SMALLEST_BYTES && current.hasRoomFor(bytes))) {
            return;
        }
        beginNext(bytes, false, LogFiles.Room.LAST);
        syncFiles();
        release(covered);
        if (!files.hasReserve()) {
            files.keepReserve(LogFiles.Room.NONE);
            files.cutReserve();
        }
    }

    /// Gives back files that are not needed now, whatever the recent need.
    public void shrink() {
        files.forgetNeed();
        delete(files.takeIdle(0));
    }

    /// Deletes unused files; returns whether there were any. The directory need not be synced: a file that comes
    /// back is ignored ([LogFiles]).
    private boolean delete(List<LogSegment> deleted) {
        for (LogSegment segment : deleted) {
            try {
                synchronized (syncLock) { // a sync may have begun with it
                    segment.file.close();
                }
                files.delete(segment);
            } catch (IOException e) {
                EventLog.say(
                        System.Logger.Level.WARNING, "A file of the log could not be deleted", e);
            }
        }
        return !deleted.isEmpty();
    }

    /// Deletes files until the rest has at most `bytesMax`. None of them counts any longer, and nothing is
    /// appended after this.
    public void trim(long bytesMax) throws IOException {
        synchronized (segments) {
            segments.forEach(files::add);
            segments.clear();
            dirty.clear();
        }
        files.trim(bytesMax);
    }

    /// Bytes of all files.
    public long bytes() {
        synchronized (segments) {
            return LogFiles.bytes(segments) + files.bytes();
        }
    }

    /// Bytes written and syncs done since the store was opened.
    public long bytesWritten() {
        return bytesWritten;
    }

    public long syncs() {
        return syncs;
    }

    public void close() throws IOException {
        synchronized (segments) {
            for (LogSegment segment : segments) {
                segment.file.close();
            }
        }
        files.close();
    }
}
