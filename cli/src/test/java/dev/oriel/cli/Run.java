package dev.oriel.cli;

import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;

/// One run of the command inside this JVM.
record Run(int exitCode, String out, String err) {
    /// Runs `oriel words...` without a terminal.
    ///
    /// @param root the folder that `target` lies in
    /// @param in standard input
    static Run oriel(Path root, String in, String... words) {
        return oriel(root, in.getBytes(StandardCharsets.UTF_8), words);
    }

    /// The same with bytes that are perhaps no text.
    static Run oriel(Path root, byte[] in, String... words) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        Environment environment =
                new Environment(
                        new ByteArrayInputStream(in),
                        new PrintWriter(out),
                        new PrintWriter(err),
                        false,
                        80,
                        Map.of(),
                        root,
                        "oriel",
                        () -> null);
        int exitCode = Main.commandLine(environment).execute(words);
        return new Run(exitCode, out.toString(), err.toString());
    }
}
