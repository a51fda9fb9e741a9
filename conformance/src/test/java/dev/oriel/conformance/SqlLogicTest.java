package dev.oriel.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.testkit.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/// The corpus of sqllogictest. Every build runs what is short of it, and a sample of the rest, of
/// `-Dlogic.sample=` scripts of `index` and as many of `random`; with `-Pconformance` all of it runs.
class SqlLogicTest {
    private static final boolean ALL = "all".equals(System.getProperty("conformance"));
    private static final int SAMPLE = Integer.getInteger("logic.sample", 3);

    @Test
    void answersAreThoseOfTheCorpus() throws IOException, InterruptedException {
        List<String> names = LogicCorpus.names();
        assertTrue(names.size() > 600, "scripts: " + names.size());
        List<String> chosen = new ArrayList<>(names);
        if (!ALL) {
            chosen.removeIf(name -> name.startsWith("index/") || name.startsWith("random/"));
            SplittableRandom random = Seed.of("SqlLogicTest", 7);
            for (String part : List.of("index/", "random/")) {
                List<String> of = names.stream().filter(name -> name.startsWith(part)).toList();
                for (int i = 0; i < SAMPLE; i++) {
                    chosen.add(of.get(random.nextInt(of.size())));
                }
            }
        }
        int threads = ALL ? Math.max(1, Runtime.getRuntime().availableProcessors() - 1) : 1;
        LogicSummary summary = new LogicSummary(3);
        LogicCorpus.run(chosen, threads, summary, System.out);
        System.out.println(summary);
        assertEquals(0, summary.failures(), summary::toString);
        assertTrue(summary.passes() > 10_000, summary::toString);
    }
}
