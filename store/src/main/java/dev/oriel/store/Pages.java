package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// How one transaction finds pages: each call of [#locate] points `segment` and `at` at the page as
/// the transaction sees it, in scratch memory or in the mapped data file. Never allocates.
final class Pages {
    private final @Nullable DataFile file;
    private MemorySegment[] chunks;
    private long mappedPages;
    private PageTable.View versions;
    private MemorySegment[] frames;
    private long snapshot;

    /// Where the page located last lies.
    MemorySegment segment = MemorySegment.NULL;

    long at;

    Pages(@Nullable DataFile file, State state) {
        this.file = file;
        this.chunks = new MemorySegment[0];
        this.versions = state.versions();
        this.frames = state.frames();
        this.snapshot = state.txid();
    }

    /// Sees `snapshot` through `versions` from now on.
    void use(long snapshot, PageTable.View versions, MemorySegment[] frames) {
        this.snapshot = snapshot;
        this.versions = versions;
        this.frames = frames;
    }

    void locate(long page) {
        int frame = versions.find(page, snapshot);
        if (frame != PageTable.NONE) {
            atFrame(frame);
        } else {
            locateInFile(page);
        }
    }

    void atFrame(int frame) {
        segment = Scratch.chunk(frames, frame);
        at = Scratch.offset(frame);
    }

    private void locateInFile(long page) {
        if (page >= mappedPages) {
            refresh(page);
        }
        verify(page);
        segment = chunks[(int) (page >>> DataFile.CHUNK_SHIFT)];
        at = (page & (DataFile.CHUNK_PAGES - 1)) << Page.SHIFT;
    }

    private void verify(long page) {
        if (file != null) {
            file.verifyOnce(page);
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
