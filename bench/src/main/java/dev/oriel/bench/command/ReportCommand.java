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
            "Where several files hold a case, the last one counts. Without options, the tables go to"
                    + " standard output."
        })
final class ReportCommand implements Callable<Integer> {
    @Parameters(arity = "1..*", paramLabel = "FILE", description = "What --json wrote.")
    private List<Path> files = List.of();

    @Option(names = "--html", paramLabel = "FILE", description = "Write one HTML page.")
    private @Nullable Path html;

    @Option(
            names = "--into",
            paramLabel = "FILE",
            description = "Replace the block of results in this document (docs/benchmarks.md).")
    private @Nullable Path into;

    @Option(
            names = "--readme",
            paramLabel = "FILE",
            description = "Replace the block of figures in this document (README.md).")
    private @Nullable Path readme;

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
        if (into != null) {
            DocumentBlock.RESULTS.replace(into, new MarkdownReport(results).all());
        }
        if (readme != null) {
            DocumentBlock.FIGURES.replace(readme, new MarkdownReport(results).figures());
        }
        if (html == null && into == null && readme == null) {
            System.out.print(new MarkdownReport(results).all());
        }
        return 0;
    }
}
