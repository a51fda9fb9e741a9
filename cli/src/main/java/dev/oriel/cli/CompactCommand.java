package dev.oriel.cli;

import dev.oriel.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel compact`: gives free space back to the file system.
@Command(
        name = "compact",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Give the space of deleted rows back to the file system.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Moves pages from the end of the data file to free ones at its beginning and cuts the file,"
                    + " then says how many bytes the files had and have. It can be stopped at any moment;"
                    + " what it has moved until then stays moved.",
            "",
            "A database that a program has open is compacted by that program: Database.compact."
        })
final class CompactCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(paramLabel = "PATH", description = "Folder of the database.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Override
    public Integer call() throws Failure, IOException {
        if (!Files.isDirectory(path)) {
            throw new Failure("there is no database in " + path);
        }
        Screen screen = main.environment().screen();
        long before = FolderSize.of(path);
        try (PageProgress progress = new PageProgress(screen, "pages moved")) {
            Database.compact(path, progress);
        }
        long after = FolderSize.of(path);
        screen.out().println("  before         %15s".formatted(Figures.count(before, "byte")));
        screen.out().println("  after          %15s".formatted(Figures.count(after, "byte")));
        return 0;
    }
}
