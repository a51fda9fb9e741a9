package dev.oriel.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// How one transaction finds pages: each call of [#locate] points `segment` and `at` at the page as
/// the transaction sees it, in scratch memory or in the mapped data file. Never allocates, but for pages
/// that have to be read by positional reads.
///
/// Or those of [PrivatePages], which have no versions: there a page's number is that of its frame.
final class Pages {
    private final @Nullable DataFile file;
    private final @Nullable PageCache cache;
    private MemorySegment[] chunks;
    private long mappedPages;
    private PageTable.@Nullable View versions;
    private MemorySegment[] frames;
    private long snapshot;
    private boolean verifying;

    /// Of private pages: so many bits of a number count pages in one of `frames`.
    private int shift;

    /// Where the page located last lies.
    MemorySegment segment = MemorySegment.NULL;

    long at;

    /// How many times a page was asked for, since there is this object.
    long located;

    Pages(@Nullable DataFile file, State state) {
        this(file, state.versions(), state.frames(), state.txid());
    }

    private Pages(
            @Nullable DataFile file,
            PageTable.@Nullable View versions,
            MemorySegment[] frames,
            long snapshot) {
        this.file = file;
        this.cache = file == null ? null : file.cache();
        this.chunks = new MemorySegment[0];
        this.versions = versions;
        this.frames = frames;
        this.snapshot = snapshot;
    }

    /// Pages that are all private to one transaction; none yet.
    static Pages ofOneTransaction() {
        return new Pages(null, null, new MemorySegment[0], 0);
    }

    /// Sees `snapshot` through `versions` from now on. What was known of the map is forgotten: the file
    /// may have been cut since, and be mapped anew.
    void use(long snapshot, PageTable.View versions, MemorySegment[] frames) {
        this.snapshot = snapshot;
        this.versions = versions;
        this.frames = frames;
        this.mappedPages = 0;
        this.verifying = false;
    }

    /// Compares each page of the file with its checksum again, until another snapshot is used.
    void verifyEach() {
        verifying = true;
    }

    /// Of private pages: `frames` has one page each from now on.
    void usePrivate(MemorySegment[] frames) {
        this.frames = frames;
    }

    /// Of private pages: they lie one behind the other in `map` from now on.
    void useMap(MemorySegment map) {
        this.frames = new MemorySegment[] {map};
        this.shift = Integer.SIZE - 1;
    }

    /// Lets go of the page located last.
    void leave() {
        segment = MemorySegment.NULL;
    }

    /// Whether it lies in the mapped file.
    boolean locate(long page) {
        located++;
        PageTable.View seen = versions;
        if (seen == null) {
            segment = frames[(int) (page >>> shift)];
            at = (page & (1L << shift) - 1) << Page.SHIFT;
            return false;
        }
        int frame = seen.find(page, snapshot);
        if (frame != PageTable.NONE) {
            atFrame(frame);
            return false;
        }
        locateInFile(page);
        return true;
    }

    /// Whether the page located last is the very one that `other` has located, in the same version.
    boolean isAt(Pages other) {
        return segment.address() + at == other.segment.address() + other.at;
    }

    /// Copies the page, out of the file by a positional read: neither looked at nor verified. Whether it
    /// was in the file.
    boolean read(long page, MemorySegment into) throws IOException {
        PageTable.View seen = Objects.requireNonNull(versions, "pages of one transaction");
        int frame = seen.find(page, snapshot);
        if (frame != PageTable.NONE) {
            MemorySegment chunk = FramePool.chunk(frames, frame);
            MemorySegment.copy(chunk, FramePool.offset(frame), into, 0, Page.BYTES);
            return false;
        }
        if (file == null) {
            refresh(page); // says that there is no such page
        } else {
            file.read(page, into);
        }
        return true;
    }

    void atFrame(int frame) {
        stand(FramePool.chunk(frames, frame));
        at = FramePool.offset(frame);
    }

    private void locateInFile(long page) {
        if (Long.compareUnsigned(page, mappedPages) >= 0) {
            refresh(page);
        }
        if (cache != null && file != null) {
            segment = file.copyOf(cache, page);
            at = 0;
            return;
        }
        verify(page);
        stand(chunks[(int) (page >>> DataFile.CHUNK_SHIFT)]);
        at = (page & (DataFile.CHUNK_PAGES - 1)) << Page.SHIFT;
    }

    /// To store a reference costs the collector's barrier, and mostly it is there already.
    @SuppressWarnings({"ReferenceEquality", "MemorySegmentReferenceEquality"})
    private void stand(MemorySegment in) {
        if (segment != in) {
            segment = in;
        }
    }

    private void verify(long page) {
        if (file != null) {
            if (verifying) {
                file.verifyAgain(page);
            } else {
                file.verifyOnce(page);
            }
        }
    }

    /// The file has grown since this transaction looked, or the page number is damage.
    private void refresh(long page) {
        DataFile data = file;
        if (data != null) {
            DataFile.Mapping mapping = data.mapping();
            chunks = mapping.chunks();
            mappedPages = mapping.pages();
        }
        if (page < 0 || page >= mappedPages) {
            throw new CorruptionException(
                    "A page is referred to that the data file does not have", "page=" + page);
        }
    }
}
