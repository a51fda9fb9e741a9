package dev.oriel.cli;

import dev.oriel.server.Role;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel user add`: adds a user.
@Command(
        name = "add",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Add a user.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Asks for the password, or reads it from a file or standard input. An empty or missing folder"
                    + " becomes a new database."
        })
final class UserAddCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private UserCommand parent;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private UserDatabase database;

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the user.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(
            names = "--grant",
            split = ",",
            paramLabel = "BUCKET=ROLE",
            description = "What the user may do; * stands for all buckets.")
    private List<String> rights = List.of();

    @Option(
            names = "--password-file",
            paramLabel = "FILE",
            description = "File whose first line is the password.")
    private @Nullable Path passwordFile;

    @Override
    public Integer call() throws Failure, IOException {
        Map<String, Role> granted = UserCommand.rights(rights);
        String password = UserDatabase.password(passwordFile, parent.environment());
        database.withNew(users -> users.add(name, password, granted));
        return 0;
    }
}
