package dev.oriel.store.delta;

/// Result of a lookup among writes that lie above the pages.
public enum Found {
    /// No entry: what lies below counts.
    NOTHING,
    VALUE,
    DELETED
}
