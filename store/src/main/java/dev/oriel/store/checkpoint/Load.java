package dev.oriel.store.checkpoint;

import dev.oriel.store.Entries;
import dev.oriel.store.data.DataFile;
import dev.oriel.store.data.LoadedPages;
import dev.oriel.store.data.PageNumbers;
import dev.oriel.store.data.PageWriter;
import dev.oriel.store.data.Pages;
import dev.oriel.store.data.StoreFiles;
import dev.oriel.store.file.PageRun;
import dev.oriel.store.file.StoreThreads;
import dev.oriel.store.file.WriteGate;
import dev.oriel.store.page.Page;
import dev.oriel.store.tree.TreeEditor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/// Fills a tree with entries in key order, in place of its old ones, inside an exclusive transaction. The pages
/// are built one after the other (`TreeFill`), written straight to unused places of the data file, and synced.
/// Only the references to them go through the log: the root, which keeps its number, and the free map.
///
/// ```
/// | 2 | 3 | ... | pages that count | - | L | L | B | L | L | ...      L, B: leaves and branches, loaded
///       the record of the commit: the root refers to them, they are in use, there are so many pages
/// ```
/// So a crash finds all of them or none. Without the record nothing refers to them and no page count covers them.
/// With it they are on the disk, because they were synced before it was written. No older record changes them,
/// because their numbers are new. From here on they are overwritten by way of the shadow alone, like pages that a
/// header counts ([Checkpoint#count]).
public final class Load {
    /// Page numbers that each of several fillers claims at a time.
    private static final int CLAIMED_PAGES = 64;

    private final WriteGate writeGate;
    private final PageWriter writer;
    private final DataFile data;
    private final StoreThreads threads;
    private final Checkpoint checkpoint;
    private final TreeEditor editor;

    /// @param editor changes the trees of the store
    public Load(
            WriteGate writeGate,
            PageWriter writer,
            StoreFiles files,
            Checkpoint checkpoint,
            TreeEditor editor) {
        this.editor = editor;
        this.writeGate = writeGate;
        this.writer = writer;
        this.data = files.data();
        this.threads = files.threads();
        this.checkpoint = checkpoint;
    }

    /// A tree to be filled, and its entries, which a single thread reads.
    public record Filling(long root, Entries entries) {}

    /// Fills trees, several of them in two threads. Returns the number of entries.
    ///
    /// @param watch is run periodically by this thread; an exception from it ends the load
    /// @throws IOException if the file cannot be mapped or synced
    public long run(List<Filling> fillings, Runnable watch) throws IOException {
        long first = writer.firstUnused(checkpoint.countedPages());
        boolean several = fillings.size() > 1;
        PageNumbers numbers = new PageNumbers(first, several ? CLAIMED_PAGES : 1);
        PageRun.Target target = data.loadingFrom(first);
        List<FillTask> tasks = new ArrayList<>();
        for (Filling filling : fillings) {
            LoadedPages pages = new LoadedPages(writeGate, target, numbers);
            tasks.add(new FillTask(filling, pages));
        }
        if (several) {
            FillTask.runBesides(threads, tasks, watch);
        } else {
            tasks.forEach(task -> task.run(watch));
        }
        data.sync();
        data.mapAll();
        writer.adopt(first, numbers.end());
        numbers.unused().forEach(writer::free);
        checkpoint.count(writer.pageCount());
        long count = 0;
        for (FillTask task : tasks) {
            takeOver(task);
            count += task.count();
        }
        return count;
    }

    /// Copies the content of the loaded root to the tree's root.
    private void takeOver(FillTask task) {
        long root = task.root();
        editor.clear(root);
        writer.touch(root);
        MemorySegment.copy(
                task.content(),
                task.contentAt(),
                writer.pages.segment,
                writer.pages.at,
                Page.BYTES);
        writer.pages.segment.set(Page.LONG, writer.pages.at + Page.NUMBER, root);
        writer.free(task.top());
    }

    /// Whether a tree has no entries.
    public static boolean isEmpty(Pages pages, long root) {
        pages.locate(root);
        return Page.kind(pages.segment, pages.at) == Page.LEAF
                && Page.count(pages.segment, pages.at) == 0;
    }
}
