package dev.oriel.store.data;

import dev.oriel.io.StorageFile;
import dev.oriel.store.ClosedException;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.LimitException;
import dev.oriel.store.PageReads;
import dev.oriel.store.StorageException;
import dev.oriel.store.file.CheckpointThrottle;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.PageRun;
import dev.oriel.store.memory.HeapMemory;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.store.version.PageSet;
import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.channels.ClosedChannelException;
import java.util.Arrays;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// The data file: pages read through a read-only map and written by positional writes. If a map is not wanted or
/// does not show the bytes written, they are read by positional reads into a [PageCache] ([PageReads]).
///
/// The map is made in chunks of 64 MB. If the file grows inside a chunk, that chunk is mapped again at its new
/// length, and readers that still hold the shorter map stay correct. A page is verified against its checksum the
/// first time it is read, through a positional read. The checksum's intrinsic must not touch mapped bytes that
/// another process could cut off.
///
/// The file is also cut if it ends in unreachable pages ([#cut]). Their maps are dropped first, but a reader with
/// an older mapping still holds them: touching its pages beyond the end of the file is a fault of the machine. Page
/// numbers alone prevent that (see `Checkpoint`): readers and the writer follow none beyond the page count of their
/// snapshot.
public final class DataFile implements PageRun.Target {
    static final int CHUNK_SHIFT = 13;
    static final long CHUNK_PAGES = 1L << CHUNK_SHIFT;
    public static final String NAME = "data";
    public static final long FIRST_BYTES = 8L << Page.SHIFT;
    private static final long STEP_BYTES_MIN = 64 << 10;
    private static final long STEP_BYTES_MAX = 64 << 20;

    /// Size up to which the file grows by doubling, and beyond by a quarter.
    private static final long SMALL_BYTES = 1 << 20;

    private final StorageFile file;
    private volatile Mapping mapping = new Mapping(new MemorySegment[0], 0);

    /// A bit a page: its checksum was verified, or we wrote it ourselves. Lost updates between threads only cost a
    /// second check.
    private volatile long[] verified = new long[16];

    /// The mapped part of the file.
    ///
    /// @param pages number of pages that the chunks map
    @SuppressWarnings("ArrayRecordComponent") // replaced, never changed
    public record Mapping(MemorySegment[] chunks, long pages) {}

    /// Number of pages whose place in the file is on the disk. After a failed sync a longer file may exist only in
    /// the system's memory, and no other sync would change that.
    private final long durablePages;

    /// Guards the length of the file, and its map.
    private final Object lengthLock = new Object();

    /// Whether pages are being loaded that belong to no state yet.
    private boolean loading;

    /// Position in the file of the first of them.
    private long loadedFrom;

    /// Whether the file was made longer through this object.
    private boolean grown;

    /// The cache if the file is not mapped; else null.
    private volatile @Nullable PageCache cache;

    private final PageReads reads;

    public DataFile(StorageFile file, long durablePages, PageReads reads) throws IOException {
        this.file = file;
        this.durablePages = durablePages;
        this.reads = reads;
        if (file.isHeldByMaps() || reads.isPositional(file.size())) {
            readPositionally();
        }
        try {
            map(file.size());
        } catch (IOException | UnsupportedOperationException e) {
            EventLog.say(System.Logger.Level.INFO, "No maps here; pages are read one by one", e);
            readPositionally();
            map(file.size());
        }
    }

    /// Gives the map up. Called before any page is read.
    private void readPositionally() {
        mapping = new Mapping(new MemorySegment[0], mapping.pages());
        cache = new PageCache(reads.cacheBytesMax());
    }

    /// Whether pages are read by positional reads.
    public boolean isPositional() {
        return cache != null;
    }

    /// Checks that the map shows the header just written; if not, pages are read by positional reads from now on.
    /// Each opening writes a header that differs from the old one in its place.
    public void probe(FileHeader written) {
        if (cache != null || shows(written)) {
            return;
        }
        EventLog.say(
                System.Logger.Level.INFO,
                "Maps do not show what is written here; pages are read one by one",
                null);
        readPositionally();
    }

    /// Word by word: no intrinsic may touch mapped bytes that another process could cut off.
    private boolean shows(FileHeader header) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES, 8);
            header.encode(page);
            PageChecksum.complete(page, 0);
            MemorySegment mapped = mapping.chunks()[0];
            long at = header.page() << Page.SHIFT;
            for (long i = 0; i < Page.BYTES; i += 8) {
                if (page.get(Page.LONG, i) != mapped.get(Page.LONG, at + i)) {
                    return false;
                }
            }
            return true;
        }
    }

    /// An immutable copy of the page, if the file is not mapped.
    MemorySegment copyOf(PageCache kept, long page) {
        MemorySegment copy = kept.get(page);
        if (copy == null) {
            copy = Arena.ofAuto().allocate(Page.BYTES, 8);
            load(page, copy);
            kept.put(page, copy);
        }
        return copy;
    }

    private void load(long page, MemorySegment into) {
        copy(page, into);
        long[] bits = verified;
        if ((bits[(int) (page >>> 6)] & 1L << page) == 0) {
            refuseDamage(into, page);
            bits[(int) (page >>> 6)] |= 1L << page;
        }
    }

    private static void refuseDamage(MemorySegment copy, long page) {
        String wrong = PageChecksum.damage(copy, page);
        if (!wrong.isEmpty()) {
            throw new CorruptionException(
                    "A page of the data file is damaged; restore it from a backup, or copy the readable rows into a new database",
                    "page=" + page + " " + wrong);
        }
    }

    @Nullable PageCache cache() {
        return cache;
    }

    public Mapping mapping() {
        return mapping;
    }

    public long bytes() throws IOException {
        return file.size();
    }

    /// Makes the file hold at least `pages` pages, durably so after the next sync; with `roomy` some more for
    /// later. Returns whether a sync is needed for that.
    boolean grow(long pages, boolean roomy) throws IOException {
        synchronized (lengthLock) {
            return growTo(pages, roomy);
        }
    }

    /// Makes the file large enough, on the disk too; with `roomy` for some more pages. Returns whether that took a
    /// sync.
    ///
    /// @throws LimitException if there is no room
    public boolean makeRoom(long pages, boolean roomy) throws IOException {
        boolean more;
        try {
            more = grow(pages, roomy);
        } catch (IOException e) {
            throw new LimitException(
                    "There is no room for the data file to grow; free space on the disk",
                    "pages=" + pages,
                    e);
        }
        if (more) {
            sync();
        }
        return more;
    }

    private boolean growTo(long pages, boolean roomy) throws IOException {
        boolean large = mapping.pages() >= pages;
        if (large && (grown || pages <= durablePages)) {
            return false;
        }
        long wanted = pages << Page.SHIFT;
        long size = file.size();
        long larger = Math.max(size, FIRST_BYTES);
        if (larger < wanted) {
            larger = Math.max(rounded(wanted), roomy ? larger + step(larger) : 0);
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

    /// Writes pages that no durable header relies on to their places: so the file grows by its content, not by
    /// zeros first. Unused pages between them are zeros. The file need not be synced after a failure.
    ///
    /// @throws LimitException if there is no room
    public void add(PageSet set, MemorySegment[] frames, long pages, CheckpointThrottle throttle)
            throws IOException {
        synchronized (lengthLock) {
            addNew(set, frames, pages, throttle);
        }
    }

    private void addNew(
            PageSet set, MemorySegment[] frames, long pages, CheckpointThrottle throttle)
            throws IOException {
        reserveBits(pages);
        long end = file.size() >>> Page.SHIFT;
        try {
            addBehind(end, set, frames, throttle);
        } catch (LimitException e) {
            giveBack(end, e);
            throw e;
        }
    }

    /// Cuts off the part by which the file grew before the disk was full.
    private void giveBack(long end, LimitException reason) {
        try {
            if (file.size() >>> Page.SHIFT > Math.max(end, mapping.pages())) {
                file.resize(Math.max(end, mapping.pages()) << Page.SHIFT);
            }
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    private void addBehind(
            long end, PageSet set, MemorySegment[] frames, CheckpointThrottle throttle)
            throws IOException {
        long next = end;
        PageRun run = new PageRun(new Growing(this, end), throttle);
        for (int i = 0; i < set.count; i++) {
            long number = set.pages[i];
            if (number > next) {
                run.flush();
                resize(number << Page.SHIFT);
            }
            MemorySegment page = set.page(i, frames);
            PageChecksum.complete(
                    page, 0); // a committed version: a concurrent copy may have either checksum
            run.add(number, page);
            next = Math.max(next, number + 1);
        }
        run.flush();
        if (next > end) {
            grown = true;
            try {
                map(file.size());
            } catch (IOException e) {
                throw noRoom(e); // the next checkpoint maps it
            }
        }
    }

    private void resize(long size) {
        try {
            file.resize(size);
        } catch (IOException e) {
            throw noRoom(e);
        }
    }

    /// The target for loading pages from `first` on, until [#endLoad]; the file is not cut meanwhile.
    public PageRun.Target loadingFrom(long first) throws IOException {
        synchronized (lengthLock) {
            long end = Math.max(file.size(), first << Page.SHIFT);
            loadedFrom = loading ? loadedFrom : end;
            loading = true;
            end += grown ? 0 : Page.BYTES; // a length of our own, as above
            if (end > file.size()) {
                resize(end);
                grown = true;
            }
            return new Growing(this, file.size() >>> Page.SHIFT);
        }
    }

    /// Lets all pages of the file be read.
    public void mapAll() throws IOException {
        synchronized (lengthLock) {
            map(file.size());
        }
    }

    /// The loaded pages will be part of no state: their places are given back, so that a load without enough room
    /// leaves the disk as it was. No reader has ever looked at them.
    public void dropLoaded() {
        synchronized (lengthLock) {
            try {
                if (file.size() > loadedFrom) {
                    shrink(loadedFrom);
                }
            } catch (IOException e) {
                EventLog.say(
                        System.Logger.Level.WARNING, "The data file stays longer than it must", e);
            }
        }
    }

    /// The loaded pages are part of the newest state by now, or of none.
    public void endLoad() {
        synchronized (lengthLock) {
            loading = false;
        }
    }

    private static LimitException noRoom(IOException cause) {
        return new LimitException(
                "There is no room for the data file to grow; free space on the disk", "", cause);
    }

    /// The file; a write beyond `end` may fail for lack of space.
    private record Growing(DataFile file, long end) implements PageRun.Target {
        @Override
        public void write(long first, MemorySegment run) throws IOException {
            try {
                file.reserveBits(first + (run.byteSize() >>> Page.SHIFT));
                file.write(first, run);
            } catch (IOException e) {
                if (first + (run.byteSize() >>> Page.SHIFT) > end) {
                    throw noRoom(e);
                }
                throw e;
            }
        }

        @Override
        public void sync() throws IOException {
            file.sync();
        }
    }

    /// Number of bytes by which a file of `bytes` bytes grows at once: it is at most a quarter larger than its
    /// pages.
    private static long step(long bytes) {
        long step = bytes < SMALL_BYTES ? bytes : rounded(bytes / 4);
        return Math.clamp(step, STEP_BYTES_MIN, STEP_BYTES_MAX);
    }

    private static long rounded(long bytes) {
        return (bytes + STEP_BYTES_MIN - 1) / STEP_BYTES_MIN * STEP_BYTES_MIN;
    }

    /// Cuts off the pages after the first `pages` pages, as counted under the lock, except for the rest of a step.
    /// With `roomy` it cuts only if the file would shrink by more than a growth step. The caller has made sure
    /// that neither the newest durable header nor a snapshot has more pages. Nothing needs to be synced: the file
    /// may be found as long as it was. A failure leaves it usable.
    public void cut(LongSupplier pages, boolean roomy) throws IOException {
        synchronized (lengthLock) {
            if (!loading) {
                cutTo(pages.getAsLong(), roomy);
            }
        }
    }

    private void cutTo(long pages, boolean roomy) throws IOException {
        long kept = Math.max(rounded(pages << Page.SHIFT), FIRST_BYTES);
        if (file.size() <= kept + (roomy ? step(kept) : 0)) {
            return;
        }
        shrink(kept);
    }

    private void shrink(long kept) throws IOException {
        long keptPages = Math.min(kept >>> Page.SHIFT, mapping.pages());
        int count = (int) ((keptPages + CHUNK_PAGES - 1) >>> CHUNK_SHIFT);
        mapping =
                new Mapping(
                        cache == null ? Arrays.copyOf(mapping.chunks(), count) : mapping.chunks(),
                        keptPages);
        long[] bits = verified;
        for (int word = (int) (keptPages >>> 6); word < bits.length; word++) {
            long stay = word == keptPages >>> 6 ? (1L << keptPages) - 1 : 0;
            bits[word] &= stay; // future pages there are verified again
        }
        file.resize(kept);
    }

    private void map(long size) throws IOException {
        long pages = size >>> Page.SHIFT;
        if (cache != null) {
            reserveBits(pages);
            mapping = new Mapping(mapping.chunks(), pages);
            return;
        }
        long before = mapping.pages();
        int count = (int) ((pages + CHUNK_PAGES - 1) >>> CHUNK_SHIFT);
        MemorySegment[] chunks = Arrays.copyOf(mapping.chunks(), count);
        for (int i = (int) (before >>> CHUNK_SHIFT); i < count; i++) {
            long first = (long) i << CHUNK_SHIFT;
            long length = Math.min(CHUNK_PAGES, pages - first);
            chunks[i] = file.map(first << Page.SHIFT, length << Page.SHIFT);
        }
        reserveBits(pages);
        mapping = new Mapping(chunks, pages);
    }

    /// A loading thread does not hold the lock, and a checkpoint may add pages concurrently: the longer array
    /// stays.
    private void reserveBits(long pages) {
        int words = (int) ((pages + 63) >>> 6);
        if (words <= verified.length) {
            return;
        }
        synchronized (lengthLock) {
            if (words > verified.length) {
                verified = HeapMemory.copy(verified, Math.max(words, verified.length * 2));
            }
        }
    }

    /// Throws if the page's bytes in the file do not match its checksum, number or structure.
    void verifyOnce(long page) {
        long[] bits = verified;
        if ((bits[(int) (page >>> 6)] & 1L << page) == 0) {
            verify(page);
            bits[(int) (page >>> 6)] |= 1L << page;
        }
    }

    /// Like [#verifyOnce], also if the page was verified before, since another process may have changed it. If it is
    /// damaged now, later reads fail too.
    void verifyAgain(long page) {
        verified[(int) (page >>> 6)] &= ~(1L << page);
        verifyOnce(page);
    }

    private void verify(long page) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(Page.BYTES);
            copy(page, copy);
            refuseDamage(copy, page);
        }
    }

    private void copy(long page, MemorySegment into) {
        try {
            read(page, into);
        } catch (EOFException e) {
            throw new CorruptionException(
                    "The data file ends before the page: another program has cut it short while it was open; restore it from a backup",
                    "page=" + page,
                    e);
        } catch (ClosedChannelException e) {
            throw new ClosedException("The database has been closed", "page=" + page, e);
        } catch (IOException e) {
            throw new StorageException("The data file cannot be read", "page=" + page, e);
        }
    }

    public void read(long page, MemorySegment into) throws IOException {
        file.read(page << Page.SHIFT, into);
    }

    /// Writes the pages in `run`, which begin with number `first` and have their checksums. The file
    /// must be large enough.
    @Override
    public void write(long first, MemorySegment run) throws IOException {
        long pages = run.byteSize() >>> Page.SHIFT;
        file.write(first << Page.SHIFT, run);
        PageCache kept = cache;
        if (kept != null) {
            kept.forget(first, first + pages);
        }
        long[] bits = verified;
        for (long page = first; page < first + pages; page++) {
            bits[(int) (page >>> 6)] |= 1L << page;
        }
    }

    /// Writes and syncs a header.
    public void writeHeader(FileHeader header) throws IOException {
        putHeader(header);
        sync();
    }

    /// Writes a header that need not be durable.
    public void putHeader(FileHeader header) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            header.encode(page);
            PageChecksum.complete(page, 0);
            write(header.page(), page);
        }
    }

    @Override
    public void sync() throws IOException {
        file.sync();
    }

    public void close() throws IOException {
        file.close();
    }
}
