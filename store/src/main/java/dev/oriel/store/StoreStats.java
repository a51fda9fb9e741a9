package dev.oriel.store;

/// What a store holds and uses at one moment.
///
/// @param txid number of the last commit
/// @param pages pages ever used, each of the size that the database was made with
/// @param freePages how many of them are free
/// @param scratchPages pages whose newest version is not yet in the data file
/// @param versions versions of pages in memory
/// @param scratchBytes native memory for such versions
/// @param dataBytes length of the data file
/// @param shadowBytes length of the shadow file, as far as it was used since the store was opened
/// @param shadowPages pages of the shadow file that count
/// @param logBytes length of all log files
/// @param logBytesWritten bytes appended to the log since the store was opened
/// @param syncs syncs of the log since the store was opened
/// @param logBytesBehind bytes of the log that the last checkpoint does not cover: what a recovery at
///     this moment would read
/// @param checkpoints how often log was released since the store was opened
/// @param openReaders read-only transactions that are open
/// @param snapshotAge how many commits came after the oldest snapshot that is being read
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
        long snapshotAge) {
    /// Bytes of all files.
    public long fileBytes() {
        return dataBytes + shadowBytes + logBytes;
    }
}
