package dev.oriel.store.log;

import dev.oriel.io.StorageFile;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.UsageException;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One file of the log: a header of 4 KB, then records. It is preallocated, and reused once the data file covers
/// its records. The salt in header and records tells its lives apart, and lives are numbered. Bytes at or beyond
/// the first LSN of the next life are not part of the log: a record that a crash cut off, and its successors.
///
/// ```
/// 0       8         12    16         32     40         48         56     64      68    4096
/// | magic | version | crc | database | salt | firstLsn | capacity | life | flags | 0 ... | records ...
/// ```
/// A file may be used before its length is known to be on the disk. Its header claims no capacity then: any length
/// that a crash of the machine leaves is valid.
public final class LogSegment {
    /// The bytes `ORIELlog`, read as a little-endian number.
    static final long MAGIC = 0x676F6C4C4549524FL;

    public static final int HEADER_BYTES = 4096;
    private static final int VERSION = 1;

    /// Flag: the file's length was not known to be on the disk when this life began.
    private static final int UNPLACED = 1;

    private static final int AT_FLAGS = 64;

    /// Bytes of the header in use; the rest is reserved for later releases, and zeros until then.
    private static final int USED_BYTES = 68;

    /// The life of a file that is kept in reserve. It is lower than all others, and its first LSN is beyond every
    /// record, so it has no effect on the log.
    private static final long RESERVED_LIFE = -1;

    private static final long NO_LIFE = -2;

    /// Bound of valid life numbers and LSNs.
    private static final long LIVES_MAX = 1L << 62;

    public final String name;
    public final StorageFile file;

    /// Bytes of the file.
    public final long capacity;

    public long salt;
    public long firstLsn;
    public long life;

    /// The life whose header is known to be on the disk. Guarded like the list of files that holds it.
    private long durableLife = NO_LIFE;

    /// Whether length and name of the file are known to be on the disk.
    private volatile boolean placed;

    /// Position of the next record in the file.
    public long position = HEADER_BYTES;

    private LogSegment(String name, StorageFile file, long capacity) {
        this.name = name;
        this.file = file;
        this.capacity = capacity;
    }

    /// A new file of `capacity` zeros; it carries no header yet.
    static LogSegment create(String name, StorageFile file, long capacity) {
        return new LogSegment(name, file, capacity);
    }

    /// Marks a file as kept for later: none of its records counts.
    void keep(UUID database) throws IOException {
        begin(database, RESERVED_LIFE, 0, Long.MAX_VALUE);
    }

    /// Cuts a reserved file to `bytes`, and returns the segment that replaces this one. The header says so before
    /// the file is cut.
    LogSegment keepLess(UUID database, long bytes) throws IOException {
        LogSegment less = new LogSegment(name, file, bytes);
        less.placed = placed;
        less.keep(database);
        file.sync();
        file.resize(bytes);
        return less;
    }

    public boolean isReserved() {
        return life == RESERVED_LIFE;
    }

    /// Whether length and name are known to be on the disk: then a sync of the file is enough for its whole
    /// content.
    boolean isPlaced() {
        return placed;
    }

    /// Length and name are on the disk.
    void wasPlaced() {
        placed = true;
    }

    /// A sync of the file, and of the folder if needed, has ended; when it began, this was life `then`.
    void wasSynced(long then) {
        durableLife = then;
        placed = true;
    }

    /// Marks the header as durable: recovery has read it.
    void wasFound() {
        durableLife = life;
    }

    /// Whether the header of this life is known to be on the disk.
    boolean isDurable() {
        return durableLife == life;
    }

    /// Begins life number `life` of the log's files in this one: records from `firstLsn` on, marked
    /// with `salt`.
    void begin(UUID database, long life, long salt, long firstLsn) throws IOException {
        this.life = life;
        this.salt = salt;
        this.firstLsn = firstLsn;
        this.position = HEADER_BYTES;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(HEADER_BYTES);
            header.set(Page.LONG, 0, MAGIC);
            header.set(Page.INT, 8, VERSION);
            header.set(Page.LONG, 16, database.getMostSignificantBits());
            header.set(Page.LONG, 24, database.getLeastSignificantBits());
            header.set(Page.LONG, 32, salt);
            header.set(Page.LONG, 40, firstLsn);
            header.set(Page.LONG, 48, placed ? capacity : 0);
            header.set(Page.LONG, 56, life);
            header.set(Page.INT, AT_FLAGS, placed ? 0 : UNPLACED);
            header.set(Page.INT, 12, PageChecksum.checksum(header, 12, HEADER_BYTES - 12));
            file.write(0, header);
        }
    }

    /// Wipes the header, so that no recovery reads the records.
    public void retire() throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            file.write(0, arena.allocate(HEADER_BYTES));
        }
    }

    /// Reads the header of an existing file; null if it has none of `database`.
    ///
    /// @throws CorruptionException if the file is shorter than its header says
    public static @Nullable LogSegment open(String name, StorageFile file, UUID database)
            throws IOException {
        long size = file.size();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment header = arena.allocate(HEADER_BYTES);
            file.read(0, header.asSlice(0, Math.min(size, HEADER_BYTES)));
            if (size < HEADER_BYTES) {
                boolean begun = header.get(Page.LONG, 0) == MAGIC && size >= USED_BYTES;
                if (begun && isPlaced(header)) { // then it was whole before this was written
                    throw cutShort(name, size, HEADER_BYTES);
                }
                return null;
            }
            boolean ours =
                    header.get(Page.LONG, 0) == MAGIC
                            && header.get(Page.INT, 12)
                                    == PageChecksum.checksum(header, 12, HEADER_BYTES - 12)
                            && header.get(Page.LONG, 16) == database.getMostSignificantBits()
                            && header.get(Page.LONG, 24) == database.getLeastSignificantBits();
            if (!ours) {
                return null;
            }
            long claimed = header.get(Page.LONG, 48);
            if (size < claimed) {
                throw cutShort(name, size, claimed);
            }
            refuseUnknown(name, header);
            refuseImpossible(name, header);
            boolean placed = isPlaced(header);
            LogSegment segment =
                    new LogSegment(name, file, placed ? claimed : size & -LogRecord.SECTOR_BYTES);
            segment.placed = placed;
            segment.salt = header.get(Page.LONG, 32);
            segment.firstLsn = header.get(Page.LONG, 40);
            segment.life = header.get(Page.LONG, 56);
            return segment;
        }
    }

    private static boolean isPlaced(MemorySegment header) {
        return (header.get(Page.INT, AT_FLAGS) & UNPLACED) == 0;
    }

    /// Refuses a header of this database by a later release.
    private static void refuseUnknown(String name, MemorySegment header) {
        int version = header.get(Page.INT, 8);
        int at = USED_BYTES;
        while (at < HEADER_BYTES && header.get(Page.BYTE, at) == 0) {
            at++;
        }
        boolean known = version == VERSION && (header.get(Page.INT, AT_FLAGS) & ~UNPLACED) == 0;
        if (!known || at < HEADER_BYTES) {
            throw new UsageException(
                    "A log file has a feature that this version of Oriel does not know; open the"
                            + " database with a newer one",
                    "file=%s version=%d headerByte=%d".formatted(name, version, at));
        }
    }

    /// Refuses impossible values. The checksum is right, so no crash has left this.
    private static void refuseImpossible(String name, MemorySegment header) {
        long firstLsn = header.get(Page.LONG, 40);
        long capacity = header.get(Page.LONG, 48);
        long life = header.get(Page.LONG, 56);
        boolean lives = life >= 0 && life < LIVES_MAX && firstLsn < LIVES_MAX;
        boolean sized = capacity >= HEADER_BYTES || (capacity >= 0 && !isPlaced(header));
        if (firstLsn < 0 || !sized || !(lives || life == RESERVED_LIFE)) {
            throw new CorruptionException(
                    "A log file has a header with impossible values; restore a backup",
                    "file=%s firstLsn=%d capacity=%d life=%d"
                            .formatted(name, firstLsn, capacity, life));
        }
    }

    private static CorruptionException cutShort(String name, long size, long expected) {
        return new CorruptionException(
                "A log file was cut short; commits may be missing, restore a backup",
                "file=%s bytes=%d expected=%d".formatted(name, size, expected));
    }

    /// A file without a header of this database, to be used again.
    public static LogSegment blank(String name, StorageFile file) throws IOException {
        return new LogSegment(name, file, file.size());
    }

    public long lsnAt(long position) {
        return firstLsn + (position - HEADER_BYTES);
    }

    public long positionOf(long lsn) {
        return HEADER_BYTES + (lsn - firstLsn);
    }

    /// Whether a record of `bytes` bytes has room, also if it must begin in another sector.
    boolean hasRoomFor(int bytes) {
        return LogRecord.nextSector(position) + LogRecord.nextSector(bytes) <= capacity;
    }

    /// Reads the record at `position` into `record` and returns its length; 0 if there is no whole one that was
    /// written at `lsn`. If `record` is too small, returns the negative of the length needed.
    public int read(long position, long lsn, MemorySegment record) throws IOException {
        long room = capacity - position;
        if (room < LogRecord.HEADER_BYTES) {
            return 0;
        }
        file.read(position, record.asSlice(0, Math.min(room, LogRecord.SECTOR_BYTES)));
        long claimed = LogRecord.claimedLength(record);
        if (claimed == 0 || claimed > room) {
            return 0;
        }
        int aligned = LogRecord.align((int) claimed);
        if (aligned > record.byteSize()) {
            return -aligned;
        }
        if (aligned > LogRecord.SECTOR_BYTES) {
            file.read(position, record.asSlice(0, Math.min(aligned, room)));
        }
        return LogRecord.validLength(record, salt, lsn);
    }

    /// Writes the first `length` bytes of `memory`, and zeros after them up to the next sector. The zeros are left
    /// out if all bytes share their first sector with earlier ones. So no sector has to be read first. The memory
    /// has room for these zeros.
    void write(long at, MemorySegment memory, int length) throws IOException {
        long end = at + length;
        long whole = LogRecord.nextSector(end);
        boolean shares = (at & LogRecord.SECTOR_BYTES - 1) != 0;
        if (!shares || whole - at > LogRecord.SECTOR_BYTES) {
            memory.asSlice(length, whole - end).fill((byte) 0);
            end = whole;
        }
        file.write(at, memory.asSlice(0, end - at));
    }

    /// Like [#write] for bytes that begin a sector, but durable on return.
    void writeDurably(long at, MemorySegment memory, int length) throws IOException {
        long whole = LogRecord.nextSector(length);
        memory.asSlice(length, whole - length).fill((byte) 0);
        file.writeDurably(at, memory.asSlice(0, whole));
    }

    /// Makes the next record begin in a sector of its own: the current sector is about to be synced, and must stay
    /// as it is.
    void endSector() {
        position = LogRecord.nextSector(position);
    }
}
