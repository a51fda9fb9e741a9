package dev.oriel.cli;

import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.Report;
import dev.oriel.profiler.ReportFormat;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel profile report`: prints a report of a profile.
@Command(
        name = "report",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Print the content of a profile.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Prints the bottleneck of the program, advice, and the first rows of each table,"
                    + " or one format in full."
        })
final class ProfileReportCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ProfileCommand parent;

    @Parameters(paramLabel = "FILE", description = "A profile: .orun, .jfr, .pb.gz, hprof, JMH.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Option(
            names = {"-f", "--format"},
            paramLabel = "FORMAT",
            defaultValue = "summary",
            description =
                    "summary, tree, inverted, methods, classes, packages, samples, advice, hprof,"
                            + " collapsed, json and more (summary).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String format;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "The kind of samples that the format is about: cpu, allocation, ...")
    private @Nullable String kind;

    @Option(
            names = "--classes",
            paramLabel = "PATH",
            description = "Class path of the program: it makes advice more certain.")
    private @Nullable String classes;

    @Override
    public Integer call() throws IOException, Failure {
        ReportFormat wanted = ProfileFiles.format(format);
        ProfileResult result = ProfileFiles.read(file);
        Report report =
                wanted.report(
                        result,
                        "Profile of " + file.getFileName(),
                        ProfileFiles.kind(kind),
                        ProfileFiles.code(classes));
        Screen screen = parent.environment().screen();
        report.write(result, screen.out());
        screen.out().flush();
        return 0;
    }
}
