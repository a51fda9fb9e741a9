package dev.oriel.bench;

import java.time.Duration;
import java.util.List;

/// Work that one fresh JVM does for one subject. The subjects of a scenario are interleaved.
///
/// @param name unique in its workload; its parameters stand in it, such as `in-order/300000x150`
/// @param cases what it measures, each name `workload/...`; subjects of one case are comparable
/// @param subjects the names of those that can run it, ours first
/// @param expected how long one JVM takes on average over the subjects, about; it claims so much
/// @param roundsMax after how many rounds it is not repeated, however wide the intervals are
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
    /// The most that one JVM may take, where there is time: who is so much slower is stopped.
    public Duration most() {
        return expected.multipliedBy(4).plusSeconds(30);
    }
}
