package dev.oriel.cli;

import dev.oriel.server.Role;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParentCommand;
import picocli.CommandLine.Spec;

/// `oriel user`: manages the users of a database over the network.
@Command(
        name = "user",
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        header = "Manage the users of a database over the network.",
        synopsisHeading = "%nUsage: ",
        commandListHeading = "%nCommands:%n",
        optionListHeading = "%nOptions:%n",
        description = {
            "",
            "Users are kept in the database, without their passwords. Each has a role on buckets: read,"
                    + " write (and read), admin (also empty the bucket, and make collections of it)."
                    + " Who is admin of all buckets may change users over HTTP too.",
            "",
            "A database that is being served is open already: change its users over HTTP then, as"
                    + " docs/server.md says."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  oriel user add shop ada --grant '*=admin'",
            "  oriel user add shop till --grant orders=write,prices=read --password-file till.txt",
            "  oriel user grant shop till stock=read",
            "  oriel user list shop"
        },
        subcommands = {
            UserAddCommand.class,
            UserPasswordCommand.class,
            UserGrantCommand.class,
            UserRevokeCommand.class,
            UserDropCommand.class,
            UserListCommand.class
        })
final class UserCommand implements Runnable {
    @ParentCommand
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Main main;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    Environment environment() {
        return main.environment();
    }

    /// Prints the help if no subcommand is given.
    @Override
    public void run() {
        spec.commandLine().usage(main.environment().out());
    }

    /// Parses rights from words like `orders=write`.
    static Map<String, Role> rights(List<String> words) throws Failure {
        Map<String, Role> rights = new HashMap<>();
        for (String word : words) {
            int equals = word.lastIndexOf('=');
            Role role = equals <= 0 ? null : role(word.substring(equals + 1));
            if (role == null) {
                throw new Failure(
                        "a right is BUCKET=ROLE with the role read, write or admin, and not "
                                + word);
            }
            rights.put(word.substring(0, equals), role);
        }
        return rights;
    }

    private static @org.jspecify.annotations.Nullable Role role(String word) {
        return Arrays.stream(Role.values())
                .filter(role -> role.name().equals(word.toUpperCase(Locale.ROOT)))
                .findFirst()
                .orElse(null);
    }
}
