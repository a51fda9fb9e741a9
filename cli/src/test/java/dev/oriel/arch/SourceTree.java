package dev.oriel.arch;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// The files of the repository as a test reads them: everything but what builds and editors make.
final class SourceTree {
    private static final Set<String> NOT_OURS = Set.of("target", ".git", ".idea", ".vscode");
    private static final Set<String> BINARY = Set.of("jar", "class", "png", "ico", "zip", "gz");

    /// One text file, with its path from the root, written with slashes.
    record Source(String path, String text) {
        boolean isJava() {
            return path.endsWith(".java");
        }

        boolean isMainJava() {
            return isJava() && path.contains("/src/main/");
        }

        List<String> lines() {
            return text.lines().toList();
        }
    }

    private SourceTree() {}

    static Path root() {
        return Path.of(System.getProperty("oriel.root", ".."));
    }

    /// All text files of the repository, sorted by path. Bytes stand for characters: a character
    /// beyond ASCII shows as several beyond it.
    static List<Source> sources() throws IOException {
        List<Source> sources = new ArrayList<>();
        Path root = root();
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path folder, BasicFileAttributes attributes) {
                        return NOT_OURS.contains(folder.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        String name = file.getFileName().toString();
                        String extension = name.substring(name.lastIndexOf('.') + 1);
                        if (!NOT_OURS.contains(name) && !BINARY.contains(extension)) {
                            String path = root.relativize(file).toString().replace('\\', '/');
                            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
                            sources.add(new Source(path, text));
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        sources.sort((a, b) -> a.path.compareTo(b.path));
        return sources;
    }
}
