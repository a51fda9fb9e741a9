package dev.oriel.cli;

import dev.oriel.server.ProductVersion;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.UserInterruptException;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/// A shell on a terminal: prompts, line editing, history, completion, Ctrl-C and Ctrl-D.
final class Repl {
    private static final String CONTINUATION = "    -> ";
    private static final int COLUMNS_UNKNOWN = 80;

    private final Language language;
    private final Terminal terminal;
    private final LineReader reader;
    private final boolean colour;

    private Repl(
            Function<Supplier<Screen>, Language> languages,
            Terminal terminal,
            Environment environment) {
        this.terminal = terminal;
        this.colour = environment.colour();
        this.language = languages.apply(this::screen);
        LineReaderBuilder builder =
                LineReaderBuilder.builder()
                        .terminal(terminal)
                        .appName("oriel")
                        .parser(language.parser())
                        .completer(language.completer())
                        .variable(LineReader.SECONDARY_PROMPT_PATTERN, CONTINUATION)
                        .variable(LineReader.INDENTATION, 0)
                        .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                        .option(LineReader.Option.CASE_INSENSITIVE, true);
        history(environment).ifPresent(file -> builder.variable(LineReader.HISTORY_FILE, file));
        this.reader = builder.build();
    }

    /// Runs the session until the user leaves.
    ///
    /// @param languages creates the language for a supplier of the current screen
    /// @param what description of the database in a few words
    static void hold(
            Function<Supplier<Screen>, Language> languages, String what, Environment environment)
            throws IOException {
        environment.out().flush();
        try (Terminal terminal = TerminalBuilder.builder().system(true).build()) {
            Repl conversation = new Repl(languages, terminal, environment);
            conversation.greet(what);
            conversation.loop();
        }
    }

    private void greet(String what) {
        PrintWriter out = terminal.writer();
        out.println(screen().bold("Oriel " + ProductVersion.number()) + ", database " + what);
        out.println(language.greeting());
        out.flush();
    }

    private void loop() {
        terminal.handle(Terminal.Signal.INT, _ -> language.cancel());
        while (true) {
            try {
                if (!answer(reader.readLine(language.prompt()))) {
                    return;
                }
            } catch (UserInterruptException _) {
                // Ctrl-C at the prompt drops the line.
            } catch (EndOfFileException _) {
                return;
            }
        }
    }

    /// Runs the input; reports its errors and goes on.
    private boolean answer(String typed) {
        try {
            if (language.isCommand(typed)) {
                return language.command(typed);
            }
            language.run(typed);
        } catch (SQLException | IOException | Failure e) {
            say(Failures.message(e));
        } catch (RuntimeException e) {
            // A fault of the program; the session may still be useful.
            say("internal error: " + e);
        }
        return true;
    }

    private void say(String message) {
        terminal.writer().println(screen().red(message));
        terminal.writer().flush();
    }

    private Screen screen() {
        int columns = terminal.getColumns();
        return new Screen(terminal.writer(), columns > 0 ? columns : COLUMNS_UNKNOWN, colour);
    }

    /// Returns the history file in the user's state folder; none if that cannot be made.
    private Optional<Path> history(Environment environment) {
        String state = environment.environment().getOrDefault("XDG_STATE_HOME", "");
        Path folder =
                state.isEmpty()
                        ? Path.of(System.getProperty("user.home"), ".local", "state")
                        : Path.of(state);
        try {
            return Optional.of(
                    Files.createDirectories(folder.resolve("oriel"))
                            .resolve(language.historyName()));
        } catch (IOException e) {
            say("The history is not kept: " + Failures.message(e));
            return Optional.empty();
        }
    }
}
