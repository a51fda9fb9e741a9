package dev.oriel.sql.run;

import dev.oriel.table.Row;

/// The rows of one partition of a window in their order. A row that is asked for is good until a few others
/// have been asked for.
interface WindowPartition {
    int count();

    Row row(int i);

    /// What row `i` is sorted by.
    Row keys(int i);

    /// How many groups of equal rows there are.
    int groups();

    /// Number of the group of equal rows that row `i` belongs to.
    int group(int i);

    /// First row of a group; the number of rows for the one after the last.
    int first(int group);

    /// First row equal to row `i`.
    default int firstPeer(int i) {
        return first(group(i));
    }

    /// The row after the last one equal to row `i`.
    default int endOfPeers(int i) {
        return first(group(i) + 1);
    }
}
