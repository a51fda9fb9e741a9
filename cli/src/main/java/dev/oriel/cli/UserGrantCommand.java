package dev.oriel.cli;

import dev.oriel.server.Role;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `oriel user grant`: grants rights to a user.
@Command(
        name = "grant",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Grant a user rights on a bucket.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {"", "A role takes the place of the one that the user had on that bucket."})
final class UserGrantCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private UserDatabase database;

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the user.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Parameters(
            index = "2..*",
            arity = "1..*",
            paramLabel = "BUCKET=ROLE",
            description = "Roles are read, write, admin; * stands for all buckets.")
    private List<String> rights = List.of();

    @Override
    public Integer call() throws Failure {
        Map<String, Role> granted = UserCommand.rights(rights);
        database.with(users -> granted.forEach((bucket, role) -> users.grant(name, bucket, role)));
        return 0;
    }
}
