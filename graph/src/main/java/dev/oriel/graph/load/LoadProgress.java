package dev.oriel.graph.load;

import java.nio.file.Path;

/// Receives the progress of a load. The loading thread calls it periodically. An exception ends the load and
/// discards uncommitted rows. While rows are written to the tables, the same position is reported repeatedly.
@FunctionalInterface
public interface LoadProgress {
    /// Ignores the progress.
    LoadProgress NONE = (file, rows, bytes, bytesTotal) -> {};

    /// `rows` rows of `file` have been read, and `bytes` bytes of all files, which have `bytesTotal`.
    void at(Path file, long rows, long bytes, long bytesTotal);
}
