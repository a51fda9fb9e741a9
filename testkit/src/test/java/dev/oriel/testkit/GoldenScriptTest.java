package dev.oriel.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.AssertionFailedError;

class GoldenScriptTest {
    @TempDir Path folder;

    @TestFactory
    Stream<DynamicTest> aScriptOfThisModuleRuns() throws IOException {
        return GoldenScript.tests("golden", GoldenScriptTest::answer);
    }

    @Test
    void aDifferenceIsShownLineByLine() throws IOException {
        Path file = script("# Title\nin\n---\none\ntwo\nthree\n");
        DynamicTest test = GoldenScript.of(file, input -> "one\n2\nthree\n", false).getFirst();
        assertEquals("line 1: Title", test.getDisplayName());
        AssertionFailedError failure =
                assertThrows(AssertionFailedError.class, () -> test.getExecutable().execute());
        String message = String.valueOf(failure.getMessage());
        assertTrue(message.contains("  one\n- two\n+ 2\n  three\n"), message);
        assertTrue(message.contains("\n  in\n"), message);
    }

    @Test
    void anUpdateRewritesTheOutputsAndNothingElse() throws Throwable {
        Path file =
                script(
                        "# About the file\n\n\nlast\n---\nold\n\n# Named\nempty\n---\nold\n\ndots\n---\n");
        runAll(GoldenScript.of(file, GoldenScriptTest::answer, true));
        assertEquals(
                """
                # About the file

                last
                ---
                LAST

                # Named
                empty
                ---

                dots
                ---
                ..
                .
                ...
                .5
                """,
                Files.readString(file));
        runAll(GoldenScript.of(file, GoldenScriptTest::answer, false));
    }

    @Test
    void aBlockWithoutSeparatorIsRefusedByItsLine() throws IOException {
        Path file = script("a\n---\nb\n\nc\nd\n");
        IllegalArgumentException refused =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> GoldenScript.of(file, input -> "", false));
        assertTrue(String.valueOf(refused.getMessage()).contains(":5: "), refused.getMessage());
    }

    @Test
    void aMissingScriptSaysWhereItWasSought() {
        IOException missing =
                assertThrows(IOException.class, () -> GoldenScript.tests("nowhere", input -> ""));
        assertTrue(
                String.valueOf(missing.getMessage()).contains("src/test/resources/nowhere.script"));
    }

    private static String answer(String input) {
        return switch (input) {
            case "empty" -> "";
            case "dots" -> ".\n\n..\n.5\n";
            default -> input.toUpperCase(Locale.ROOT);
        };
    }

    private static void runAll(List<DynamicTest> tests) throws Throwable {
        for (DynamicTest test : tests) {
            test.getExecutable().execute();
        }
    }

    private Path script(String text) throws IOException {
        return Files.writeString(folder.resolve("some.script"), text);
    }
}
