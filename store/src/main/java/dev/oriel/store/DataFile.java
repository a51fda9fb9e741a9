package dev.oriel.store;

import dev.oriel.io.StorageFile;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// The data file: pages read through a read-only map and written by positional writes.
///
/// The map is made in chunks of 64 MB; when the file grows inside a chunk, that chunk is mapped
/// again at its new length, and readers that still hold the shorter map are right with it. A page
/// is verified against its checksum the first time it is read, through a positional read: the
/// checksum's intrinsic must not touch mapped bytes that somebody could cut off.
final class DataFile implements PageRun.Target {
    static final int CHUNK_SHIFT = 13;
    static final long CHUNK_PAGES = 1L << CHUNK_SHIFT;
    static final String NAME = "data";
    static final long FIRST_BYTES = 64 << 10;
    private static final long GROWTH_BYTES_MAX = 16 << 20;

    private final StorageFile file;
    private volatile Mapping mapping = new Mapping(new MemorySegment[0], 0);

    /// A bit a page: its checksum was seen to be right, or we wrote it ourselves. Lost updates
    /// between threads only cost a second look.
    private volatile long[] verified = new long[16];

    /// @param pages how many pages the chunks show
    @SuppressWarnings("ArrayRecordComponent") // replaced, never changed
    record Mapping(MemorySegment[] chunks, long pages) {}

    /// Pages whose place in the file is on the disk. A longer file may be so for the system alone,
    /// after a sync that failed, and no other sync would change that.
    private final long durablePages;

    /// Whether the file was made longer through this object.
    private boolean grown;

    DataFile(StorageFile file, long durablePages) throws IOException {
        this.file = file;
        this.durablePages = durablePages;
        map(file.size());
    }

    Mapping mapping() {
        return mapping;
    }

    long bytes() throws IOException {
        return file.size();
    }

    /// Makes the file hold at least `pages` pages, durably so after the next sync. Whether one is
    /// needed for that.
    boolean grow(long pages) throws IOException {
        boolean large = mapping.pages() >= pages;
        if (large && (grown || pages <= durablePages)) {
            return false;
        }
        long wanted = pages << Page.SHIFT;
        long size = file.size();
        long larger = Math.max(size, FIRST_BYTES);
        while (larger < wanted) {
            larger += Math.min(larger, GROWTH_BYTES_MAX);
        }
        if (larger == size && !grown) {
            larger += Page.BYTES; // a length of our own, which the next sync covers
        }
        if (larger > size) {
            file.resize(larger);
            grown = true;
        }
        map(larger);
        return true;
    }

    private void map(long size) throws IOException {
        long pages = size >>> Page.SHIFT;
        long before = mapping.pages();
        int count = (int) ((pages + CHUNK_PAGES - 1) >>> CHUNK_SHIFT);
        MemorySegment[] chunks = Arrays.copyOf(mapping.chunks(), count);
        for (int i = (int) (before >>> CHUNK_SHIFT); i < count; i++) {
            long first = (long) i << CHUNK_SHIFT;
            long length = Math.min(CHUNK_PAGES, pages - first);
            chunks[i] = file.map(first << Page.SHIFT, length << Page.SHIFT);
        }
        int words = (int) ((pages + 63) >>> 6);
        if (words > verified.length) {
            verified = Arrays.copyOf(verified, Math.max(words, verified.length * 2));
        }
        mapping = new Mapping(chunks, pages);
    }

    /// Throws unless the page's bytes in the file are what was written there.
    void verifyOnce(long page) {
        long[] bits = verified;
        if ((bits[(int) (page >>> 6)] & 1L << page) == 0) {
            verify(page);
            bits[(int) (page >>> 6)] |= 1L << page;
        }
    }

    private void verify(long page) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Page.BYTES);
            read(page, copy);
            String wrong = wrong(copy, page);
            if (!wrong.isEmpty()) {
                throw new CorruptionException(
                        "A page of the data file is damaged; restore it from a backup, or copy what"
                                + " is readable into a new database",
                        "page=" + page + " " + wrong);
            }
        } catch (ClosedChannelException e) {
            throw new ClosedException("The database has been closed", "page=" + page, e);
        } catch (IOException e) {
            throw new StorageException("The data file cannot be read", "page=" + page, e);
        }
    }

    /// What is wrong with the page in `copy`; empty where nothing is.
    static String wrong(MemorySegment copy, long page) {
        int stored = copy.get(Page.INT, Page.CHECKSUM);
        int computed = checksum(copy, 0, Page.BYTES);
        if (stored != computed) {
            return "checksum=%08x computed=%08x".formatted(stored, computed);
        }
        long number = Page.number(copy, 0);
        return number == page ? "" : "it says page=" + number;
    }

    void read(long page, MemorySegment into) throws IOException {
        file.read(page << Page.SHIFT, into);
    }

    /// Sets the checksum of the page at `at`.
    static void complete(MemorySegment segment, long at) {
        segment.set(Page.INT, at + Page.CHECKSUM, checksum(segment, at, Page.BYTES));
    }

    /// Writes the pages in `run`, which begin with number `first` and have their checksums. The file
    /// must be large enough.
    @Override
    public void write(long first, MemorySegment run) throws IOException {
        long pages = run.byteSize() >>> Page.SHIFT;
        file.write(first << Page.SHIFT, run);
        long[] bits = verified;
        for (long page = first; page < first + pages; page++) {
            bits[(int) (page >>> 6)] |= 1L << page;
        }
    }

    /// Writes and syncs a header.
    void writeHeader(FileHeader header) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            header.encode(page);
            complete(page, 0);
            write(header.page(), page);
            sync();
        }
    }

    /// CRC-32C of what follows the first four of `bytes` bytes.
    static int checksum(MemorySegment segment, long at, long bytes) {
        CRC32C crc = new CRC32C();
        crc.update(segment.asSlice(at + 4, bytes - 4).asByteBuffer());
        return (int) crc.getValue();
    }

    @Override
    public void sync() throws IOException {
        file.sync();
    }

    void close() throws IOException {
        file.close();
    }
}
