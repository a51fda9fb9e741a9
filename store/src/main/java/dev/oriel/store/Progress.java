package dev.oriel.store;

/// Is told how far long work is. Called by the thread that does the work, so it should be quick; what
/// it throws ends the work.
@FunctionalInterface
public interface Progress {
    /// For whoever does not want to know.
    Progress NONE = (done, total) -> {};

    /// `done` of `total` pages are done. Where others write meanwhile, `total` is a guess.
    void at(long done, long total);
}
