package dev.oriel.store.data;

import dev.oriel.io.Directory;
import dev.oriel.io.StorageFile;
import dev.oriel.store.CorruptionException;
import dev.oriel.store.LimitException;
import dev.oriel.store.file.CheckpointThrottle;
import dev.oriel.store.file.PageRun;
import dev.oriel.store.page.CorruptPages;
import dev.oriel.store.page.Page;
import dev.oriel.store.page.PageChecksum;
import dev.oriel.store.page.PageStructure;
import dev.oriel.store.version.Eviction;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageSet;
import dev.oriel.store.version.PageTable;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The shadow file: pages that a checkpoint is about to write into the data file, or cannot write there yet because
/// a reader uses the old copy. It has slots of one page each: some hold pages of the database, some the directory
/// of these. A file header names the directory. The slots it names stay untouched until another header is on the
/// disk: new pages go to other slots.
///
/// ```
/// header:  shadowPages, directory ---> | directory page | ---link---> | directory page |
///                                        page 7: slot 12, checksum       ...
/// ```
/// So at any moment each page that the newest header needs is whole somewhere: in the shadow if the directory
/// lists it, else in the data file. A version written to the shadow by an earlier checkpoint is not written again.
/// The file has at most twice as many slots as there are pages that the data file lacks, and starts empty at each
/// opening of the store.
///
/// Used by one thread at a time: the opening one, then the one that runs the checkpoint.
public final class DoubleWriteBuffer {
    public static final String NAME = "shadow";
    public static final byte KIND = 6;
    private static final int AT_DATABASE = 16;
    private static final int AT_TXID = 40;
    private static final int AT_LSN = 48;
    private static final int AT_ENTRIES = 56;
    private static final int ENTRY_BYTES = 16;
    public static final int ENTRIES_MAX = (Page.BYTES - AT_ENTRIES) / ENTRY_BYTES;

    private final Directory directory;
    private @Nullable StorageFile file;

    /// Pages and slots that the newest durable header names.
    private PageSet named = new PageSet();

    private BitSet namedSlots = new BitSet();

    /// Pages and slots that the next header names.
    private PageSet written = named;

    private BitSet writtenSlots = namedSlots;

    /// Whether length and name of the file were set through this object, and so are on the disk after a sync.
    private boolean begun;

    private volatile long bytes;
    private volatile int slotsTaken;

    public DoubleWriteBuffer(Directory directory) {
        this.directory = directory;
    }

    /// Length of the file.
    public long bytes() {
        return bytes;
    }

    /// Number of slots in use by the newest header: they stay until there is another one.
    public int slotsTaken() {
        return slotsTaken;
    }

    /// Number of pages that the newest header names.
    public int pages() {
        return named.count;
    }

    /// Writes the pages of `set` that are not in the file yet, and the directory of all of them, and syncs. Returns
    /// `header` with the directory named; once that is on the disk, [#named] must be called.
    ///
    /// @throws LimitException if there is no room; the slots of the newest header are unchanged then
    public FileHeader write(
            PageSet set, MemorySegment[] frames, FileHeader header, CheckpointThrottle throttle)
            throws IOException {
        set.takePlacesOf(named);
        BitSet taken = (BitSet) namedSlots.clone();
        BitSet fresh = allot(set, taken);
        int[] directorySlots = new int[(set.count + ENTRIES_MAX - 1) / ENTRIES_MAX];
        for (int i = 0; i < directorySlots.length; i++) {
            directorySlots[i] = taken.nextClearBit(0);
            taken.set(directorySlots[i]);
        }
        int first = 0;
        if (set.count > 0) {
            StorageFile opened = open();
            try {
                Slots slots = new Slots(opened, opened.size() >>> Page.SHIFT);
                writePages(slots, set, fresh, frames, throttle);
                writeDirectory(slots, set, directorySlots, header);
                slots.sync();
            } catch (LimitException e) {
                giveBackAfter(e);
                throw e;
            } finally {
                bytes = opened.size();
            }
            first = directorySlots[0];
        }
        written = set;
        writtenSlots = new BitSet();
        for (int i = 0; i < set.count; i++) {
            writtenSlots.set(set.slots[i]);
        }
        for (int slot : directorySlots) {
            writtenSlots.set(slot);
        }
        return header.naming(set.count, first);
    }

    private void giveBackAfter(LimitException reason) {
        try {
            giveBack();
        } catch (IOException e) {
            reason.addSuppressed(e);
        }
    }

    /// Cuts off the slots after the ones named by the newest header: new pages may need the room, in the data
    /// file.
    public void giveBack() throws IOException {
        StorageFile opened = file;
        long named = (long) namedSlots.length() << Page.SHIFT;
        if (opened != null && opened.size() > named) {
            opened.resize(named);
        }
        bytes = opened == null ? 0 : opened.size();
    }

    /// Gives slots that are not `taken` to versions without one, and returns the set of these.
    private static BitSet allot(PageSet set, BitSet taken) {
        BitSet fresh = new BitSet(set.count);
        int slot = -1;
        for (int i = 0; i < set.count; i++) {
            if (set.slots[i] == PageSet.NOWHERE) {
                slot = taken.nextClearBit(slot + 1);
                taken.set(slot);
                set.slots[i] = slot;
                fresh.set(i);
            }
        }
        return fresh;
    }

    /// The header that [#write] returned is on the disk: slots that only the previous header names are free.
    public void named() {
        named = written;
        namedSlots = writtenSlots;
        slotsTaken = namedSlots.cardinality();
    }

    /// Opens the file. At the first use, slots after the named ones may exist only in the system's memory, after a
    /// failed sync, and are cut off.
    private StorageFile open() throws IOException {
        StorageFile opened = file;
        try {
            if (opened == null) {
                opened = directory.open(NAME);
                file = opened;
            }
            long kept = (long) namedSlots.length() << Page.SHIFT;
            if (!begun && opened.size() > kept) {
                opened.resize(kept);
            }
        } catch (IOException e) {
            throw noRoom(e);
        }
        if (!begun) {
            directory.sync();
            begun = true;
        }
        return opened;
    }

    private static LimitException noRoom(IOException cause) {
        return new LimitException(
                "There is no room for the shadow file to grow; free space on the disk", "", cause);
    }

    private static void writePages(
            Slots slots,
            PageSet set,
            BitSet fresh,
            MemorySegment[] frames,
            CheckpointThrottle throttle)
            throws IOException {
        PageRun run = new PageRun(slots, throttle);
        for (int i = fresh.nextSetBit(0); i >= 0; i = fresh.nextSetBit(i + 1)) {
            MemorySegment page = set.page(i, frames);
            // A committed version: a concurrent copy may have either checksum.
            PageChecksum.complete(page, 0);
            set.checksums[i] = page.get(Page.INT, Page.CHECKSUM);
            run.add(set.slots[i], page);
        }
        run.flush();
    }

    private static void writeDirectory(Slots target, PageSet set, int[] slots, FileHeader header)
            throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            for (int d = 0; d < slots.length; d++) {
                int from = d * ENTRIES_MAX;
                int count = Math.min(ENTRIES_MAX, set.count - from);
                Page.format(page, 0, KIND, slots[d]);
                Page.setShort(page, Page.COUNT, count);
                Page.setLink(page, 0, d + 1 < slots.length ? slots[d + 1] : 0);
                page.set(Page.LONG, AT_DATABASE, header.database().getMostSignificantBits());
                page.set(Page.LONG, AT_DATABASE + 8, header.database().getLeastSignificantBits());
                page.set(Page.LONG, AT_TXID, header.txid());
                page.set(Page.LONG, AT_LSN, header.lsn());
                for (int i = 0; i < count; i++) {
                    long at = AT_ENTRIES + (long) i * ENTRY_BYTES;
                    page.set(Page.LONG, at, set.pages[from + i]);
                    page.set(Page.INT, at + 8, set.slots[from + i]);
                    page.set(Page.INT, at + 12, set.checksums[from + i]);
                }
                PageChecksum.complete(page, 0);
                target.write(slots[d], page);
            }
        }
    }

    /// Reads the pages that `header` names and adds them to `table` as versions of its commit. So no reader sees
    /// their places in the data file, whatever a crash of the machine left there.
    ///
    /// A page damaged both here and in the data file is noted in `corruptPages`.
    ///
    /// @throws CorruptionException if the directory is damaged
    public void load(
            FileHeader header,
            boolean readOnly,
            DataFile data,
            PageTable table,
            FramePool framePool,
            CorruptPages corruptPages,
            Eviction eviction)
            throws IOException {
        StorageFile opened = readOnly ? directory.openReadOnly(NAME) : directory.open(NAME);
        file = opened;
        bytes = opened.size();
        readDirectory(opened, header);
        slotsTaken = namedSlots.cardinality();
        for (int i = 0; i < named.count; i++) {
            int frame = framePool.allocate();
            MemorySegment chunk = FramePool.chunk(framePool.chunks(), frame);
            MemorySegment page = chunk.asSlice(FramePool.offset(frame), Page.BYTES);
            readPage(i, page, data, corruptPages);
            eviction.add(named.pages[i]);
            table.add(named.pages[i], header.txid(), frame);
        }
    }

    private void readDirectory(StorageFile from, FileHeader header) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            int slot = header.directory();
            int left = header.shadowPages();
            while (left > 0) {
                readDirectoryPage(from, slot, left, header, page);
                namedSlots.set(slot);
                int count = Page.count(page, 0);
                for (int i = 0; i < count; i++) {
                    long at = AT_ENTRIES + (long) i * ENTRY_BYTES;
                    int itsSlot = page.get(Page.INT, at + 8);
                    int checksum = page.get(Page.INT, at + 12);
                    long number = page.get(Page.LONG, at);
                    boolean inOrder = named.count == 0 || named.pages[named.count - 1] < number;
                    boolean there = itsSlot >= 0 && itsSlot < from.size() >>> Page.SHIFT;
                    if (!inOrder || !there || !PageStructure.isNumber(number)) {
                        throw damaged(slot, header);
                    }
                    named.add(number, header.txid(), itsSlot, checksum);
                    namedSlots.set(itsSlot);
                }
                left -= count;
                slot = (int) Page.link(page, 0);
            }
        }
    }

    private static void readDirectoryPage(
            StorageFile file, int slot, int left, FileHeader header, MemorySegment page)
            throws IOException {
        long position = (long) slot << Page.SHIFT;
        boolean there = slot >= 0 && position + Page.BYTES <= file.size();
        if (there) {
            file.read(position, page);
        }
        boolean right =
                there
                        && PageChecksum.wrong(page, slot).isEmpty()
                        && Page.kind(page, 0) == KIND
                        && page.get(Page.LONG, AT_DATABASE)
                                == header.database().getMostSignificantBits()
                        && page.get(Page.LONG, AT_DATABASE + 8)
                                == header.database().getLeastSignificantBits()
                        && page.get(Page.LONG, AT_TXID) == header.txid()
                        && page.get(Page.LONG, AT_LSN) == header.lsn()
                        && Page.count(page, 0) == Math.min(left, ENTRIES_MAX);
        if (!right) {
            throw damaged(slot, header);
        }
    }

    private static CorruptionException damaged(int slot, FileHeader header) {
        return new CorruptionException(
                "The shadow file is damaged, or does not belong to the data file; restore both"
                        + " from a backup",
                "slot=%d commit=%d".formatted(slot, header.txid()));
    }

    /// Reads a page from its slot, or from its place if it was put there before its copy here was damaged.
    private void readPage(int index, MemorySegment page, DataFile data, CorruptPages corruptPages)
            throws IOException {
        if (!readNamed(index, page, data)) {
            long number = named.pages[index];
            corruptPages.add(number, "in its place and in slot " + named.slots[index], page);
        }
    }

    /// Index of `page` among the pages that the newest header names; negative if it is not one of them.
    public int find(long page) {
        return Arrays.binarySearch(named.pages, 0, named.count, page);
    }

    /// Reads named page `index` as an opening would: its copy here, or the same version in its place. False if
    /// neither is whole. Not for use while a checkpoint runs.
    public boolean readNamed(int index, MemorySegment page, DataFile data) throws IOException {
        StorageFile opened = Objects.requireNonNull(file, "pages without a file");
        long position = (long) named.slots[index] << Page.SHIFT;
        if (position + Page.BYTES <= opened.size()) {
            opened.read(position, page);
            if (isNamed(index, page)) {
                return true;
            }
        }
        data.read(named.pages[index], page);
        return isNamed(index, page);
    }

    public long namedPage(int index) {
        return named.pages[index];
    }

    /// Throws if the directory that `header` names is not whole. Not for use while a checkpoint runs.
    public void checkDirectory(FileHeader header) throws IOException {
        if (header.shadowPages() == 0) {
            return;
        }
        StorageFile opened = Objects.requireNonNull(file, "a directory without a file");
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment page = arena.allocate(Page.BYTES);
            int slot = header.directory();
            for (int left = header.shadowPages(); left > 0; left -= Page.count(page, 0)) {
                readDirectoryPage(opened, slot, left, header, page);
                slot = (int) Page.link(page, 0);
            }
        }
    }

    private boolean isNamed(int index, MemorySegment page) {
        return page.get(Page.INT, Page.CHECKSUM) == named.checksums[index]
                && PageChecksum.wrong(page, named.pages[index]).isEmpty();
    }

    /// Empties the file, which no header names. Nothing needs to be synced: leftovers in it do not count.
    public void clear() throws IOException {
        if (file != null) {
            file.resize(0);
            bytes = 0;
        }
    }

    public void close() throws IOException {
        if (file != null) {
            file.close();
        }
    }

    /// The file; slots from `end` on do not exist yet. A write there fails for lack of space, and nothing relies
    /// on it.
    private record Slots(StorageFile file, long end) implements PageRun.Target {
        @Override
        public void write(long first, MemorySegment run) throws IOException {
            try {
                file.write(first << Page.SHIFT, run);
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
}
