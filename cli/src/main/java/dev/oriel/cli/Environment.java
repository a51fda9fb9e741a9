package dev.oriel.cli;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Help.Ansi;

/// The process of the command, as far as the command may know it.
///
/// @param terminal whether standard input and output are both a terminal
/// @param columns width of the terminal
/// @param root the folder that `target` lies in
/// @param command how the user calls the command
/// @param lost gives the reason why part of the output could not be written; null if all of it was
record Environment(
        InputStream in,
        PrintWriter out,
        PrintWriter err,
        boolean terminal,
        int columns,
        Map<String, String> environment,
        Path root,
        String command,
        Supplier<@Nullable IOException> lost) {
    private static final int COLUMNS_USUAL = 80;

    /// Mask of the file type in a file's mode; below it, two types.
    private static final int FILE_KIND = 0170000;

    private static final int PIPE = 0010000;
    private static final int SOCKET = 0140000;

    Environment {
        environment = Map.copyOf(environment);
    }

    /// Returns the environment of this process. Text is UTF-8, whatever the locale.
    @SuppressWarnings("SystemConsoleNull") // it is null again, with the default of JDK 25
    static Environment ofProcess() {
        Console console = System.console();
        Outlet out = new Outlet(new FileOutputStream(FileDescriptor.out), isOutputPipe());
        return new Environment(
                new FileInputStream(FileDescriptor.in),
                writer(out),
                writer(new FileOutputStream(FileDescriptor.err)),
                console != null && console.isTerminal(),
                Integer.getInteger("oriel.columns", COLUMNS_USUAL),
                System.getenv(),
                Path.of(System.getProperty("oriel.root", "")),
                System.getProperty("oriel.command", "oriel"),
                out::lost);
    }

    /// Whether standard output is a pipe or a socket; false, too, if the system does not tell.
    private static boolean isOutputPipe() {
        try {
            Object mode = Files.getAttribute(Path.of("/dev/stdout"), "unix:mode");
            int kind = (Integer) mode & FILE_KIND;
            return kind == PIPE || kind == SOCKET;
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException e) {
            return false;
        }
    }

    private static PrintWriter writer(OutputStream out) {
        return new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8));
    }

    /// Remembers write failures, which a [PrintWriter] hides. A closed pipe is no failure: `oriel sql ... |
    /// head`.
    static final class Outlet extends FilterOutputStream {
        private final boolean pipe;
        private volatile @Nullable IOException lost;

        /// @param pipe whether `out` is known to be a pipe; if not, the message of a failure may tell
        Outlet(OutputStream out, boolean pipe) {
            super(out);
            this.pipe = pipe;
        }

        @Nullable IOException lost() {
            return lost;
        }

        @Override
        public void write(byte[] bytes, int from, int count) throws IOException {
            try {
                out.write(bytes, from, count);
            } catch (IOException e) {
                if (!pipe
                        && !String.valueOf(e.getMessage())
                                .toLowerCase(Locale.ROOT)
                                .contains("pipe")) {
                    lost = e;
                }
                throw e;
            }
        }
    }

    /// Whether output may be coloured: the terminal can do it, and NO_COLOR is not set.
    boolean colour() {
        return terminal
                && environment.getOrDefault("NO_COLOR", "").isEmpty()
                && !environment.getOrDefault("TERM", "dumb").equals("dumb");
    }

    Ansi ansi() {
        return colour() ? Ansi.ON : Ansi.OFF;
    }

    /// Returns standard output as a screen.
    Screen screen() {
        return new Screen(out, terminal ? columns : Screen.ENDLESS, colour());
    }
}
