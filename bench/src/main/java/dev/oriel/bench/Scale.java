package dev.oriel.bench;

/// How much of a workload is run.
public enum Scale {
    /// What 2 cores do in a few minutes a workload.
    QUICK,
    /// All sizes and parameters: a night's run.
    FULL
}
