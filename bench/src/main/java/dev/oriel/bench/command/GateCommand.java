package dev.oriel.bench.command;

import dev.oriel.bench.Scale;
import dev.oriel.bench.gate.Gate;
import dev.oriel.bench.gate.Revision;
import dev.oriel.bench.run.Options;
import dev.oriel.bench.run.Progress;
import dev.oriel.bench.run.Temporary;
import dev.oriel.bench.run.UserError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `oriel bench gate`: the working tree against a revision.
@Command(
        name = "gate",
        mixinStandardHelpOptions = true,
        header = "Compare the working tree with a git revision; fail on a significant loss.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%nArguments:%n",
        optionListHeading = "%nOptions:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:No case is significantly slower.",
            "1:A case is, or something failed.",
            "2:It was used wrongly."
        },
        description = {
            "",
            "Builds the revision in a folder of its own and runs the small cases of both in fresh"
                    + " JVMs, pair by pair in changing order. A case is slower when its whole 95 %%"
                    + " interval lies above +2 %% and it stands among all cases at a false discovery"
                    + " rate of 5 %%. Some pairs run the revision against itself: where those differ"
                    + " more than they should, the intervals are widened."
        })
final class GateCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "REV", description = "What git knows it by, such as HEAD~1 or main.")
    private String revision = "";

    @Option(
            names = "--case",
            paramLabel = "REGEX",
            defaultValue = Gate.SMALL,
            description = "Only cases in whose name it is found (small ones of each workload).")
    private String cases = Gate.SMALL;

    @Option(
            names = "--pairs",
            paramLabel = "N",
            defaultValue = "6",
            description = "How many pairs, at least 2 (6).")
    private int pairs;

    @Option(
            names = "--minutes",
            paramLabel = "N",
            defaultValue = "8",
            description = "Begin no further pair after so long, once there are 3 (8).")
    private int minutes;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description = "Where the databases lie, on a disk (target/bench).")
    private @Nullable Path dir;

    @Override
    public Integer call() throws IOException, InterruptedException, UserError {
        if (pairs < 2) {
            throw new ParameterException(
                    spec.commandLine(), "--pairs must be at least 2: one pair has no interval");
        }
        Path root = BenchCommand.root();
        Path folder = dir == null ? root.resolve("target", "bench") : dir;
        Files.createDirectories(folder);
        Temporary.sweep(folder);
        Options options =
                new Options(
                        Scale.QUICK,
                        cases,
                        Duration.ofMinutes(minutes),
                        pairs,
                        0,
                        folder,
                        2003,
                        "");
        Progress progress = new Progress(System.err, Integer.getInteger("oriel.columns", 0));
        progress.line("Building " + revision + " ...");
        Revision former = Revision.build(root, revision);
        try {
            Gate gate = new Gate(options, former.classPath(), progress);
            if (gate.isEmpty()) {
                throw new UserError(
                        "No case has '" + cases + "' in its name; see oriel bench --list");
            }
            gate.run();
            System.out.print(gate.costs().table(former.name()));
            return gate.costs().passed() ? 0 : 1;
        } finally {
            former.remove();
        }
    }
}
