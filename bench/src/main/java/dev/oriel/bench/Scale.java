package dev.oriel.bench;

/// How much of a workload is run.
public enum Scale {
    /// A few minutes of 2 cores for each workload.
    QUICK,
    /// All sizes and parameters: a night's run.
    FULL
}
