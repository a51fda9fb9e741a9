package dev.oriel.store;

import java.lang.foreign.MemorySegment;
import org.jspecify.annotations.Nullable;

/// What a transaction has written up to some moment, in the order of trees and keys, in a file that never
/// changes: B+trees whose leaves are full, of the same pages as all others, read through a map.
///
/// @param level how often what it holds has been merged
/// @param entries of all its trees
record SpilledRun(WriteSetLayer layer, TemporaryFile file, int level, long entries) {
    /// Builds one, from entries that come in the order of trees and keys.
    static final class Builder {
        private final TemporaryFile file;
        private final LoadedPages loaded;
        private @Nullable TreeFill tree;
        private final WriteSetLayer layer = new WriteSetLayer(Pages.ofOneTransaction());
        private long treeRoot;
        private long entries;

        Builder(TemporaryFiles files, TemporaryFile file) {
            this.file = file;
            this.loaded = new LoadedPages(files.writeGate(), file, new PageNumbers(1, 1));
        }

        /// What follows was written to the tree `root`.
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
