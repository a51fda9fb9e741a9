package dev.oriel.cli;

import dev.oriel.profiler.ProfileResult;
import dev.oriel.profiler.ReportFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel profile convert`: writes a profile in another format.
@Command(
        name = "convert",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Write a profile in another format.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {"", "The ending of the second file says which, unless --format does."},
        footerHeading = "%nEndings:%n",
        footer = {
            "  .html .orun .json .hprof .collapsed .speedscope.json .pb.gz .trace.json",
            "  .watched.json .rings.json .sunburst.json .csv .md .tree.txt .methods.txt"
        })
final class ProfileConvertCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private ProfileCommand parent;

    @Parameters(index = "0", paramLabel = "FILE", description = "The profile to read.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path from;

    @Parameters(index = "1", paramLabel = "TO", description = "The file to write.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path to;

    @Option(
            names = {"-f", "--format"},
            paramLabel = "FORMAT",
            description = "The format, whatever the file is called.")
    private @Nullable String format;

    @Option(
            names = "--kind",
            paramLabel = "KIND",
            description = "The kind of samples that the format is about: cpu, allocation, ...")
    private @Nullable String kind;

    @Option(
            names = "--title",
            paramLabel = "TEXT",
            description = "The heading of a page (the name of the file).")
    private @Nullable String title;

    @Option(
            names = "--classes",
            paramLabel = "PATH",
            description = "Class path of the program: it makes advice more certain.")
    private @Nullable String classes;

    @Override
    public Integer call() throws IOException, Failure {
        ReportFormat wanted = format == null ? ReportFormat.of(to) : ProfileFiles.format(format);
        if (wanted == null) {
            throw new Failure(
                    "the ending of "
                            + to
                            + " belongs to no format; name one with --format: "
                            + String.join(", ", ReportFormat.words()));
        }
        Path folder = to.toAbsolutePath().getParent();
        if (folder != null && !Files.isDirectory(folder)) {
            throw new Failure("there is no folder " + folder + " to write " + to + " into");
        }
        ProfileResult result = ProfileFiles.read(from);
        String heading = title == null ? "Profile of " + from.getFileName() : title;
        wanted.report(result, heading, ProfileFiles.kind(kind), ProfileFiles.code(classes))
                .write(result, to);
        Screen screen = parent.environment().screen();
        screen.out()
                .println(
                        "%s: %s, %s bytes"
                                .formatted(
                                        to, wanted.description(), Figures.count(Files.size(to))));
        screen.out().flush();
        return 0;
    }
}
