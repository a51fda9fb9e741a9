package dev.oriel.bench;

import java.time.Duration;
import java.util.List;

/// Work that one fresh JVM does for one subject. The subjects of a scenario are interleaved.
///
/// @param name unique in its workload; it includes the parameters, such as `in-order/300000x150`
/// @param cases its cases, each name `workload/...`; subjects of one case are comparable
/// @param subjects the names of the subjects that can run it, ours first
/// @param expected estimated time of one JVM, on average over the subjects; its claim on the time budget
/// @param roundsMax number of rounds after which it is not repeated, however wide the intervals are
/// @param jvmArgs options of its JVMs, such as `-Xmx2g`
/// @param memoryBytesMax the memory the process may use, its share of the page cache included; 0
///     for no limit
public record Scenario(
        String name,
        List<String> cases,
        List<String> subjects,
        Duration expected,
        int roundsMax,
        List<String> jvmArgs,
        long memoryBytesMax) {
    /// The most that one JVM may take, if there is time: a much slower subject is stopped.
    public Duration most() {
        return expected.multipliedBy(4).plusSeconds(30);
    }
}
