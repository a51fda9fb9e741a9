package dev.oriel.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DocumentBlockTest {
    private static final String DOCUMENT =
            """
            # Title
            <!-- figures: begin -->
            old
            <!-- figures: end -->
            after
            """;

    @TempDir private Path folder;

    @Test
    void whatStandsBetweenTheMarkersIsReplaced() throws IOException {
        Path file = folder.resolve("a.md");
        Files.writeString(file, DOCUMENT);
        DocumentBlock.FIGURES.replace(file, "\n| new |\n\n");
        assertEquals(DOCUMENT.replace("old", "| new |"), Files.readString(file));
        DocumentBlock.FIGURES.replace(file, "old");
        assertEquals(DOCUMENT, Files.readString(file));
    }

    @Test
    void missingMarkersAreNamedAndTheFileIsLeftAlone() throws IOException {
        Path file = folder.resolve("a.md");
        Files.writeString(file, DOCUMENT);
        IOException other =
                assertThrows(IOException.class, () -> DocumentBlock.RESULTS.replace(file, "x"));
        assertTrue(
                String.valueOf(other.getMessage()).contains("a.md: the line <!-- results: begin"));
        assertEquals(DOCUMENT, Files.readString(file));
        IOException none =
                assertThrows(
                        IOException.class,
                        () -> DocumentBlock.RESULTS.replace(folder.resolve("b.md"), "x"));
        assertTrue(String.valueOf(none.getMessage()).contains("b.md"));
        refused(DOCUMENT.replace("<!-- figures: end -->", ""), "figures: end --> is missing");
        refused(DOCUMENT + DOCUMENT, "twice");
        refused("<!-- figures: end -->\n<!-- figures: begin -->", "Swap");
    }

    private static void refused(String document, String words) {
        String message =
                String.valueOf(
                        assertThrows(
                                        IllegalArgumentException.class,
                                        () -> DocumentBlock.FIGURES.replaced(document, "x"))
                                .getMessage());
        assertTrue(message.contains(words), message);
    }
}
