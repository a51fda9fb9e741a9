package dev.oriel.store.version;

import dev.oriel.store.LimitException;
import dev.oriel.store.StoreOptions;
import dev.oriel.store.file.EventLog;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.page.Page;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Bounds the memory of an opening: versions of pages that no reader sees yet go to temporary files when there are
/// many ([FramePool#evict]). If the disk has no room for such files they stay in memory: a full disk must not
/// prevent an opening.
public final class Eviction {
    private static final int PAGES_MIN = 16;

    /// Memory limit as a multiple of one transaction's write set.
    private static final int WRITE_SETS = 8;

    /// Null if the store is read-only: all stays in memory.
    private final @Nullable TemporaryFiles files;

    private final PageTable table;
    private final FramePool framePool;
    private final long[] pages;
    private int count;

    /// Whether the disk has refused the pages once: nothing frees room on it while a database opens.
    private boolean refused;

    public Eviction(
            @Nullable TemporaryFiles files,
            PageTable table,
            FramePool framePool,
            StoreOptions options) {
        this.files = files;
        this.table = table;
        this.framePool = framePool;
        long bytes = Math.min(options.dirtyBytesMax() / 2, WRITE_SETS * options.writeSetBytesMax());
        this.pages = new long[Math.clamp(bytes >>> Page.SHIFT, PAGES_MIN, 1 << 20)];
    }

    /// Notes that the newest version of `page` has a frame in memory; other pages may lose theirs.
    public void add(long page) {
        if (files == null || refused) {
            return;
        }
        if (count == pages.length) {
            evictAll(files);
            count = 0;
        }
        pages[count++] = page;
    }

    private void evictAll(TemporaryFiles into) {
        Arrays.sort(pages);
        try {
            framePool.evict(into, table, pages, count);
        } catch (LimitException e) {
            refused = true;
            EventLog.say(
                    System.Logger.Level.WARNING,
                    "The disk has no room for what opening puts aside; it stays in memory",
                    e);
        }
    }

    /// The frame of the newest version of `page`, in memory.
    public int inMemory(long page) {
        int frame = table.frame(table.head(page));
        if (!framePool.isEvicted(frame)) {
            return frame;
        }
        add(page);
        int memory = framePool.allocate();
        FramePool.copy(framePool.chunks(), frame, memory);
        framePool.free(table.replaceFrame(page, memory));
        return memory;
    }
}
