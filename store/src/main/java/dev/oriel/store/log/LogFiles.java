package dev.oriel.store.log;

import dev.oriel.io.Directory;
import dev.oriel.io.StorageFile;
import dev.oriel.store.LimitException;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.FileNames;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The files that the log may begin next: spare files, one in reserve, and new ones. Spare files in excess of the
/// recent need are gradually given back to the disk, and on a full disk as many as possible.
///
/// If the log serves a database whose commits wait for no sync, a new file is not synced either. The first sync
/// that is asked for makes its length and its name durable along with its records ([Log]). Until then a crash of
/// the machine may leave it in any length, or not at all, and its header claims none.
///
/// The lives of a later opening have higher numbers than all lives before it, whichever files exist by then. So a file
/// that reappears after its deletion ends no live history. Its leftovers of a crash are not taken for the continuation
/// of a clean header ([#firstLife]).
///
/// Files are taken and made by the holder of the write role; any thread may put some back or delete spare ones. The
/// monitor of this guards the lists, and is the last in the order of locks.
public final class LogFiles {
    public static final String PREFIX = "log-";
    public static final long SMALLEST_BYTES = 64 << 10;
    private static final long LARGEST_BYTES = 16 << 20;
    private static final long RESERVE_BYTES_MAX = 1 << 20;

    /// Spare bytes that are always allowed, however little the log holds.
    private static final long SPARE_BYTES_MIN = 2 * SMALLEST_BYTES;

    /// Bits for the lives of one opening; the numbers of the next opening begin above them.
    private static final int LIVES_BITS = 20;

    private final Directory directory;
    private final UUID database;

    /// Whether new files are made durable at once.
    private final boolean synced;

    /// Files to be used again.
    private final Deque<LogSegment> spare = new ArrayDeque<>();

    /// Reserve file, for records that remove more than they add. So deletes can be logged when the disk is full.
    private volatile @Nullable LogSegment reserve;

    private int filesMade;

    /// Capacity of the next new file: the log's need when it was last freed, or twice the largest file begun since.
    /// Files found by recovery do not count: they may be empty.
    private volatile long nextBytes = SMALLEST_BYTES;

    /// Length of the log when it was last freed; decays while the log is shorter.
    private long neededBytes;

    private long lives;

    public LogFiles(Directory directory, UUID database, boolean synced) {
        this.directory = directory;
        this.database = database;
        this.synced = synced;
    }

    /// Whether there is room for a file.
    @FunctionalInterface
    public interface Room {
        /// The caller takes any file; a new one is the last resort.
        Room LAST = (bytes, kept) -> !kept;

        /// The caller makes no file.
        Room NONE = (bytes, kept) -> false;

        /// Whether `bytes` bytes may be used.
        ///
        /// @param kept whether the space that deletes may need has to be left
        boolean allows(long bytes, boolean kept);
    }

    /// The names in `files` that are names of log files.
    public static List<String> names(List<String> files) {
        List<String> names = new ArrayList<>();
        for (String file : files) {
            if (FileNames.isNumbered(file, PREFIX, 9)) {
                names.add(file);
            }
        }
        return names;
    }

    /// Lower bound of the numbers of all lives that begin after the header `sequence` was written. (In databases of
    /// earlier builds numbers are small.)
    public static long firstLife(long sequence) {
        return sequence << LIVES_BITS;
    }

    /// New files have other names than `name`.
    void noteName(String name) {
        filesMade = Math.max(filesMade, Integer.parseInt(name.substring(PREFIX.length())));
    }

    /// Copies the records of `segment` at the positions from `from` to `to` into a new file, by way of `buffer`, and
    /// makes it durable. The header comes last: a file that a crash leaves in between counts for nothing. Null if the
    /// disk has no room for it.
    @Nullable LogSegment copyOf(LogSegment segment, long from, long to, MemorySegment buffer)
            throws IOException {
        String name = PREFIX + (filesMade + 1);
        long capacity = Math.max(SMALLEST_BYTES, LogRecord.nextSector(to));
        StorageFile file;
        try {
            file = grown(name, capacity);
        } catch (LimitException full) {
            noCopy(name, full);
            return null;
        }
        filesMade++;
        LogSegment copy = LogSegment.create(name, file, capacity);
        boolean copied = false;
        try {
            for (long at = from; at < to; at += buffer.byteSize()) {
                MemorySegment part = buffer.asSlice(0, Math.min(to - at, buffer.byteSize()));
                segment.file.read(at, part);
                file.write(at, part);
            }
            file.sync();
            directory.sync();
            copied = true;
        } catch (IOException full) {
            noCopy(name, full);
            return null;
        } finally {
            if (!copied) {
                file.close();
                directory.delete(name);
            }
        }
        copy.wasPlaced();
        copy.begin(database, segment.life, segment.salt, segment.firstLsn);
        file.sync();
        copy.position = capacity;
        return copy;
    }

    private static void noCopy(String name, Exception reason) {
        EventLog.say(
                System.Logger.Level.WARNING,
                "The log is not copied to " + name + ", so it is written anew in its place",
                reason);
    }

    /// Notes a file found by recovery, spare or not.
    void found(LogSegment segment, boolean needed) {
        noteName(segment.name);
        lives = Math.max(lives, segment.life);
        if (!needed) {
            add(segment);
        }
    }

    /// Makes all later lives begin after the header `sequence`.
    void numberLives(long sequence) {
        lives = Math.max(lives, firstLife(sequence));
    }

    /// The number of the next life. Called by the holder of the write role.
    long nextLife() {
        return ++lives;
    }

    /// Makes the file a spare one.
    synchronized void add(LogSegment segment) {
        spare.add(segment);
    }

    boolean hasReserve() {
        return reserve != null;
    }

    /// Number of files made, including the ones found.
    int filesMade() {
        return filesMade;
    }

    /// A file of `wanted` bytes or more, for the next life.
    ///
    /// @param grows whether that life begins with a record that adds more than it removes: then the reserve is not
    ///     for it
    /// @throws LimitException if there is none, and no room for one
    LogSegment take(long wanted, boolean grows, Room room) throws IOException {
        LogSegment next = takeSpare(wanted);
        if (next == null) {
            next = createOrTakeReserve(wanted, grows, room);
        }
        nextBytes = Math.max(nextBytes, next.capacity * 2);
        return next;
    }

    private LogSegment createOrTakeReserve(long wanted, boolean grows, Room room)
            throws IOException {
        LogSegment made = createAllowed(wanted, room);
        if (made == null && !grows) {
            made = takeReserve(wanted);
        }
        long least = least(wanted);
        long exact = Math.max(SMALLEST_BYTES, LogRecord.nextSector(wanted));
        if (made == null && !grows && room.allows(exact, false)) {
            made = create(exact);
        }
        if (made == null) {
            throw noRoom(PREFIX + (filesMade + 1), least, kept());
        }
        return made;
    }

    /// If there is no room for a file of the usual size, half of it will do, and so on.
    private @Nullable LogSegment createAllowed(long wanted, Room room) throws IOException {
        long least = least(wanted);
        for (long capacity = Math.clamp(nextBytes, least, Math.max(least, LARGEST_BYTES));
                capacity >= least;
                capacity /= 2) {
            if (room.allows(capacity, true)) {
                return create(capacity);
            }
        }
        return null;
    }

    private static long least(long wanted) {
        long least = SMALLEST_BYTES;
        while (least < wanted) {
            least *= 2;
        }
        return least;
    }

    private synchronized @Nullable LogSegment takeReserve(long wanted) {
        LogSegment kept = reserve;
        if (kept == null || kept.capacity < wanted) {
            return null;
        }
        reserve = null;
        return kept;
    }

    /// Turns the reserve into a spare file.
    synchronized void dropReserve() {
        if (reserve != null) {
            spare.add(reserve);
            reserve = null;
        }
    }

    private synchronized @Nullable LogSegment takeSpare(long bytes) {
        for (LogSegment segment : spare) {
            if (segment.capacity >= bytes) {
                spare.remove(segment);
                return segment;
            }
        }
        return null;
    }

    /// The smallest spare file that is large enough.
    private synchronized @Nullable LogSegment takeSmallestSpare(long bytes) {
        LogSegment smallest = null;
        for (LogSegment segment : spare) {
            if (segment.capacity >= bytes
                    && (smallest == null || segment.capacity < smallest.capacity)) {
                smallest = segment;
            }
        }
        if (smallest != null) {
            spare.remove(smallest);
        }
        return smallest;
    }

    /// Ensures a file in reserve: the more log is written, the larger, up to a megabyte.
    ///
    /// @throws LimitException if there is no room for one
    void keepReserve(Room room) throws IOException {
        long wanted = Math.clamp(nextBytes / 2, SMALLEST_BYTES, RESERVE_BYTES_MAX);
        LogSegment had = reserve;
        if (had != null && had.capacity >= wanted) {
            return;
        }
        LogSegment made = takeSmallestSpare(wanted);
        long kept = had == null ? SMALLEST_BYTES : 0; // this much is kept for the reserve
        boolean fresh = made == null && room.allows(wanted - kept, true);
        if (fresh) {
            made = create(wanted);
        } else if (made == null && had != null) {
            return; // a smaller one is better than none
        } else if (made == null) {
            made = takeSmallestSpare(SMALLEST_BYTES);
        }
        if (made == null) {
            throw noRoom(PREFIX + (filesMade + 1), wanted, kept());
        }
        synchronized (this) {
            if (reserve != null) {
                spare.add(reserve);
            }
            reserve = made; // first of all: then closing the log closes its file
        }
        if (fresh) {
            made.keep(database); // if that is lost, the file is as good as one that was never made
        }
    }

    /// Shrinks the reserve to the minimum size. Called by the holder of the write role.
    void cutReserve() throws IOException {
        LogSegment had = reserve;
        if (had != null && had.capacity > SMALLEST_BYTES) {
            LogSegment less = had.keepLess(database, SMALLEST_BYTES);
            synchronized (this) {
                reserve = less;
            }
        }
    }

    private LogSegment create(long capacity) throws IOException {
        String name = PREFIX + ++filesMade;
        StorageFile file = grown(name, capacity);
        LogSegment segment = LogSegment.create(name, file, capacity);
        if (!synced) {
            return segment;
        }
        boolean created = false;
        try {
            file.sync();
            directory.sync();
            segment.wasPlaced();
            created = true;
            return segment;
        } finally {
            if (!created) {
                file.close();
            }
        }
    }

    /// A new file of `capacity` bytes; if there is no room, it leaves none behind and throws.
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
                e.addSuppressed(second); // the next opening uses or deletes the rest of it
            }
            throw noRoom(name, capacity, e);
        }
    }

    private static IOException kept() {
        return new IOException("the rest of the disk is kept for deletes");
    }

    private static LimitException noRoom(String name, long bytes, IOException cause) {
        return new LimitException(
                "There is no room for the log; free space on the disk and try again",
                "file=%s bytes=%d reason=%s".formatted(name, bytes, cause.getMessage()),
                cause);
    }

    /// Makes the names of new files survive a crash of the machine.
    void syncNames() throws IOException {
        directory.sync();
    }

    /// The log was `usedBytes` long when it was freed. Takes spare files away if they exceed four times the recent
    /// need, down to half of that; each call forgets a quarter of the need. So a steady load makes and deletes no
    /// files, and a past load leaves none behind for long.
    List<LogSegment> takeIdle(long usedBytes) {
        long kept;
        synchronized (this) {
            neededBytes = Math.max(usedBytes, neededBytes - neededBytes / 4);
            kept = Math.max(2 * neededBytes, SPARE_BYTES_MIN);
            nextBytes = Math.clamp(Long.highestOneBit(neededBytes), SMALLEST_BYTES, nextBytes);
            if (bytes(spare) <= 2 * kept) {
                return List.of();
            }
        }
        return takeBeyond(kept);
    }

    /// Takes spare files away until at most `bytesMax` are left; the largest files that fit stay.
    synchronized List<LogSegment> takeBeyond(long bytesMax) {
        List<LogSegment> more = new ArrayList<>();
        part(spare, bytesMax, new ArrayList<>(), more);
        spare.removeAll(more);
        return more;
    }

    private static void part(
            Collection<LogSegment> all,
            long bytesMax,
            List<LogSegment> kept,
            List<LogSegment> more) {
        List<LogSegment> files = new ArrayList<>(all);
        files.sort(Comparator.comparingLong(segment -> -segment.capacity));
        long bytes = 0;
        for (LogSegment segment : files) {
            if (bytes + segment.capacity <= bytesMax) {
                bytes += segment.capacity;
                kept.add(segment);
            } else {
                more.add(segment);
            }
        }
    }

    /// Deletes the file, which was taken away from the lists, and is closed.
    void delete(LogSegment segment) throws IOException {
        directory.delete(segment.name);
    }

    /// The disk is full: new files begin small again.
    void beginSmall() {
        nextBytes = SMALLEST_BYTES;
    }

    /// Forgets the recent need.
    synchronized void forgetNeed() {
        neededBytes = 0;
    }

    /// Deletes files until the rest has at most `bytesMax`; the largest files that fit stay. Nothing is begun after
    /// this. A kept file of an earlier life than a deleted one is emptied first, since no header would mark its
    /// end. Otherwise remains of an uncommitted record could lie just at the end of the log.
    void trim(long bytesMax) throws IOException {
        List<LogSegment> kept = new ArrayList<>();
        List<LogSegment> deleted = new ArrayList<>();
        synchronized (this) {
            dropReserve();
            part(spare, bytesMax, kept, deleted);
        }
        long last = deleted.stream().mapToLong(segment -> segment.life).max().orElse(0);
        for (LogSegment segment : kept) {
            if (segment.life < last && !segment.isReserved()) {
                segment.keep(database);
                segment.file.sync();
            }
        }
        for (LogSegment segment : deleted) {
            // Not before: after a failure, closing the log closes them.
            synchronized (this) {
                spare.remove(segment);
            }
            segment.file.close();
            directory.delete(segment.name);
        }
    }

    /// Bytes of all files.
    synchronized long bytes() {
        return bytes(spare) + (reserve == null ? 0 : reserve.capacity);
    }

    static long bytes(Collection<LogSegment> files) {
        long bytes = 0;
        for (LogSegment segment : files) {
            bytes += segment.capacity;
        }
        return bytes;
    }

    synchronized void close() throws IOException {
        for (LogSegment segment : spare) {
            segment.file.close();
        }
        if (reserve != null) {
            reserve.file.close();
        }
    }
}
