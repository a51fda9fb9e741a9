package dev.oriel.graph.load;

import java.nio.file.Path;

/// Is told how far a load is. Called by the thread that loads, now and then; what it throws ends the load,
/// of which nothing that is not committed stays. While rows that were read are put into the tables it is told
/// the same again and again.
@FunctionalInterface
public interface LoadProgress {
    /// For whoever does not want to know.
    LoadProgress NONE = (file, rows, bytes, bytesTotal) -> {};

    /// `rows` rows of `file` have been read, `bytes` bytes of all files, which have `bytesTotal`.
    void at(Path file, long rows, long bytes, long bytesTotal);
}
