package dev.oriel.cli;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/// `oriel user password`: changes a user's password.
@Command(
        name = "password",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Give a user another password.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {"", "Asks for the password, or reads it from a file or standard input."})
final class UserPasswordCommand implements Callable<Integer> {
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
            names = "--password-file",
            paramLabel = "FILE",
            description = "File whose first line is the password.")
    private @Nullable Path passwordFile;

    @Override
    public Integer call() throws Failure, IOException {
        String password = UserDatabase.password(passwordFile, parent.environment());
        database.with(users -> users.password(name, password));
        return 0;
    }
}
