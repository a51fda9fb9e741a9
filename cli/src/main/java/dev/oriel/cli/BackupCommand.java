package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel backup`: copies a database into an empty folder.
@Command(
        name = "backup",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Copy a database into an empty folder.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Copies every page and verifies it on its way. The copy is a database like any other: it can"
                    + " be opened where it lies, or put elsewhere with 'oriel restore'. One that was cut"
                    + " off does not open. Nothing of PATH is changed.",
            "",
            "A database that a program has open is copied by that program: Database.backup."
        })
final class BackupCommand implements Callable<Integer> {
    private static final DatabaseOptions READ_ONLY = DatabaseOptions.defaults().withReadOnly(true);

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(index = "0", paramLabel = "PATH", description = "Folder of the database.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Parameters(
            index = "1",
            paramLabel = "TARGET",
            description = "Folder for the copy: an empty one, or one that does not exist yet.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path target;

    @Override
    public Integer call() throws Failure, IOException {
        if (!Files.isDirectory(path)) {
            throw new Failure("there is no database in " + path);
        }
        Screen screen = main.environment().screen();
        try (Database database = Database.open(path, READ_ONLY);
                PageProgress progress = new PageProgress(screen, "pages copied")) {
            database.backup(target, progress);
        }
        screen.out()
                .println(
                        "The copy in %s is complete: %s."
                                .formatted(target, Figures.count(FolderSize.of(target), "byte")));
        return 0;
    }
}
