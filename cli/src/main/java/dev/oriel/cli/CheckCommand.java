package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel check`: reads a whole database and reports damage.
@Command(
        name = "check",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Check that a database is sound.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Reads every page, row and index entry, and prints each fault on a line of its own, or that"
                    + " all is well. Nothing is mended. The exit code is 1 if anything is wrong."
        })
final class CheckCommand implements Callable<Integer> {
    private static final DatabaseOptions READ_ONLY = DatabaseOptions.defaults().withReadOnly(true);

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(paramLabel = "PATH", description = "Folder of the database.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Override
    public Integer call() throws Failure {
        if (!Files.isDirectory(path)) {
            throw new Failure("there is no database in " + path);
        }
        Screen screen = main.environment().screen();
        try (Database database = Database.open(path, READ_ONLY)) {
            List<String> faults = database.check();
            faults.forEach(screen.out()::println);
            screen.out().println(faults.isEmpty() ? "All is well." : "");
            return faults.isEmpty() ? 0 : 1;
        }
    }
}
