package dev.oriel.graph.attack;

import static org.junit.jupiter.api.Assertions.fail;

import dev.oriel.testkit.Seed;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Random public calls on random objects from random threads, with injected faults and a model.
///
/// `-Dattack.seconds=` sets the total time, `-Dattack.millis=` the time of an episode, and `-Dattack.episode=`
/// replays the episode with that seed. An episode of one thread replays exactly, except for effects of time. One
/// of several threads replays each thread's program, but not their interleaving.
class AttackTest {
    private static final long SECONDS = Long.getLong("attack.seconds", 15);
    private static final long EPISODE_MILLIS = Long.getLong("attack.millis", 2_000);
    private static final @Nullable Long ONE = Long.getLong("attack.episode");
    private static final boolean TOLD = Boolean.getBoolean("attack.told");

    @Test
    void randomCallsFromRandomThreadsDamageNothing(@TempDir Path folder) throws Exception {
        SplittableRandom random = Seed.of("AttackTest", 92);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        int episodes = 0;
        do {
            long seed = ONE == null ? random.nextLong() : ONE;
            Path own = folder.resolve("episode-" + episodes);
            Episode episode = new Episode(seed, own);
            String found = episode.run(EPISODE_MILLIS);
            if (found != null) {
                fail(found);
            }
            if (TOLD) {
                System.out.println(episode);
            }
            OperatorCalls.delete(own);
            episodes++;
        } while (System.nanoTime() < end);
        System.out.println("AttackTest: " + episodes + " episodes");
    }
}
