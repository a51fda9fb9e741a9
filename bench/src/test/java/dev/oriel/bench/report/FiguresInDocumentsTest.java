package dev.oriel.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.ResultsFile;
import dev.oriel.bench.results.ResultsMerge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// The tables in the documents are those that the results beside them make: nobody has touched a figure.
/// `oriel bench report docs/benchmarks/*.json --into README.md docs/benchmarks.md` writes them.
class FiguresInDocumentsTest {
    private static final Path ROOT = Path.of("..");

    private final List<Results> all = new ArrayList<>();

    @BeforeEach
    void read() throws IOException {
        try (Stream<Path> files = Files.list(ROOT.resolve("docs/benchmarks"))) {
            for (Path file :
                    files.filter(one -> one.toString().endsWith(".json")).sorted().toList()) {
                all.add(ResultsFile.read(file));
            }
        }
        assertFalse(all.isEmpty());
    }

    @ParameterizedTest
    @MethodSource("documents")
    void theBlocksOfADocumentAreThoseOfTheResults(String name, DocumentBlock block)
            throws IOException {
        String document = Files.readString(ROOT.resolve(name));
        assertTrue(block.standsIn(document), name + " has no " + block);
        MarkdownReport report = new MarkdownReport(ResultsMerge.of(all));
        assertEquals(document, DocumentBlock.replacedAll(document, report));
    }

    static List<Arguments> documents() {
        return List.of(
                Arguments.of("README.md", DocumentBlock.FIGURES),
                Arguments.of("docs/benchmarks.md", DocumentBlock.TARGETS));
    }

    @Test
    void whyATargetIsMissedStandsWhereTheTableSays() throws IOException {
        for (Reasons.Reason reason : Reasons.ALL) {
            String name = reason.document().isEmpty() ? "benchmarks.md" : reason.document();
            String document = Files.readString(ROOT.resolve("docs").resolve(name));
            String headings = "(?s).*\n##+ " + Pattern.quote(reason.heading()) + "\n.*";
            assertTrue(document.matches(headings), name + ": " + reason.heading());
        }
    }
}
