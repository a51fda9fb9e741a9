package dev.oriel.store.transaction;

import dev.oriel.store.StoreOptions;
import dev.oriel.store.page.Page;

/// Sizes of the parts of a commit that is too large for memory, by the options of its store.
final class CommitParts {
    /// Number of a commit's pages in memory before they go to the log; fewer if memory is scarce.
    private static final int PART_PAGES_MAX = 1024;

    private static final int PART_PAGES_MIN = 2;

    /// Divisor of the dirty limit for the largest part of a commit.
    private static final int DIRTY_PARTS = 8;

    private CommitParts() {}

    /// Number of changed pages that ends a part of a large commit.
    static int pages(StoreOptions options) {
        long bytes = Math.min(options.dirtyBytesMax() / DIRTY_PARTS, options.writeSetBytesMax());
        return Math.clamp(bytes >>> Page.SHIFT, PART_PAGES_MIN, PART_PAGES_MAX);
    }

    /// Number of dirty pages at which a checkpoint begins.
    static int heldPages(StoreOptions options) {
        long pages = (options.dirtyBytesMax() / 2) >>> Page.SHIFT;
        return Math.clamp(pages, PART_PAGES_MIN, Integer.MAX_VALUE);
    }
}
