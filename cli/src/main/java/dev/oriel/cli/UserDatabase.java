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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/// Shared parts of the commands about users: the database, and the input of passwords.
final class UserDatabase {
    private static final String DATA_FILE = "data";

    @Parameters(index = "0", paramLabel = "PATH", description = "Folder of the database.")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private Path path;

    /// Work on the users of a database.
    @FunctionalInterface
    interface Work {
        void run(Users users);
    }

    void with(Work work) throws Failure {
        if (!Files.exists(path.resolve(DATA_FILE))) {
            throw new Failure("there is no database in " + path);
        }
        open(work);
    }

    /// Does `work`, and makes the database if the folder is empty or missing: the first user of a server comes
    /// before its first start.
    void withNew(Work work) throws Failure, IOException {
        if (Files.isDirectory(path) && !Files.exists(path.resolve(DATA_FILE))) {
            try (Stream<Path> files = Files.list(path)) {
                if (files.findAny().isPresent()) {
                    throw new Failure(
                            "there is no database in "
                                    + path
                                    + ", and something else is; choose an empty folder");
                }
            }
        }
        open(work);
    }

    private void open(Work work) {
        try (Database database = Database.open(path)) {
            work.run(Users.of(database));
        }
    }

    /// Refuses passwords that are easily guessed.
    static void checkLength(String password) throws Failure {
        if (password.length() < Users.PASSWORD_CHARS_MIN) {
            throw new Failure(
                    "a password has at least " + Users.PASSWORD_CHARS_MIN + " characters");
        }
    }

    /// Reads the password: the first line of `file`, or hidden input, or the first line of standard input. Never
    /// an argument: every user of the machine can see arguments.
    @SuppressWarnings("SystemConsoleNull") // it is null again, with the default of JDK 25
    static String password(@Nullable Path file, Environment environment)
            throws Failure, IOException {
        String password;
        if (file != null) {
            password = Files.readString(file).lines().findFirst().orElse("");
        } else if (environment.terminal() && System.console() != null) {
            Console console = System.console();
            char[] typed = console.readPassword("Password: ");
            password = typed == null ? "" : new String(typed);
        } else {
            BufferedReader in =
                    new BufferedReader(
                            new InputStreamReader(
                                    environment.in(),
                                    StandardCharsets.UTF_8.newDecoder())); // refuses other bytes
            String line = in.readLine();
            password = line == null ? "" : line;
        }
        if (password.isEmpty()) {
            throw new Failure(
                    "there is no password; give it by --password-file, or on standard input");
        }
        checkLength(password);
        return password;
    }
}
