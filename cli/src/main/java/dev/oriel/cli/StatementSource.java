package dev.oriel.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Source of the statements of a shell: the command line, a file, a person at a terminal, or standard input.
final class StatementSource {
    private final Environment environment;
    private final @Nullable String text;
    private final @Nullable Path file;
    private @Nullable BufferedReader input;

    /// @param text statements of the command line
    /// @param file name of a file of statements, if there is no `text`
    /// @throws NoSuchFileException if the file is missing
    /// @throws Failure if the file is a folder
    StatementSource(Environment environment, @Nullable String text, @Nullable Path file)
            throws NoSuchFileException, Failure {
        this.environment = environment;
        this.text = text;
        this.file = file;
        if (file != null && !Files.exists(file)) {
            throw new NoSuchFileException(file.toString());
        }
        if (file != null && Files.isDirectory(file)) {
            throw new Failure(file + " is a folder; -f takes a file");
        }
    }

    /// Whether the statements write, as far as `test` can tell from their text; false at a terminal.
    boolean writes(Predicate<String> test) throws IOException {
        if (text != null) {
            return test.test(text);
        }
        if (file != null) {
            try (BufferedReader in = Files.newBufferedReader(file)) {
                return test.test(Existence.peek(in));
            }
        }
        return !environment.terminal() && test.test(Existence.peek(input()));
    }

    /// Runs the statements, up to the first error, in a shell that `shells` makes for a screen.
    ///
    /// @param what description of the database for a person
    void run(Function<Supplier<Screen>, Language> shells, String what) throws IOException, Failure {
        if (text == null && file == null && environment.terminal()) {
            Repl.hold(shells, what, environment);
            return;
        }
        Screen screen = environment.screen();
        try (BufferedReader in = open()) {
            String name = file == null ? "standard input" : file.toString();
            boolean _ = shells.apply(() -> screen).script(in, text == null ? name : "");
        }
    }

    private BufferedReader open() throws IOException {
        if (text != null) {
            return new BufferedReader(new StringReader(text));
        }
        return file != null ? Files.newBufferedReader(file) : input();
    }

    /// Returns standard input, which refuses bytes that are not UTF-8.
    private BufferedReader input() {
        BufferedReader known = input;
        if (known == null) {
            known =
                    new BufferedReader(
                            new InputStreamReader(
                                    environment.in(), StandardCharsets.UTF_8.newDecoder()));
            input = known;
        }
        return known;
    }
}
