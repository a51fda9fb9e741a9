package dev.oriel.bench;

/// One figure of one run.
///
/// @param caseName what was measured, one of the scenario's cases
/// @param metric `time`, `rate`, `p50`, `p99`, `p99.9`, `memory`, `file`, `allocated`, or the like
/// @param unit such as `ns/op`, `ops/s`, `bytes/op`; what ends with `/s` is better when higher
/// @param value the figure
/// @param cpuPerOp nanoseconds of all threads an operation, NaN where it means nothing
/// @param bytesPerOp bytes allocated on the heap an operation, NaN where it means nothing
/// @param checksum of what was read; equal for all subjects of the case, 0 where nothing is read
public record Measurement(
        String caseName,
        String metric,
        String unit,
        double value,
        double cpuPerOp,
        double bytesPerOp,
        Durability durability,
        long checksum) {}
