package dev.oriel.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.sql.SQLException;
import org.jline.reader.Completer;
import org.jline.reader.Parser;

/// The language of a session on a terminal: SQL or Gremlin. See [Repl].
///
/// Belongs to one thread; [#cancel()] alone may be called by any.
interface Language {
    /// Line that explains how to end a statement and how to leave.
    String greeting();

    /// Prompt for a new statement.
    String prompt();

    /// Parser that tells the line editor when the input is complete.
    Parser parser();

    Completer completer();

    /// Name of the history file.
    String historyName();

    /// Whether `line` is a command of the shell rather than a statement.
    boolean isCommand(String line);

    /// Executes a command of the shell.
    ///
    /// @return whether to go on
    boolean command(String line) throws SQLException, IOException, Failure;

    /// Runs the statements in `typed`, up to the first error, and prints their results.
    void run(String typed) throws SQLException, IOException, Failure;

    /// Runs the statements of `in`, up to the first error, and prints their results.
    ///
    /// @param name name of the source for errors; empty for the command line
    /// @return whether to go on
    boolean script(BufferedReader in, String name) throws IOException, Failure;

    /// Makes the running statement fail soon. Without one, nothing happens.
    void cancel();
}
