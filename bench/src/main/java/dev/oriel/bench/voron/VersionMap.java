package dev.oriel.bench.voron;

/// The positions of the versions of pages: the article's page table.
///
/// One thread at a time sets and removes; any number look up meanwhile, without a lock. A lookup names a snapshot
/// that is not before the last `removeBefore`, and whose commit happened before the lookup.
public interface VersionMap {
    /// No version: the page is read from the data file.
    long MISSING = -1;

    /// Adds the versions of commit `txid`, the next one: of each of `pages` at the position beside it. Positions
    /// fit into 31 bits.
    void setItems(long txid, long[] pages, long[] positions);

    /// The data file holds the state of commit `txid`: all versions up to and including it can go, and no snapshot
    /// before it will be read.
    void removeBefore(long txid);

    /// Position of the newest version of `page` up to `snapshot`; MISSING if it was removed or never existed. A removed
    /// version may still be returned while it is the right one.
    long get(long page, long snapshot);

    /// A view for the lookups of a transaction that begins now: all of them are for `snapshot`. If a design has a
    /// state to take, it takes it here, once, as its readers do.
    default Snapshot snapshot(long snapshot) {
        return page -> get(page, snapshot);
    }

    /// A snapshot, for one thread.
    @FunctionalInterface
    interface Snapshot {
        /// Like [VersionMap#get].
        long get(long page);
    }

    /// Number of pages with an entry, dead ones included.
    long keys();
}
