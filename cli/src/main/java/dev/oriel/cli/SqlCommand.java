package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.DatabaseOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel sql`: runs statements from a person, a script or the command line.
@Command(
        name = "sql",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Run SQL: typed in, from a file, or from the command line.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "On a terminal this is a shell: statements end with a semicolon, \\? lists its own"
                    + " commands, Ctrl-C cancels a statement, Ctrl-D leaves. Otherwise statements are"
                    + " read from standard input, up to the first error."
        })
final class SqlCommand implements Callable<Integer> {
    private static final String URL_PREFIX = "jdbc:";

    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Parameters(
            arity = "0..1",
            paramLabel = "PATH",
            description = {
                "Folder of the database; statements that write create it. A JDBC URL will do as well.",
                "Without it: a new database in memory, gone at the end."
            })
    private @Nullable String path;

    @Option(
            names = "--format",
            paramLabel = "F",
            defaultValue = "table",
            description = "Show rows as table, blocks, csv, json or markdown.")
    private String format = "table";

    @Option(
            names = "--create",
            description =
                    "Create the database if there is none, though nothing is written yet: typed in on a"
                            + " terminal, or read.")
    private boolean create;

    @Option(
            names = "--file-access",
            paramLabel = "WHICH",
            description =
                    "Files that SQL may read and write: none, folder (those in PATH/files),"
                            + " folder:PATH,PATH or all (the default).")
    private @Nullable String fileAccess;

    @Option(
            names = "--file-mode",
            paramLabel = "WHO",
            description =
                    "Users that may read the files of a new database: owner (the default) or group.")
    private @Nullable String fileMode;

    @ArgGroup(exclusive = true)
    private @Nullable Source source;

    /// Options for the source of statements other than standard input.
    static final class Source {
        @Option(
                names = {"-c", "--command"},
                paramLabel = "SQL",
                description = "Run these statements, or this command of the shell.")
        private @Nullable String sql;

        @Option(
                names = {"-f", "--file"},
                paramLabel = "FILE",
                description = "Run the statements in this file, up to the first error.")
        private @Nullable Path file;
    }

    @Override
    public Integer call() throws SQLException, IOException, Failure {
        StatementSource statements =
                new StatementSource(
                        main.environment(),
                        source == null ? null : source.sql,
                        source == null ? null : source.file);
        OutputFormat shown = OutputFormat.of(format);
        if (path != null && path.startsWith(URL_PREFIX)) {
            refuseBesideUrl("fileAccess", fileAccess);
            refuseBesideUrl("fileMode", fileMode);
            try (Connection connection = DriverManager.getConnection(path)) {
                statements.run(screens -> new Shell(connection, shown, screens), path);
            }
            return 0;
        }
        DatabaseOptions options =
                DatabaseOptions.defaults()
                        .withFileAccess(FileOptions.access(fileAccess, "all"))
                        .withFileMode(FileOptions.mode(fileMode));
        boolean isNew = path != null && !Files.exists(Path.of(path));
        if (path != null && isNew && !create && !statements.writes(Existence::sqlWrites)) {
            Existence.checkDatabase(Path.of(path));
        }
        try (Database database =
                        path == null
                                ? Database.inMemory("", options)
                                : Database.open(Path.of(path), options);
                Connection connection = database.connect()) {
            String what = path == null ? "in memory" : (isNew ? "new " : "") + path;
            statements.run(screens -> new Shell(connection, shown, screens), what);
        }
        return 0;
    }

    private static void refuseBesideUrl(String property, @Nullable String given) throws Failure {
        if (given != null) {
            throw new Failure("write the option into the URL: ?" + property + "=" + given);
        }
    }
}
