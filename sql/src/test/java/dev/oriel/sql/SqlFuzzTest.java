package dev.oriel.sql;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Gen;
import dev.oriel.testkit.Seed;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Statements, literals and patterns, mutated and generated: each is accepted or rejected, and soon. `-Dfuzz=` sets
/// their number; [SqlJazzerTest] does the same with coverage guidance.
class SqlFuzzTest {
    private static final int ROUNDS = Integer.getInteger("fuzz", 1_500);

    @ParameterizedTest
    @EnumSource(FuzzTargets.Target.class)
    void nothingThatIsWrittenBreaksAReader(FuzzTargets.Target target) {
        Gen gen = new Gen(Seed.of("SqlFuzzTest." + target, 20_260_605));
        SqlInputs inputs = new SqlInputs(gen);
        int rounds = target == FuzzTargets.Target.STATEMENT ? ROUNDS * 3 : ROUNDS / 3;
        try {
            for (int i = 0; i < rounds; i++) {
                String text = inputs.of(target);
                long started = System.nanoTime();
                try {
                    target.run(text);
                } catch (RuntimeException | StackOverflowError | OutOfMemoryError broken) {
                    throw new AssertionError(target + " with " + shown(text), broken);
                }
                double seconds = (System.nanoTime() - started) / 1e9;
                assertTrue(
                        seconds < FuzzTargets.SECONDS_MAX,
                        () -> target + " took " + seconds + " s with " + shown(text));
            }
        } finally {
            FuzzTargets.close();
        }
    }

    private static String shown(String text) {
        return text.length() > 2_000
                ? text.substring(0, 1_000) + " ... " + text.substring(text.length() - 1_000)
                : text;
    }
}
