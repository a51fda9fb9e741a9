package dev.oriel.store;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/// Fills a tree with entries in the order of their keys, in place of what it had, inside an exclusive transaction. The pages
/// are built one behind the other and written straight to places of the data file that nobody counts on
/// ([LoadedPages]), and synced. Only what leads to them goes through the log: the root, which keeps its
/// number, and the free map.
///
/// ```
/// | 2 | 3 | ... | pages that count | - | L | L | B | L | L | ...      L, B: leaves and branches, loaded
///       the record of the commit: the root refers to them, they are in use, there are so many pages
/// ```
/// So a crash finds all of them or none: without the record nothing refers to them and no page count
/// covers them; with it they are on the disk, because they were synced before it was written. Nothing
/// that a recovery reads changes them, because their numbers are new to it. From here on they are
/// written over by way of the shadow alone, as pages that a header counts ([Checkpoint#count]).
final class Load {
    private final Health health;
    private final PageWriter writer;
    private final DataFile data;
    private final Checkpoint checkpoint;
    private final TreeEditor editor;
    private final Slice last = new Slice();

    /// @param editor changes the trees of the store
    Load(
            Health health,
            PageWriter writer,
            DataFile data,
            Checkpoint checkpoint,
            TreeEditor editor) {
        this.editor = editor;
        this.health = health;
        this.writer = writer;
        this.data = data;
        this.checkpoint = checkpoint;
    }

    /// Returns how many entries there were.
    ///
    /// @throws IOException if the file cannot be mapped or synced
    long run(long root, Entries entries) throws IOException {
        long first = writer.firstUnused(checkpoint.countedPages());
        LoadedPages loaded = new LoadedPages(health, data.loadingFrom(first), first);
        TreeEditor filler = new TreeEditor(loaded);
        long top = filler.create();
        long count = fill(loaded, filler, top, entries);
        loaded.pages.locate(top);
        MemorySegment content = loaded.pages.segment;
        loaded.finish();
        data.sync();
        data.mapAll();
        writer.adopt(top, loaded.end());
        checkpoint.count(writer.pageCount());
        takeOver(root, content, top);
        return count;
    }

    private long fill(LoadedPages loaded, TreeEditor filler, long top, Entries entries) {
        Slice key = new Slice();
        Slice value = new Slice();
        long count = 0;
        while (entries.next(key, value)) {
            TreeEditor.checkLengths(key, value);
            if (count > 0 && Slice.compare(last, key) >= 0) {
                throw new UsageException(
                        "The keys of a load must ascend, each only once; sort them, or put the entries",
                        "entry=" + count);
            }
            last.setCopy(key);
            filler.set(top, filler.find(top, key), key, value);
            loaded.writeFilled();
            count++;
        }
        return count;
    }

    /// The content of the loaded root becomes that of the tree's.
    private void takeOver(long root, MemorySegment content, long top) {
        editor.clear(root);
        writer.touch(root);
        MemorySegment.copy(content, 0, writer.pages.segment, writer.pages.at, Page.BYTES);
        writer.pages.segment.set(Page.LONG, writer.pages.at + Page.NUMBER, root);
        writer.free(top);
    }

    /// Whether a tree has no entries.
    static boolean isEmpty(Pages pages, long root) {
        pages.locate(root);
        return Page.kind(pages.segment, pages.at) == Page.LEAF
                && Page.count(pages.segment, pages.at) == 0;
    }
}
