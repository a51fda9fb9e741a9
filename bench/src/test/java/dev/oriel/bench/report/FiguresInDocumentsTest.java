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
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The tables in the documents are those that the results beside them make: nobody has touched a figure.
/// `oriel bench report docs/benchmarks/*.json --into docs/benchmarks.md --readme README.md` writes them.
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

    @Test
    void benchmarksAreThoseOfTheResults() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/benchmarks.md"));
        String made = new MarkdownReport(ResultsMerge.of(all)).all();
        assertEquals(document, DocumentBlock.RESULTS.replaced(document, made));
    }

    @Test
    void whyATargetIsMissedStandsWhereTheTableSays() throws IOException {
        String document = Files.readString(ROOT.resolve("docs/benchmarks.md"));
        for (Reasons.Reason reason : Reasons.ALL) {
            assertTrue(document.contains("\n### " + reason.heading() + "\n"), reason.heading());
        }
    }

    @Test
    void figuresOfTheReadmeAreThoseOfTheResults() throws IOException {
        String document = Files.readString(ROOT.resolve("README.md"));
        String made = new MarkdownReport(ResultsMerge.of(all)).figures();
        assertEquals(document, DocumentBlock.FIGURES.replaced(document, made));
    }
}
