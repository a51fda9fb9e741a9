package dev.oriel.sql;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.JazzerRun;
import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Runs Jazzer on each [FuzzTargets] for `-Dfuzz.seconds=`: `./mvnw -Pfuzz -pl sql -am test -Dtest=SqlJazzerTest`.
class SqlJazzerTest {
    private static final int SEEDS = 500;

    @ParameterizedTest
    @EnumSource(FuzzTargets.Target.class)
    void nothingIsFound(FuzzTargets.Target target) throws IOException, InterruptedException {
        String name = target.name().toLowerCase(Locale.ROOT);
        SqlInputs inputs = new SqlInputs(new Gen(Seed.of("SqlJazzerTest." + name, 31)));
        List<byte[]> seeds = new ArrayList<>();
        for (int i = 0; i < SEEDS; i++) {
            seeds.add(inputs.of(target).replace('\ud800', '?').getBytes(UTF_8));
        }
        new JazzerRun(SqlJazzerTarget.class, "dev.oriel.sql.**", List.of())
                .nothingIsFound(target.name(), seeds);
    }
}
