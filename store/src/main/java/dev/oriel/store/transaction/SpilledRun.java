package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.data.LoadedPages;
import dev.oriel.store.data.PageNumbers;
import dev.oriel.store.data.Pages;
import dev.oriel.store.file.ScratchFile;
import dev.oriel.store.file.TemporaryFiles;
import dev.oriel.store.tree.TreeFill;
import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// One spilled part of a write set, in the order of trees and keys, in an immutable file. It consists of B+trees
/// with full leaves, in the usual page format, read through a map.
///
/// @param level number of merges that its entries have gone through
/// @param entries number of entries of all its trees
record SpilledRun(WriteSetLayer layer, ScratchFile file, int level, long entries) {
    /// Builds a run from entries in the order of trees and keys.
    static final class Builder {
        private final ScratchFile file;
        private final LoadedPages loaded;
        private @Nullable TreeFill tree;
        private final WriteSetLayer layer = new WriteSetLayer(Pages.ofOneTransaction());
        private long treeRoot;
        private long entries;

        Builder(TemporaryFiles files, ScratchFile file) {
            this.file = file;
            this.loaded = new LoadedPages(files.writeGate(), file, new PageNumbers(1, 1));
        }

        /// Begins the entries of the tree `root`.
        void begin(long root) {
            finishTree();
            treeRoot = root;
            tree = new TreeFill(loaded);
        }

        private void finishTree() {
            TreeFill filled = tree;
            if (filled != null) {
                layer.add(treeRoot, filled.finish());
            }
            tree = null;
        }

        void add(Slice key, Slice value) {
            TreeFill filling = tree;
            if (filling == null || !filling.add(key, value)) {
                throw new IllegalStateException("entries of a run are not in order");
            }
            entries++;
        }

        SpilledRun finish(int level) {
            finishTree();
            loaded.finish();
            MemorySegment map = file.map();
            layer.pages.useMap(map);
            return new SpilledRun(layer, file, level, entries);
        }
    }
}
