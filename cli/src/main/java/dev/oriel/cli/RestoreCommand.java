package dev.oriel.cli;

import dev.oriel.Database;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel restore`: makes a database from a backup or a dump.
@Command(
        name = "restore",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Make a database of a backup or a dump.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Checks the whole backup first, then copies it. Where anything is wrong with it, nothing is"
                    + " copied. Nothing of BACKUP is changed.",
            "",
            "A dump is loaded into PATH.unfinished, which gets the name PATH at the end."
        })
final class RestoreCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(
            index = "0",
            paramLabel = "BACKUP",
            description =
                    "Folder that 'oriel backup' has filled, or any closed database; or a file that"
                            + " 'oriel dump' has written, or the folder of its unpacked files.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path backup;

    @Parameters(
            index = "1",
            paramLabel = "PATH",
            description = "Folder for the database: an empty one, or one that does not exist yet.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Override
    public Integer call() throws Failure, IOException {
        if (!Files.exists(backup)) {
            throw new Failure("there is no backup in " + backup);
        }
        Screen screen = main.environment().screen();
        String what = Files.isDirectory(backup) ? "pages restored" : "bytes read";
        try (PageProgress progress = new PageProgress(screen, what)) {
            Database.restore(backup, path, progress);
        }
        screen.out()
                .println(
                        "The database in %s is complete: %s."
                                .formatted(path, Figures.count(FolderSize.of(path), "byte")));
        return 0;
    }
}
