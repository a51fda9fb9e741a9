package dev.oriel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The first `EXPLAIN (ANALYZE, PROFILE)` of a JVM spends its time on loading classes, which are counted here, as the
/// time depends on the machine.
class FirstProfileTest {
    /// Classes loaded for it, most of them the Flight Recorder's: 858 were seen. With management they were 1,308.
    private static final int CLASSES_MAX = 885;

    /// Classes of the JVM's management and of cryptography: together they took half of the time.
    private static final Pattern NEEDLESS =
            Pattern.compile(
                    "\\] (javax\\.management|com\\.sun\\.jmx|sun\\.management"
                            + "|java\\.security\\.SecureRandom)");

    private static final int FRAMES = 100;

    @TempDir private Path folder;

    private record Run(List<String> classes, String answer) {}

    @Test
    void neitherManagementNorCryptographyIsLoaded() throws Exception {
        Run run = run(0);
        List<String> needless = run.classes.stream().filter(NEEDLESS.asPredicate()).toList();
        assertEquals(List.of(), needless);
        System.out.println("first profile: classes=" + run.classes.size());
        assertTrue(run.classes.size() > CLASSES_MAX / 2, "only " + run.classes.size() + " seen");
        assertTrue(run.classes.size() <= CLASSES_MAX, run.classes.size() + " classes loaded");
        assertTrue(run.answer.contains("\"stacks\""), run.answer);
    }

    /// Beyond the JVM's usual 64 frames.
    @Test
    void stacksOfADeepCallerAreWhole() throws Exception {
        int deepest = 0;
        String answer = "";
        for (int i = 0; i < 10 && deepest <= FRAMES; i++) { // a short statement may have no sample
            answer = run(FRAMES).answer;
            Matcher stacks = Pattern.compile("\"stack\":\"([^\"]+)\"").matcher(answer);
            while (stacks.find()) {
                deepest = Math.max(deepest, stacks.group(1).split(";", -1).length);
            }
        }
        assertTrue(deepest > FRAMES, deepest + " frames in " + answer);
    }

    private Run run(int frames) throws Exception {
        Path own = Files.createTempDirectory(folder, "run");
        ClassLoads loads = ClassLoads.of(FirstProfileScenario.class, Integer.toString(frames), own);
        int from = loads.indexOf(FirstProfileScenario.Begin.class);
        int to = loads.indexOf(FirstProfileScenario.End.class);
        return new Run(loads.classes().subList(from + 1, to), loads.output());
    }
}
