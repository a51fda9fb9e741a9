package dev.oriel.store.transaction;

/// Content of a commit.
enum CommitContent {
    /// Changed pages.
    PAGES,

    /// Entries above the pages.
    ENTRIES,

    /// An entry that could not go into pages, and stays above them.
    KEPT,

    /// Pages with entries that were above them before.
    ABSORBED,

    /// The same, with the last entries of the older layer.
    ALL_ABSORBED
}
