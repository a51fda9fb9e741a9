package dev.oriel.table.maintenance;

import dev.oriel.store.Progress;

/// Progress of a check of all tables. Pages come first; the rows and index entries after them count as many again,
/// in proportion to their estimated number.
public final class CheckProgress {
    /// Rows between two reports.
    private static final long STEP = 64;

    private final Progress progress;
    private final long rowsExpected;
    private long pages;
    private long rows;

    /// @param rowsExpected about how many rows and entries will be visited
    public CheckProgress(Progress progress, long rowsExpected) {
        this.progress = progress;
        this.rowsExpected = Math.max(1, rowsExpected);
    }

    /// The store has read `done` of `total` pages.
    public void page(long done, long total) {
        pages = total;
        progress.at(done, 2 * total);
    }

    /// Another row or entry is about to be checked.
    void row() {
        rows++;
        if (rows % STEP == 0) {
            double part = Math.min(1, (double) rows / rowsExpected);
            progress.at(pages + Math.round(part * pages), 2 * pages);
        }
    }
}
