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

/// `oriel dump`: writes a database as text.
@Command(
        name = "dump",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Write a database as text that another version can load.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Writes a zip of schema.sql, a script with all definitions, and of the rows of each table as CSV."
                    + " Buckets, maps and graphs are tables in it. It is one state of the database, and gets its"
                    + " name when it is complete. Nothing of PATH is changed.",
            "",
            "'oriel restore FILE PATH' makes a database of it; so does, in the folder of the unpacked files,"
                    + " 'oriel sql PATH <schema.sql'. A database that a program has open is dumped by that"
                    + " program: Database.dump."
        },
        footerHeading = "%nExample:%n",
        footer = {"  oriel dump shop shop.zip && oriel restore shop.zip shop2"})
final class DumpCommand implements Callable<Integer> {
    private static final DatabaseOptions READ_ONLY = DatabaseOptions.defaults().withReadOnly(true);

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(index = "0", paramLabel = "PATH", description = "Folder of the database.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    @Parameters(index = "1", paramLabel = "FILE", description = "File to write, a new one.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path file;

    @Override
    public Integer call() throws Failure, IOException {
        if (!Files.isDirectory(path)) {
            throw new Failure("there is no database in " + path);
        }
        Screen screen = main.environment().screen();
        try (Database database = Database.open(path, READ_ONLY);
                PageProgress progress = new PageProgress(screen, "rows written")) {
            database.dump(file, progress);
        }
        screen.out()
                .println(
                        "The dump %s is complete: %s."
                                .formatted(file, Figures.count(Files.size(file), "byte")));
        return 0;
    }
}
