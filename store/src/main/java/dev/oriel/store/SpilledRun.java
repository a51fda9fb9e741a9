package dev.oriel.store;

import java.lang.foreign.MemorySegment;

/// What a transaction has written up to some moment, in the order of trees and keys, in a file that never
/// changes: B+trees whose leaves are full, of the same pages as all others, read through a map.
///
/// @param level how often what it holds has been merged
/// @param entries of all its trees
record SpilledRun(OverlayLayer layer, TemporaryFile file, int level, long entries) {
    /// Builds one, from entries that come in the order of trees and keys.
    static final class Builder {
        private final TemporaryFile file;
        private final LoadedPages loaded;
        private final TreeEditor editor;
        private final OverlayLayer layer = new OverlayLayer(Pages.ofOneTransaction());
        private long top;
        private long entries;

        Builder(TemporaryFiles files, TemporaryFile file) {
            this.file = file;
            this.loaded = new LoadedPages(files.health(), file, 1);
            this.editor = new TreeEditor(loaded);
        }

        /// What follows was written to the tree `root`.
        void begin(long root) {
            top = editor.create();
            layer.add(root, top);
        }

        void add(Slice key, Slice value) {
            editor.set(top, editor.find(top, key), key, value);
            loaded.writeFilled();
            entries++;
        }

        SpilledRun finish(int level) {
            loaded.finish();
            MemorySegment map = file.map();
            layer.pages.useMap(map);
            return new SpilledRun(layer, file, level, entries);
        }
    }
}
