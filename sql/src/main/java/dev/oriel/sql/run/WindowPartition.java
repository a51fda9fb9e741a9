package dev.oriel.sql.run;

import dev.oriel.table.value.Row;

/// The sorted rows of one window partition. A returned row is good until a few others have been read.
interface WindowPartition {
    int count();

    Row row(int i);

    /// The sort keys of row `i`.
    Row keys(int i);

    /// Number of peer groups.
    int groups();

    /// Number of the peer group of row `i`.
    int group(int i);

    /// First row of a peer group; the number of rows for the group after the last.
    int first(int group);

    /// First peer of row `i`.
    default int firstPeer(int i) {
        return first(group(i));
    }

    /// The row after the last peer of row `i`.
    default int endOfPeers(int i) {
        return first(group(i) + 1);
    }
}
