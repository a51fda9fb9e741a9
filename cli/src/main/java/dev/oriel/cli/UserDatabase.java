package dev.oriel.cli;

import dev.oriel.Database;
import dev.oriel.server.Users;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/// What the commands about users have in common: the database, and how a password is asked for.
final class UserDatabase {
    private static final String DATA_FILE = "data";

    @Parameters(index = "0", paramLabel = "PATH", description = "Folder of the database.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    /// What is done with the users of a database.
    @FunctionalInterface
    interface Work {
        void run(Users users);
    }

    void with(Work work) throws Failure {
        if (!Files.exists(path.resolve(DATA_FILE))) {
            throw new Failure("there is no database in " + path);
        }
        try (Database database = Database.open(path)) {
            work.run(Users.of(database));
        }
    }

    /// The first line of `file`, or what is typed without being shown, or the first line of standard input.
    /// Never an argument: those can be seen by everybody on the machine.
    @SuppressWarnings("SystemConsoleNull") // it is null again, with the default of JDK 25
    static String password(@Nullable Path file, Environment surroundings)
            throws Failure, IOException {
        String password;
        if (file != null) {
            password = Files.readString(file).lines().findFirst().orElse("");
        } else if (surroundings.terminal() && System.console() != null) {
            Console console = System.console();
            char[] typed = console.readPassword("Password: ");
            password = typed == null ? "" : new String(typed);
        } else {
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(
                                    surroundings.in(),
                                    StandardCharsets.UTF_8.newDecoder())); // refuses other bytes
            String line = in.readLine();
            password = line == null ? "" : line;
        }
        if (password.isEmpty()) {
            throw new Failure(
                    "there is no password; give it by --password-file, or on standard input");
        }
        return password;
    }
}
