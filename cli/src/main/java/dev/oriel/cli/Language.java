package dev.oriel.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.sql.SQLException;
import org.jline.reader.Completer;
import org.jline.reader.Parser;

/// What a person speaks with the database on a terminal: SQL or Gremlin. See [Repl].
///
/// Belongs to one thread; [#cancel()] alone may be called by any.
interface Language {
    /// A line that says how statements end and how to leave.
    String greeting();

    /// What stands before what is typed.
    String prompt();

    /// Tells the line editor when what was typed is complete.
    Parser parser();

    Completer completer();

    /// The name of the file of the history.
    String historyName();

    /// Whether `line` is a command of the shell rather than a statement.
    boolean isCommand(String line);

    /// Carries out a command of the shell.
    ///
    /// @return whether to go on
    boolean command(String line) throws SQLException, IOException, Failure;

    /// Runs the statements in `typed`, up to the first error, and prints what they return.
    void run(String typed) throws SQLException, IOException, Failure;

    /// Runs the statements of `in`, up to the first error, and prints what they return.
    ///
    /// @param name name of the source for errors; empty for the command line
    /// @return whether to go on
    boolean script(BufferedReader in, String name) throws IOException, Failure;

    /// Makes the running statement fail soon. Without one, nothing happens.
    void cancel();
}
