package dev.oriel.store.transaction;

import dev.oriel.store.data.Pages;
import dev.oriel.store.delta.Deltas;
import dev.oriel.store.tree.TreeReader;

/// The entries of one committed state: those in its pages, and above them those that are not in pages yet.
///
/// @param reader reads `pages`
record SnapshotView(Pages pages, TreeReader reader, Deltas deltas) {}
