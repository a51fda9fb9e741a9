package dev.oriel.store.data;

import dev.oriel.store.CorruptionException;
import dev.oriel.store.page.Page;
import dev.oriel.store.version.FramePool;
import dev.oriel.store.version.PageTable;
import dev.oriel.store.version.State;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The page lookup of one transaction. Each call of [#locate] points `segment` and `at` at the transaction's
/// version of a page, in scratch memory or in the mapped data file. Never allocates, except for pages read by
/// positional reads.
///
/// Also serves [PrivatePages], which have no versions: a page's number is that of its frame there.
public final class Pages {
    private final @Nullable DataFile file;
    private final @Nullable PageCache cache;
    private MemorySegment[] chunks;
    private long mappedPages;
    private PageTable.@Nullable View versions;
    private MemorySegment[] frames;
    private long snapshot;
    private boolean verifying;

    /// Private pages: number of low bits of a page number that count pages inside one of `frames`.
    private int shift;

    /// Memory of the page located last.
    public MemorySegment segment = MemorySegment.NULL;

    public long at;

    /// Number of lookups so far.
    public long located;

    public Pages(@Nullable DataFile file, State state) {
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

    /// Creates a lookup of one transaction's private pages; none yet.
    public static Pages ofOneTransaction() {
        return new Pages(null, null, new MemorySegment[0], 0);
    }

    /// Switches to `snapshot` through `versions`. Forgets the map: the file may have been cut since, and mapped
    /// again.
    public void use(long snapshot, PageTable.View versions, MemorySegment[] frames) {
        this.snapshot = snapshot;
        this.versions = versions;
        this.frames = frames;
        this.mappedPages = 0;
        this.verifying = false;
    }

    /// Verifies the checksum of each page of the file again, until another snapshot is used.
    public void verifyEach() {
        verifying = true;
    }

    /// Private pages: uses `frames`, with one page each, from now on.
    void usePrivate(MemorySegment[] frames) {
        this.frames = frames;
    }

    /// Private pages: uses `map`, with contiguous pages, from now on.
    public void useMap(MemorySegment map) {
        this.frames = new MemorySegment[] {map};
        this.shift = Integer.SIZE - 1;
    }

    /// Releases the page located last.
    void leave() {
        segment = MemorySegment.NULL;
    }

    /// Locates the page; returns whether it lies in the mapped file.
    public boolean locate(long page) {
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

    /// Whether the page located last is the page and version that `other` has located.
    public boolean isAt(Pages other) {
        return segment.address() + at == other.segment.address() + other.at;
    }

    /// Copies the page unverified, by a positional read if it is in the file. Returns whether it was in the file.
    public boolean read(long page, MemorySegment into) throws IOException {
        PageTable.View seen = Objects.requireNonNull(versions, "pages of one transaction");
        int frame = seen.find(page, snapshot);
        if (frame != PageTable.NONE) {
            MemorySegment chunk = FramePool.chunk(frames, frame);
            MemorySegment.copy(chunk, FramePool.offset(frame), into, 0, Page.BYTES);
            return false;
        }
        if (file == null) {
            refresh(page); // throws: there is no such page
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

    /// Sets the segment. A reference store costs a GC barrier, and mostly the segment is unchanged.
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

    /// Refreshes the map: the file has grown since the last look, or the page number is damaged.
    private void refresh(long page) {
        DataFile data = file;
        if (data != null) {
            DataFile.Mapping mapping = data.mapping();
            chunks = mapping.chunks();
            mappedPages = mapping.pages();
        }
        if (page < 0 || page >= mappedPages) {
            throw new CorruptionException(
                    "A reference names a page beyond the data file; run check", "page=" + page);
        }
    }
}
