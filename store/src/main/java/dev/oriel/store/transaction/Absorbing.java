package dev.oriel.store.transaction;

import dev.oriel.store.Slice;
import dev.oriel.store.delta.DeltaLayers;
import dev.oriel.store.tree.TreeEditor;

/// Brings entries of [DeltaLayers] into pages.
///
/// @param editor changes the pages of the open commit
public record Absorbing(TreeEditor editor) implements DeltaLayers.Target {
    @Override
    public void put(long root, Slice key, Slice value) {
        editor.put(root, key, value, true);
    }

    @Override
    public void delete(long root, Slice key) {
        editor.delete(root, key);
    }
}
