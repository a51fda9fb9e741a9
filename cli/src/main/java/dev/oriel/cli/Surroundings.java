package dev.oriel.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Help.Ansi;

/// The process that the command runs in, as far as the command may know it.
///
/// @param terminal whether a person sits at both ends, standard input and output
/// @param columns how many the terminal shows in a line
/// @param root the folder that `target` lies in
/// @param command how the user calls the command
record Surroundings(
        InputStream in,
        PrintWriter out,
        PrintWriter err,
        boolean terminal,
        int columns,
        Map<String, String> environment,
        Path root,
        String command) {
    private static final int COLUMNS_USUAL = 80;

    Surroundings {
        environment = Map.copyOf(environment);
    }

    /// Those of this process. Text is UTF-8 whatever the locale says.
    @SuppressWarnings("SystemConsoleNull") // it is null again, with the default of JDK 25
    static Surroundings ofProcess() {
        Console console = System.console();
        return new Surroundings(
                new FileInputStream(FileDescriptor.in),
                writer(FileDescriptor.out),
                writer(FileDescriptor.err),
                console != null && console.isTerminal(),
                Integer.getInteger("oriel.columns", COLUMNS_USUAL),
                System.getenv(),
                Path.of(System.getProperty("oriel.root", "")),
                System.getProperty("oriel.command", "oriel"));
    }

    private static PrintWriter writer(FileDescriptor descriptor) {
        return new PrintWriter(
                new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8));
    }

    /// Whether output may be coloured: on a terminal that can, unless NO_COLOR is set.
    boolean colour() {
        return terminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }

    Ansi ansi() {
        return colour() ? Ansi.ON : Ansi.OFF;
    }

    /// Standard output as a screen.
    Screen screen() {
        return new Screen(out, terminal ? columns : Screen.ENDLESS, colour());
    }
}
