package dev.oriel.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `oriel user drop`: drops a user.
@Command(
        name = "drop",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Drop a user.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n")
final class UserDropCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private UserDatabase database;

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the user.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Override
    public Integer call() throws Failure {
        database.with(users -> users.drop(name));
        return 0;
    }
}
