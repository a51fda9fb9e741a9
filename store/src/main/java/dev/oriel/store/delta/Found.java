package dev.oriel.store.delta;

/// Result of a lookup among writes that lie above the pages.
public enum Found {
    /// No entry: the layer below counts.
    NOTHING,
    VALUE,
    DELETED
}
