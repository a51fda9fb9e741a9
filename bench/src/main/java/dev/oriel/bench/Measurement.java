package dev.oriel.bench;

/// One figure of one run.
///
/// @param caseName the measured case, one of the scenario's
/// @param metric `time`, `rate`, `p50`, `p99`, `p99.9`, `memory`, `file`, `allocated`, or the like
/// @param unit such as `ns/op`, `ops/s`, `bytes/op`; units that end with `/s` are better when higher
/// @param value the figure
/// @param cpuPerOp nanoseconds of all threads per operation, NaN if it means nothing
/// @param bytesPerOp bytes allocated on the heap per operation, NaN if it means nothing
/// @param checksum of the values read; equal for all subjects of the case, 0 if nothing is read
public record Measurement(
        String caseName,
        String metric,
        String unit,
        double value,
        double cpuPerOp,
        double bytesPerOp,
        Durability durability,
        long checksum) {}
