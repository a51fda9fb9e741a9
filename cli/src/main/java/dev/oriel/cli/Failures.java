package dev.oriel.cli;

import dev.oriel.profiler.ProfileFormatException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.sql.SQLException;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/// Reports errors on standard error, in words for a user.
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    private final Main main;

    Failures(Main main) {
        this.main = main;
    }

    @Override
    public int handleParseException(ParameterException e, String[] words) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("oriel: " + e.getMessage());
        UnmatchedArgumentException.printSuggestions(e, err);
        err.println("Try '%s --help'.".formatted(command.getCommandSpec().qualifiedName()));
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult words) {
        command.getOut().flush();
        PrintWriter err = command.getErr();
        err.println("oriel: " + message(e));
        if (main.verbose()) {
            e.printStackTrace(err);
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    /// Returns the message of `e` for a user.
    static String message(Throwable e) {
        return switch (e) {
            case SQLException sql -> message(sql);
            case NoSuchFileException file -> "no such file: " + file.getFile();
            case AccessDeniedException file -> "access denied: " + file.getFile();
            case CharacterCodingException text -> "the text is not UTF-8";
            case FileSystemException file -> Objects.toString(file.getMessage(), e.toString());
            case ProfileFormatException profile -> Objects.toString(profile.getMessage());
            case ArithmeticException sum ->
                    "numbers add up to more than can be held: " + sum.getMessage();
            case UncheckedIOException io when io.getCause() != null -> message(io.getCause());
            case IOException io -> "input or output failed: " + io.getMessage();
            default -> Objects.toString(e.getMessage(), e.toString());
        };
    }

    /// Returns `ERROR 42601: ...`, with the driver's further details.
    static String message(SQLException e) {
        StringBuilder text = new StringBuilder("ERROR");
        if (e.getSQLState() != null) {
            text.append(' ').append(e.getSQLState());
        }
        text.append(": ").append(e.getMessage());
        for (SQLException next = e.getNextException();
                next != null;
                next = next.getNextException()) {
            text.append(System.lineSeparator()).append("  and: ").append(next.getMessage());
        }
        return text.toString();
    }
}
