package dev.oriel.cli;

import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/// `oriel user revoke`: revokes rights of a user.
@Command(
        name = "revoke",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Revoke rights of a user on a bucket.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n")
final class UserRevokeCommand implements Callable<Integer> {
    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private UserDatabase database;

    @Parameters(index = "1", paramLabel = "NAME", description = "Name of the user.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Parameters(
            index = "2..*",
            arity = "1..*",
            paramLabel = "BUCKET",
            description = "Buckets, or * for a grant on all buckets.")
    private List<String> buckets = List.of();

    @Override
    public Integer call() throws Failure {
        for (String bucket : buckets) {
            boolean[] revoked = {false};
            database.with(users -> revoked[0] = users.revoke(name, bucket));
            if (!revoked[0]) {
                throw new Failure("nothing was granted to " + name + " on " + bucket);
            }
        }
        return 0;
    }
}
