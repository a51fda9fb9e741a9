package dev.oriel.store;

/// Figures of a store's contents and resources at one moment.
///
/// @param txid number of the last commit
/// @param pages pages ever used, each of the page size of the database
/// @param freePages number of free pages among them
/// @param scratchPages pages whose newest version is not yet in the data file
/// @param versions versions of pages in memory
/// @param scratchBytes native memory for such versions
/// @param dataBytes length of the data file
/// @param shadowBytes length of the shadow file, as far as it was used since the store was opened
/// @param shadowPages valid pages of the shadow file
/// @param logBytes length of all log files
/// @param logBytesWritten bytes appended to the log since the store was opened
/// @param syncs syncs of the log since the store was opened
/// @param logBytesBehind bytes of the log since the last checkpoint: the amount that a recovery at this moment
///     would read
/// @param checkpoints number of checkpoints that released log since the store was opened
/// @param openReaders open read-only transactions
/// @param snapshotAge number of commits since the oldest snapshot in use
/// @param gatheredEntries entries of commits that are in memory and in the log, and not in pages yet
/// @param gatheredBytes their bytes, superseded ones included
public record StoreStats(
        long txid,
        long pages,
        long freePages,
        long scratchPages,
        long versions,
        long scratchBytes,
        long dataBytes,
        long shadowBytes,
        long shadowPages,
        long logBytes,
        long logBytesWritten,
        long syncs,
        long logBytesBehind,
        long checkpoints,
        int openReaders,
        long snapshotAge,
        long gatheredEntries,
        long gatheredBytes) {
    /// Bytes of all files.
    public long fileBytes() {
        return dataBytes + shadowBytes + logBytes;
    }
}
