package dev.oriel.bench.graph;

import dev.oriel.bench.Durability;
import dev.oriel.bench.Run;
import java.io.IOException;

/// One scenario of the workload `hugegraph`, for one subject in one JVM. This class and the classes it uses are
/// also compiled for the older JDK that one of the peers needs.
final class HugegraphWork {
    static final String SCALE_FREE = "scale-free";
    static final String AIR_ROUTES = "air-routes";
    static final String BULK = "bulk";

    private HugegraphWork() {}

    /// The scenario that inserts under a class of durability.
    static String scenario(Durability durability) {
        return switch (durability) {
            case MEMORY -> "memory";
            case ASYNC -> "async";
            case WRITTEN -> "written";
            case SYNC -> "synced";
        };
    }

    /// Runs it.
    ///
    /// @param usual the class of durability of scenarios that only read
    static void run(
            String scenario, GraphOpening opening, Durability usual, HugegraphSizes sizes, Run run)
            throws IOException {
        switch (scenario) {
            case SCALE_FREE -> new GraphReads(run, opening, sizes, usual, false).run();
            case BULK -> new GraphBulk(run, opening, sizes, usual).run();
            case AIR_ROUTES -> new GraphReads(run, opening, sizes, usual, true).run();
            default -> {
                for (Durability durability : Durability.values()) {
                    if (scenario.equals(scenario(durability))) {
                        new GraphLoads(run, opening, sizes, durability).run();
                        new LinkBench(run, opening, sizes, durability).run();
                    }
                }
            }
        }
    }
}
