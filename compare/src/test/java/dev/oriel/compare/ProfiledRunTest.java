package dev.oriel.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Single runs, and their files.
final class ProfiledRunTest {
    @TempDir private Path folder;

    @TempDir private Path temporary;

    /// The Flight Recorder keeps its files in the folder for temporary files, and removes them only at an orderly end.
    @Test
    void runThatIsKilledLeavesNoFile() throws Exception {
        ProfiledRun run = new ProfiledRun(compare(""), folder);
        CompareFailure failure =
                assertThrows(CompareFailure.class, () -> run.take(program("halt")));
        assertTrue(String.valueOf(failure.getMessage()).contains("Runtime.halt"));
        assertEquals(List.of(), entries(temporary));
        assertEquals(List.of(), folders());
    }

    /// Names of other languages than Java hold quotes.
    @Test
    void quoteInPatternReachesAgent() throws Exception {
        ProfiledRun run =
                new ProfiledRun(compare("a.b.It::isn't \"so\"," + Ending.class.getName()), folder);
        ProfiledRun.Taken taken = run.take(program("return"));
        assertEquals(
                Ending.class.getName() + ".main",
                taken.files().getFirst().roots().getFirst().name());
        assertEquals(List.of(), folders());
    }

    @Test
    void patternThatMatchesNoMethodIsTold() throws Exception {
        List<String> progress = new ArrayList<>();
        compare("x.y.**").withPairs(3).run(progress::add);
        assertTrue(
                progress.getLast().startsWith("no method of 'x.y.**' was called: "),
                progress::toString);
    }

    private List<Path> folders() throws IOException {
        return entries(folder).stream().filter(Files::isDirectory).toList();
    }

    private static List<Path> entries(Path of) throws IOException {
        try (Stream<Path> all = Files.list(of)) {
            return all.toList();
        }
    }

    private Compare compare(String methods) {
        Program program = program("return");
        return Compare.of(program, program).withMethods(methods);
    }

    private Program program(String end) {
        String path = System.getProperty("java.class.path");
        String place = "-Djava.io.tmpdir=" + temporary;
        return new Program(
                end, List.of("java", place, "-cp", path, Ending.class.getName(), end), folder);
    }

    /// What runs.
    static final class Ending {
        private Ending() {}

        public static void main(String[] words) {
            if (words[0].equals("halt")) {
                Runtime.getRuntime().halt(0);
            }
        }
    }
}
