package dev.oriel.bench.command;

import dev.oriel.bench.run.UserError;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Locale;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/// Reports an error on standard error. Faults of the machine or the user are a sentence; any other is a fault of
/// the benchmark itself, and has a stack trace.
final class Failures implements IParameterExceptionHandler, IExecutionExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] words) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("oriel: " + e.getMessage());
        err.println("Try '%s --help'.".formatted(command.getCommandSpec().qualifiedName()));
        err.flush();
        return CommandLine.ExitCode.USAGE;
    }

    @Override
    public int handleExecutionException(Exception e, CommandLine command, ParseResult words) {
        command.getOut().flush();
        PrintWriter err = command.getErr();
        Throwable cause =
                e instanceof UncheckedIOException ? Objects.requireNonNullElse(e.getCause(), e) : e;
        switch (cause) {
            case UserError stop -> err.println("oriel: " + stop.getMessage());
            case FileSystemException file ->
                    err.println("oriel: %s: %s".formatted(file.getFile(), reason(file)));
            case IOException io -> err.println("oriel: " + io.getMessage());
            default -> {
                err.println("oriel: " + e);
                e.printStackTrace(err);
            }
        }
        err.flush();
        return CommandLine.ExitCode.SOFTWARE;
    }

    /// Some exceptions of the JDK tell it only by their class: `NoSuchFileException`.
    private static String reason(FileSystemException e) {
        String name = e.getClass().getSimpleName().replace("Exception", "");
        return Objects.requireNonNullElse(
                e.getReason(), name.replaceAll("(?<=.)(?=[A-Z])", " ").toLowerCase(Locale.ROOT));
    }
}
