package dev.oriel.store.version;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Runs the races in a JVM of their own, which starts more of them. `-Draces=short` has each actor
/// compiled alike and takes a minute or two, `long` has them compiled in all ways and takes an hour.
final class RacesTest {
    private static final List<String> RACES =
            List.of(
                    "PublishedRace",
                    "DroppedInTheMiddleRace",
                    "RehashRace",
                    "SlotUsedAgainRace",
                    "GrownRace",
                    "RegisteredRace",
                    "SlotsRace",
                    "FrameUsedAgainRace");

    /// Small batches: in a run this short, filling large ones takes longer than the races.
    private static final List<String> SHORT =
            List.of(
                    "-m",
                    "quick",
                    "-sc",
                    "false",
                    "-af",
                    "NONE",
                    "-iters",
                    "3",
                    "-strideCount",
                    "10");

    private static final List<String> LONG = List.of("-m", "default", "-f", "5");

    @Test
    void noRaceShowsWhatIsForbidden() throws IOException, InterruptedException {
        Path folder = Files.createDirectories(Path.of(System.getProperty("races.folder")));
        Path output = folder.resolve("output.txt");
        boolean isLong = System.getProperty("races").equals("long");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-cp",
                                classPath(),
                                "org.openjdk.jcstress.Main",
                                "-v",
                                "-t",
                                "dev.oriel.store",
                                "-r",
                                folder.toString()));
        command.addAll(isLong ? LONG : SHORT);
        Process process =
                new ProcessBuilder(command)
                        .directory(folder.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        int exit = process.waitFor();
        String text = Files.readString(output);
        System.out.println(text.substring(Math.max(0, text.length() - 4_000)));
        assertEquals(0, exit, text);
        for (String race : RACES) {
            assertTrue(text.contains("dev.oriel.store." + race), () -> race + " was not run");
        }
        assertTrue(text.contains("Error tests: No matches"), text);
    }

    private static String classPath() {
        String ofSurefire = System.getProperty("surefire.test.class.path");
        return ofSurefire != null ? ofSurefire : System.getProperty("java.class.path");
    }
}
