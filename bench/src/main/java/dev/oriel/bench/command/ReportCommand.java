package dev.oriel.bench.command;

import dev.oriel.bench.report.DocumentBlock;
import dev.oriel.bench.report.MarkdownReport;
import dev.oriel.bench.report.ResultsPage;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.ResultsFile;
import dev.oriel.bench.results.ResultsMerge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// `oriel bench report`: results of earlier runs as a page, as tables, in documents.
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        header = "Write results of earlier runs as a page or into documents.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "If several files have a case, the last one counts. Without options, the tables go to"
                    + " standard output."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  oriel bench report run.json --html bench.html",
            "  oriel bench report docs/benchmarks/*.json --into README.md docs/benchmarks.md"
        })
final class ReportCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "Files written by --json.")
    private List<Path> files = List.of();

    @Option(names = "--html", paramLabel = "FILE", description = "Write one HTML page.")
    private @Nullable Path html;

    @Option(
            names = "--into",
            arity = "1..*",
            paramLabel = "FILE",
            description =
                    "Replace the blocks of results, targets and figures that these documents have.")
    private List<Path> into = List.of();

    @Override
    public Integer call() throws IOException {
        List<Results> all = new ArrayList<>();
        for (Path file : files) {
            all.add(ResultsFile.read(file));
        }
        Results results = ResultsMerge.of(all);
        if (html != null) {
            new ResultsPage(results).write(html);
        }
        for (Path document : into) {
            DocumentBlock.replaceAll(document, new MarkdownReport(results));
        }
        if (html == null && into.isEmpty()) {
            System.out.print(new MarkdownReport(results).all());
        }
        return 0;
    }
}
