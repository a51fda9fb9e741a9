package dev.oriel.bench.command;

import dev.oriel.bench.results.Agreement;
import dev.oriel.bench.results.Results;
import dev.oriel.bench.results.ResultsFile;
import dev.oriel.bench.run.UserError;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/// `oriel bench agree`: compares two runs.
@Command(
        name = "agree",
        mixinStandardHelpOptions = true,
        header = "Say whether two runs come to the same.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:No ratio to a peer differs.",
            "1:One does, or something failed.",
            "2:It was used wrongly."
        },
        description = {
            "",
            "Compares each figure of the one with that of the other by the spread within each, at a"
                    + " false discovery rate of 5 %%. Rates drift with the machine; the ratios between"
                    + " subjects of one run should not, so they decide."
        })
final class AgreeCommand implements Callable<Integer> {
    @Parameters(index = "0", paramLabel = "FIRST", description = "Files written by --json.")
    private Path first = Path.of("");

    @Parameters(index = "1", paramLabel = "SECOND", description = "What another run wrote.")
    private Path second = Path.of("");

    @Override
    public Integer call() throws IOException, UserError {
        Results one = ResultsFile.read(first);
        Results other = ResultsFile.read(second);
        if (!one.scale().equals(other.scale())) {
            throw new UserError(
                    "%s is of scale %s, %s of scale %s: they measure different things. Compare runs of one scale."
                            .formatted(first, one.scale(), second, other.scale()));
        }
        Agreement agreement = new Agreement(one, other);
        if (agreement.figures().isEmpty()) {
            throw new UserError(
                    "%s and %s have no figure in common that both repeated. Run both with the same workloads and at least two rounds."
                            .formatted(first, second));
        }
        System.out.print(agreement.text());
        return agreement.agrees() ? 0 : 1;
    }
}
