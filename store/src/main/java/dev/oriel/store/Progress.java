package dev.oriel.store;

/// Receives the progress of long work. The working thread calls it, so it should be quick; an exception from it
/// ends the work.
@FunctionalInterface
public interface Progress {
    /// Ignores the progress.
    Progress NONE = (done, total) -> {};

    /// Reports that `done` of `total` pages are done. While other transactions write, `total` is a guess.
    void at(long done, long total);
}
