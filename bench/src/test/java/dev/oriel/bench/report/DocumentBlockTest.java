package dev.oriel.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.results.SampleResults;
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

    private static final MarkdownReport REPORT =
            new MarkdownReport(
                    new SampleResults()
                            .time("cold/first-query", "oriel", 100e6)
                            .time("cold/first-query", "h2-disk", 200e6)
                            .build());

    @Test
    void whatStandsBetweenTheMarkersIsReplaced() {
        String now = DocumentBlock.FIGURES.replaced(DOCUMENT, "\n| new |\n\n");
        assertEquals(DOCUMENT.replace("old", "| new |"), now);
        assertEquals(DOCUMENT, DocumentBlock.FIGURES.replaced(now, "old"));
    }

    @Test
    void everyBlockThatADocumentHasIsWritten() throws IOException {
        Path file = folder.resolve("a.md");
        String targets = DOCUMENT.replace("figures:", "targets:");
        Files.writeString(file, DOCUMENT + targets);
        DocumentBlock.replaceAll(file, REPORT);
        assertEquals(
                DOCUMENT.replace("old\n", REPORT.figures())
                        + targets.replace("old\n", REPORT.targets()),
                Files.readString(file));
    }

    @Test
    void missingMarkersAreNamedAndTheFileIsLeftAlone() throws IOException {
        Path file = folder.resolve("a.md");
        String half = DOCUMENT + "<!-- results: end -->\n";
        assertSaid(file, half, "a.md: the line <!-- results: begin");
        assertSaid(file, "# Title\n", "a.md: it has no block");
        IOException none =
                assertThrows(
                        IOException.class,
                        () -> DocumentBlock.replaceAll(folder.resolve("b.md"), REPORT));
        assertTrue(String.valueOf(none.getMessage()).contains("b.md"));
    }

    private static void assertSaid(Path file, String document, String words) throws IOException {
        Files.writeString(file, document);
        IOException wrong =
                assertThrows(IOException.class, () -> DocumentBlock.replaceAll(file, REPORT));
        assertTrue(String.valueOf(wrong.getMessage()).contains(words), wrong.getMessage());
        assertEquals(document, Files.readString(file));
    }

    @Test
    void halfABlockIsRefused() {
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
