package dev.oriel.bench;

/// Amount of work of a workload.
public enum Scale {
    /// A few minutes of 2 cores for each workload.
    QUICK,
    /// All sizes and parameters: a run of a night.
    FULL
}
