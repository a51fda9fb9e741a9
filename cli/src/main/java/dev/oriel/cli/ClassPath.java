package dev.oriel.cli;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// Finds the class files of a profiled program, for advice based on them.
final class ClassPath {
    private ClassPath() {}

    /// Splits a class path in the syntax of `java -cp`; `lib/*` stands for the jars there.
    static List<Path> parts(String text) throws IOException {
        List<Path> parts = new ArrayList<>();
        for (String part : text.split(File.pathSeparator, -1)) {
            if (part.endsWith(File.separator + "*")) {
                parts.addAll(jars(Path.of(part.substring(0, part.length() - 2))));
            } else if (!part.isEmpty()) {
                parts.add(Path.of(part));
            }
        }
        return parts;
    }

    /// Extracts the class path, the module path and the jar from a command that starts a JVM. Empty for commands
    /// other than `java`.
    static List<Path> ofCommand(List<String> command) throws IOException {
        List<Path> parts = new ArrayList<>();
        if (!AgentJar.isJava(command.getFirst())) {
            return parts;
        }
        for (int i = 1; i < command.size() - 1; i++) {
            switch (command.get(i)) {
                case "-cp", "-classpath", "--class-path" -> parts.addAll(parts(command.get(++i)));
                case "-p", "--module-path" -> {
                    for (Path folder : parts(command.get(++i))) {
                        parts.add(folder);
                        parts.addAll(jars(folder));
                    }
                }
                case "-jar" -> {
                    parts.add(Path.of(command.get(i + 1)));
                    return parts; // the program's own arguments follow
                }
                default -> {
                    if (!command.get(i).startsWith("-")) {
                        return parts; // the main class
                    }
                }
            }
        }
        return parts;
    }

    private static List<Path> jars(Path folder) throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> all = Files.list(folder)) {
            return all.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
    }
}
