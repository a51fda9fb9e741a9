package dev.oriel.compare;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// One side of a comparison: a command that starts a JVM, itself or further down.
///
/// @param name name in reports
/// @param command program and arguments. The word `java` at its beginning stands for the JDK that
///     the comparison runs on
/// @param folder its working directory
public record Program(String name, List<String> command, Path folder) {
    /// Copies the list.
    public Program {
        command = List.copyOf(command);
        if (command.isEmpty()) {
            throw new IllegalArgumentException("The command of " + name + " is empty");
        }
    }

    /// A command as typed, run in the current folder: words between blanks, quotes of both kinds around words that
    /// hold blanks. There is no shell; a command that needs one says so: `sh -c '...'`.
    public static Program command(String name, String line) {
        return new Program(name, words(line), Path.of("").toAbsolutePath());
    }

    /// The main method of a class on the class path of this JVM.
    public static Program main(Class<?> type, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add("java");
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), type.getName()));
        command.addAll(List.of(arguments));
        return new Program(type.getSimpleName(), command, Path.of("").toAbsolutePath());
    }

    /// The command with `java` resolved.
    List<String> resolved() {
        List<String> resolved = new ArrayList<>(command);
        if (command.getFirst().equals("java")) {
            resolved.set(0, FreshJvm.ownJava().toString());
        } else if (command.getFirst().startsWith("." + File.separator)) {
            resolved.set(0, folder.resolve(command.getFirst()).normalize().toString());
        }
        return resolved;
    }

    /// Splits a line into words.
    ///
    /// @throws IllegalArgumentException if a quote is not closed
    public static List<String> words(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean any = false;
        char quote = 0;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quote != 0) {
                if (c == quote) {
                    quote = 0;
                } else {
                    word.append(c);
                }
            } else if (c == '"' || c == '\'') {
                quote = c;
                any = true;
            } else if (Character.isWhitespace(c)) {
                if (any) {
                    words.add(word.toString());
                }
                word.setLength(0);
                any = false;
            } else {
                word.append(c);
                any = true;
            }
        }
        if (quote != 0) {
            throw new IllegalArgumentException("A quote is not closed in: " + line);
        }
        if (any) {
            words.add(word.toString());
        }
        return words;
    }
}
