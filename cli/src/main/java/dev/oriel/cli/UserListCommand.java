package dev.oriel.cli;

import dev.oriel.server.User;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/// `oriel user list`: lists the users of a database over the network.
@Command(
        name = "list",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "List users and their rights.",
        synopsisHeading = "%nUsage: ",
        parameterListHeading = "%n",
        optionListHeading = "%nOptions:%n",
        description = {"", "A line each: the name, then BUCKET=ROLE for each right."})
final class UserListCommand implements Callable<Integer> {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private UserCommand parent;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private UserDatabase database;

    @Override
    public Integer call() throws Failure {
        PrintWriter out = parent.environment().out();
        database.with(users -> users.list().forEach(user -> out.println(line(user))));
        out.flush();
        return 0;
    }

    private static String line(User user) {
        String rights =
                user.rights().entrySet().stream()
                        .map(right ->
                                right.getKey()
                                        + "="
                                        + right.getValue().name().toLowerCase(Locale.ROOT))
                        .collect(Collectors.joining(" "));
        return (user.name() + " " + rights).strip();
    }
}
