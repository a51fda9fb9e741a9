package dev.oriel.server;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.JazzerRun;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Jazzer on every decoder, for `-Dfuzz.seconds=` each: `./mvnw -Pfuzz -pl server -am test
/// -Dtest=JazzerTest`.
final class JazzerTest {
    private static final int SEEDS = 300;

    /// Of which one call is 15,000 rounds of a hash.
    private static final String SLOW = "dev.oriel.server.Secret";

    @ParameterizedTest
    @EnumSource(FuzzTargets.Target.class)
    void nothingIsFound(FuzzTargets.Target target) throws IOException, InterruptedException {
        String name = target.name().toLowerCase(Locale.ROOT);
        Gen gen = new Gen(Seed.of("JazzerTest." + name, 31));
        List<byte[]> seeds = new ArrayList<>();
        for (int i = 0; i < SEEDS; i++) {
            seeds.add(FuzzInputs.of(target, gen));
        }
        new JazzerRun(
                        JazzerTarget.class,
                        "dev.oriel.server.**:dev.oriel.kv.**",
                        List.of("--instrumentation_excludes=" + SLOW))
                .nothingIsFound(target.name(), seeds);
    }
}
