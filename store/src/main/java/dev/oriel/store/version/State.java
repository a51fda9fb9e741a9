package dev.oriel.store.version;

import dev.oriel.store.delta.Deltas;
import java.lang.foreign.MemorySegment;

/// The committed state at one moment: immutable, swapped once per commit. A reader takes one and needs nothing
/// else to find every page as it was then.
///
/// @param txid number of the last commit
/// @param lsn end of its log record
/// @param pageCount pages ever used; all numbers below it are pages
/// @param freePages number of free pages among them
/// @param lowestFree lower bound of the free pages
/// @param versions lookup of the newest versions of pages
/// @param frames memory of these versions
/// @param deltas entries that are not in pages yet
@SuppressWarnings("ArrayRecordComponent") // shared on purpose, see PageTable
public record State(
        long txid,
        long lsn,
        long pageCount,
        long freePages,
        long lowestFree,
        PageTable.View versions,
        MemorySegment[] frames,
        Deltas deltas) {
    /// A state with all entries in pages.
    public State(
            long txid,
            long lsn,
            long pageCount,
            long freePages,
            long lowestFree,
            PageTable.View versions,
            MemorySegment[] frames) {
        this(txid, lsn, pageCount, freePages, lowestFree, versions, frames, Deltas.NONE);
    }

    /// The last commit whose entries are all in pages, as are those of all commits before it.
    public long absorbedTxid() {
        return deltas.isEmpty() ? txid : deltas.sinceTxid();
    }

    /// End of the log record of that commit: a recovery from the pages of this state has to read the log from here.
    public long absorbedLsn() {
        return deltas.isEmpty() ? lsn : deltas.sinceLsn();
    }

    /// This state with its numbers and pages, but without the memory of the deltas.
    public State withoutDeltas() {
        return deltas.isEmpty()
                ? this
                : new State(txid, lsn, pageCount, freePages, lowestFree, versions, frames);
    }
}
