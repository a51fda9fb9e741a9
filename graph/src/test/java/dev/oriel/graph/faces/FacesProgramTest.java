package dev.oriel.graph.faces;

import dev.oriel.store.StoreOptions;
import dev.oriel.store.engine.Store;
import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import dev.oriel.testkit.Shrink;
import dev.oriel.testkit.SimDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Random programs over rows, maps and buckets, beside a model. They have transactions at each level and calls
/// outside of them, savepoints, constraints, foreign keys from rows to a map, sequences, expiry and conditional
/// writes. A failing program is reduced to the fewest failing steps. `-Dfaces.programs=` sets the number of
/// programs.
@Timeout(1_200)
final class FacesProgramTest {
    private static final int PROGRAMS = Integer.getInteger("faces.programs", 60);
    private static final int STEPS = 150;

    @Test
    void programsDoWhatTheModelDoes() {
        SplittableRandom seeds = Seed.of("FacesProgramTest", 63);
        for (int i = 0; i < PROGRAMS; i++) {
            Gen gen = new Gen(seeds.split());
            List<Step> steps = new ArrayList<>();
            for (int n = 0; n < STEPS; n++) {
                steps.add(Step.draw(gen));
            }
            boolean small = i % 4 == 3;
            Shrink.check(steps, some -> run(some, small));
        }
    }

    /// @param small whether transactions spill, and lock trees instead of keys
    private static void run(List<Step> steps, boolean small) throws Exception {
        StoreOptions options = StoreOptions.defaults().withWriteTimeoutMillis(60_000);
        Store store =
                small
                        ? Store.open(
                                new SimDirectory(),
                                options.withWriteSetBytesMax(8 << 10)
                                        .withKeyLocksMax(3)
                                        .withCheckpointBytes(64 << 10))
                        : Store.inMemory(options);
        try (World world = new World(store)) {
            for (Step step : steps) {
                step.run(world);
            }
            world.end(true);
        }
    }
}
